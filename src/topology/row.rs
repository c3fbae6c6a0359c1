//! What a module's unwind table says of a return address: where the caller's frame is.
//!
//! Nearly always the frame begins at a constant distance from the stack pointer, or from the
//! frame pointer's register. Anything else ends a context.

use crate::sys::module::Module;
use gimli::{
    BaseAddresses, CfaRule, EhFrame, EhFrameHdr, EndianSlice, NativeEndian, Register, RegisterRule,
    UnwindContext, UnwindContextStorage, UnwindSection, UnwindTableRow,
};

#[cfg(target_arch = "x86_64")]
mod machine {
    pub const SP: u16 = 7;
    pub const FP: u16 = 6;
    pub const RULES: usize = 10;
}
#[cfg(target_arch = "aarch64")]
mod machine {
    pub const SP: u16 = 31;
    pub const FP: u16 = 29;
    pub const RULES: usize = 28;
}
use machine::{FP, RULES, SP};

/// A frame, as seen from its return address. All distances in units of 8 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C)]
pub struct Row {
    pub base: Base,
    /// Where the frame pointer's register is saved, below the frame's end; 0 if it still
    /// has its value.
    pub frame: u8,
    /// Where the return address is, below the frame's end.
    pub site: u16,
    /// From the base to the frame's end, the canonical frame address.
    pub end: u32,
}

/// What a distance is counted from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Base {
    /// Nothing: the context ends.
    None,
    /// The stack pointer.
    Stack,
    /// The frame pointer's register.
    Frame,
}

impl Row {
    pub const END: Row = Row {
        base: Base::None,
        frame: 0,
        site: 0,
        end: 0,
    };

    pub fn to_bits(self) -> u64 {
        u64::from(self.base as u8)
            | u64::from(self.frame) << 8
            | u64::from(self.site) << 16
            | u64::from(self.end) << 32
    }

    pub fn from_bits(bits: u64) -> Row {
        let base = match bits as u8 {
            1 => Base::Stack,
            2 => Base::Frame,
            _ => Base::None,
        };
        Row {
            base,
            frame: (bits >> 8) as u8,
            site: (bits >> 16) as u16,
            end: (bits >> 32) as u32,
        }
    }
}

/// Room for what is needed of a table's state, on a small stack.
struct Small;

impl<T: gimli::ReaderOffset> UnwindContextStorage<T> for Small {
    type Rules = [(Register, RegisterRule<T>); RULES];
    type Stack = [UnwindTableRow<T, Self>; 3];
}

type Slice = EndianSlice<'static, NativeEndian>;

/// The row of a return address in a module.
///
/// # Safety
/// The module is loaded, and stays meanwhile.
pub unsafe fn row(module: &Module, site: usize) -> Row {
    // SAFETY: passed on.
    unsafe { look_up(module, site) }.unwrap_or(Row::END)
}

#[inline(never)]
unsafe fn look_up(module: &Module, site: usize) -> Option<Row> {
    // SAFETY: the caller's promise: from here to the module's end. A table lies in one segment,
    // and is read only as far as it goes.
    let bytes = |from: usize| unsafe {
        (module.start..module.end)
            .contains(&from)
            .then(|| core::slice::from_raw_parts(from as *const u8, module.end - from))
    };
    let bases = BaseAddresses::default().set_eh_frame_hdr(module.unwind as u64);
    let header = EhFrameHdr::new(bytes(module.unwind)?, NativeEndian);
    let header = header.parse(&bases, 8).ok()?;
    let gimli::Pointer::Direct(start) = header.eh_frame_ptr() else {
        return None;
    };
    let table: EhFrame<Slice> = EhFrame::new(bytes(start as usize)?, NativeEndian);
    let bases = bases.set_eh_frame(start);
    // The call that the address follows lies before it.
    let within = site as u64 - 1;
    let frame = header
        .table()?
        .fde_for_address(&table, &bases, within, EhFrame::cie_from_offset)
        .ok()?;
    if frame.is_signal_trampoline() {
        return None;
    }
    let mut context = UnwindContext::<usize, Small>::new_in();
    let rules = frame
        .unwind_info_for_address(&table, &bases, &mut context, within)
        .ok()?;
    let CfaRule::RegisterAndOffset { register, offset } = *rules.cfa() else {
        return None;
    };
    let base = match register {
        Register(SP) => Base::Stack,
        Register(FP) => Base::Frame,
        _ => return None,
    };
    let below = |rule: Option<RegisterRule<usize>>| match rule {
        Some(RegisterRule::Offset(offset)) => units(-offset),
        _ => None,
    };
    let saved = rules.register(Register(FP));
    let frame_at = match saved {
        None | Some(RegisterRule::SameValue) => 0,
        _ => u8::try_from(below(saved)?).ok()?,
    };
    let return_register = frame.cie().return_address_register();
    Some(Row {
        base,
        frame: frame_at,
        site: u16::try_from(below(rules.register(return_register))?).ok()?,
        end: units(offset)?,
    })
}

/// A distance above 0 in units of 8 bytes.
fn units(bytes: i64) -> Option<u32> {
    (bytes > 0 && bytes % 8 == 0).then(|| u32::try_from(bytes / 8).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_numbers_and_back() {
        let row = Row {
            base: Base::Frame,
            frame: 2,
            site: 1,
            end: 70_000,
        };
        assert_eq!(Row::from_bits(row.to_bits()), row);
        assert_eq!(Row::from_bits(0), Row::END);
    }

    #[test]
    fn the_room_for_a_table_fits_a_small_stack() {
        assert!(size_of::<UnwindContext<usize, Small>>() < 4096);
    }
}
