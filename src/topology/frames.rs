//! The frames above a call.

use super::points::{Point, point};
use super::row::Base;

/// Frames above a site that are looked at.
pub const FRAMES: usize = 3;
/// A context ends where a frame seems to reach farther than this, in bytes.
const REACH: usize = 1 << 20;
/// Bytes that a call pushes.
const PUSHED: usize = if cfg!(target_arch = "x86_64") { 8 } else { 0 };

/// A walk from frame to frame.
#[derive(Clone, Copy)]
pub struct Walk {
    /// The stack pointer at the entry.
    origin: usize,
    stack: usize,
    frame: usize,
    /// Whether all steps so far started from the stack pointer.
    constant: bool,
}

/// A step to the next return address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    pub site: usize,
    /// How far above the stack pointer at the entry it lies, if that is so for each call from
    /// the same places.
    pub distance: Option<u32>,
}

impl Walk {
    /// From the stack pointer and the frame pointer's register at the entry of the function
    /// that was called.
    pub fn new(stack: usize, frame: usize) -> Walk {
        Walk {
            origin: stack,
            stack: stack.wrapping_add(PUSHED),
            frame,
            constant: true,
        }
    }

    /// The return address above that of `point`. `None` where the context ends.
    ///
    /// # Safety
    /// The walk is of the calling thread's stack, and has come to `point`.
    pub unsafe fn step(&mut self, point: &Point) -> Option<Step> {
        let row = point.row;
        let base = match row.base {
            Base::None => return None,
            Base::Stack => self.stack,
            Base::Frame => {
                self.constant = false;
                self.frame
            }
        };
        let end = base.checked_add(row.end as usize * 8)?;
        let sane = end > self.stack && end.is_multiple_of(8) && end - self.origin <= REACH;
        if !sane {
            return None;
        }
        let at = end - usize::from(row.site) * 8;
        // SAFETY: the module's own table says that a live frame ends there, and has the return
        // address and the register in it.
        unsafe {
            let site = strip((at as *const usize).read());
            if row.frame != 0 {
                self.frame = ((end - usize::from(row.frame) * 8) as *const usize).read();
            }
            self.stack = end;
            let distance = self.constant.then(|| (at - self.origin) as u32);
            (site != 0).then_some(Step { site, distance })
        }
    }
}

/// A return address without its signature.
#[inline(always)]
pub fn strip(address: usize) -> usize {
    #[cfg(target_arch = "aarch64")]
    // SAFETY: `xpaclri`, which is a hint: it clears the upper bits of x30, or does nothing.
    unsafe {
        let stripped;
        core::arch::asm!(
            "hint #7",
            inlateout("x30") address => stripped,
            options(nomem, nostack, preserves_flags)
        );
        stripped
    }
    #[cfg(not(target_arch = "aarch64"))]
    address
}

/// What is known of a site and the frames above it; `NONE` from where the context ends.
///
/// # Safety
/// As `Walk::new` says, on the calling thread's stack.
pub unsafe fn context(site: usize, stack: usize, frame: usize) -> [Point; FRAMES + 1] {
    let mut points = [Point::NONE; FRAMES + 1];
    let mut walk = Walk::new(stack, frame);
    points[0] = point(site);
    for index in 1..points.len() {
        // SAFETY: the walk has come to that point.
        match unsafe { walk.step(&points[index - 1]) } {
            Some(step) => points[index] = point(step.site),
            None => break,
        }
        if points[index].hash == 0 {
            break;
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sys::module;
    use core::arch::naked_asm;
    use core::ffi::{c_int, c_void};
    use core::hint::black_box;
    use std::vec::Vec;

    unsafe extern "C" {
        fn _Unwind_Backtrace(
            to: extern "C" fn(*mut c_void, *mut c_void) -> c_int,
            with: *mut c_void,
        ) -> c_int;
        fn _Unwind_GetIP(context: *mut c_void) -> usize;
    }

    extern "C" fn note(context: *mut c_void, addresses: *mut c_void) -> c_int {
        // SAFETY: the unwinder's context, and the caller's list.
        unsafe { (*addresses.cast::<Vec<usize>>()).push(_Unwind_GetIP(context)) };
        0
    }

    /// Calls `compare` as an entry of the allocator calls its slow path.
    #[unsafe(naked)]
    extern "C" fn probe(_: usize) -> usize {
        #[cfg(target_arch = "x86_64")]
        naked_asm!(
            "mov rdi, qword ptr [rsp]",
            "mov rsi, rsp",
            "mov rdx, rbp",
            "jmp {}",
            sym compare
        );
        #[cfg(target_arch = "aarch64")]
        naked_asm!("mov x0, x30", "mov x1, sp", "mov x2, x29", "b {}", sym compare);
    }

    /// Returns how many frames above the site were found; all as the unwinder finds them.
    extern "C" fn compare(site: usize, stack: usize, frame: usize) -> usize {
        // SAFETY: of the calling thread's stack.
        let points = unsafe { context(site, stack, frame) };
        let mut addresses: Vec<usize> = Vec::new();
        // SAFETY: the function has the type that the unwinder calls.
        unsafe { _Unwind_Backtrace(note, (&raw mut addresses).cast()) };
        let from = addresses.iter().position(|&at| at == site);
        let expected = &addresses[from.expect("the unwinder goes by the site")..];
        let found = points.iter().take_while(|point| point.hash != 0).count();
        for (point, &address) in points[..found].iter().zip(expected) {
            assert_eq!(*point, super::point(address));
        }
        found - 1
    }

    #[inline(never)]
    fn middle(depth: usize) -> usize {
        let room = black_box([depth; 37]);
        black_box(probe(room[3]) + room[5] - depth)
    }

    #[inline(never)]
    fn recursive(depth: usize) -> usize {
        match depth {
            0 => middle(1),
            _ => black_box(recursive(black_box(depth - 1))),
        }
    }

    #[test]
    fn frames_are_those_that_the_unwinder_finds() {
        module::prepare();
        assert_eq!(middle(1), FRAMES);
        for depth in 0..5 {
            assert_eq!(recursive(depth), FRAMES);
        }
        let in_thread = std::thread::spawn(|| black_box(probe(0)));
        assert!(in_thread.join().expect("no panic") > 0);
    }

    #[test]
    fn a_walk_without_a_row_ends() {
        let mut walk = Walk::new(&raw const WALK_END as usize, 0);
        // SAFETY: nothing is read without a row.
        assert_eq!(unsafe { walk.step(&Point::NONE) }, None);
    }

    static WALK_END: u8 = 0;
}
