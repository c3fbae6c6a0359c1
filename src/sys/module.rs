//! Loaded modules: which one an address lies in, what it is called for good, where its unwind
//! table is; and the names behind ours.

use crate::base::atomic::{AtomicPtr, Ordering};
use crate::base::mix::mix;
use core::ffi::{CStr, c_int, c_void};
use core::mem::{MaybeUninit, transmute};
use core::ptr::null_mut;

/// The longest identity, in bytes.
pub const IDENTITY_MAX: usize = 32;
/// How much of a module without a build-id its identity is made of.
const TEXT_MAX: usize = 64 << 10;

/// What a module is called wherever it is loaded: its build-id, or a hash of its code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Identity {
    pub bytes: [u8; IDENTITY_MAX],
    pub len: u8,
    /// Whether it is a build-id.
    pub build_id: bool,
}

impl Identity {
    pub const NONE: Identity = Identity {
        bytes: [0; IDENTITY_MAX],
        len: 0,
        build_id: false,
    };

    pub fn hash(&self) -> u64 {
        let bytes = self.bytes[..self.len.into()].iter();
        bytes.fold(mix(0, self.len.into()), |hash, &byte| {
            mix(hash, byte.into())
        })
    }
}

/// A loaded module.
#[derive(Clone, Copy, Debug)]
pub struct Module {
    /// From its first to beyond its last byte in memory.
    pub start: usize,
    pub end: usize,
    /// What its addresses have more than those in its file.
    pub bias: usize,
    /// Where `.eh_frame_hdr` is, or 0.
    pub unwind: usize,
}

/// glibc's answer to `_dl_find_object`, of version 2.35 on.
#[repr(C)]
struct Found {
    flags: u64,
    start: *mut c_void,
    end: *mut c_void,
    /// Begins with the bias.
    link_map: *const usize,
    unwind: *mut c_void,
    reserved: [u64; 9],
}

type Find = unsafe extern "C" fn(*mut c_void, *mut Found) -> c_int;

/// `_dl_find_object`, where libc has it: it takes no lock.
static FIND: AtomicPtr<c_void> = AtomicPtr::new(null_mut());

/// The next definition of a symbol after this library's, or null. Calls `dlsym`,
/// which allocates: only from a constructor.
pub fn next_symbol(name: &CStr) -> *mut c_void {
    // SAFETY: a search by name.
    unsafe { libc::dlsym(libc::RTLD_NEXT, name.as_ptr()) }
}

/// To be called before `find`, from a constructor.
pub fn prepare() {
    FIND.store(next_symbol(c"_dl_find_object"), Ordering::Relaxed);
}

/// The module that `address` lies in. Not under a lock of ours: where libc is old, it takes
/// the loader's.
pub fn find(address: usize) -> Option<Module> {
    let find = FIND.load(Ordering::Relaxed);
    if find.is_null() {
        return search(address);
    }
    let mut found = MaybeUninit::<Found>::zeroed();
    // SAFETY: the function has this type, and fills the structure if it answers 0.
    unsafe {
        let find = transmute::<*mut c_void, Find>(find);
        if find(address as *mut c_void, found.as_mut_ptr()) != 0 {
            return None;
        }
        let found = found.assume_init();
        Some(Module {
            start: found.start as usize,
            end: found.end as usize,
            bias: *found.link_map,
            unwind: found.unwind as usize,
        })
    }
}

/// As `find`, through the list of all modules.
fn search(address: usize) -> Option<Module> {
    struct Search {
        address: usize,
        found: Option<Module>,
    }
    unsafe extern "C" fn look(
        info: *mut libc::dl_phdr_info,
        _: usize,
        search: *mut c_void,
    ) -> c_int {
        // SAFETY: the loader's record, and the caller's structure.
        let (info, search) = unsafe { (&*info, &mut *search.cast::<Search>()) };
        let mut module = Module {
            start: usize::MAX,
            end: 0,
            bias: info.dlpi_addr as usize,
            unwind: 0,
        };
        for index in 0..usize::from(info.dlpi_phnum) {
            // SAFETY: the loader says how many there are.
            let header = unsafe { &*info.dlpi_phdr.add(index) };
            let start = module.bias.wrapping_add(header.p_vaddr as usize);
            match header.p_type {
                libc::PT_LOAD => {
                    module.start = module.start.min(start & !4095);
                    module.end = module.end.max(start + header.p_memsz as usize);
                }
                libc::PT_GNU_EH_FRAME => module.unwind = start,
                _ => {}
            }
        }
        let here = (module.start..module.end).contains(&search.address);
        if here {
            search.found = Some(module);
        }
        here.into()
    }
    let mut search = Search {
        address,
        found: None,
    };
    // SAFETY: the function keeps to what the loader shows it.
    unsafe { libc::dl_iterate_phdr(Some(look), (&raw mut search).cast()) };
    search.found
}

impl Module {
    /// What the module is called; `None` if its first bytes are not those of its file.
    pub fn identity(&self) -> Option<Identity> {
        // SAFETY: the module is loaded, from its first byte on; all that is read lies in it.
        unsafe {
            let elf = self.read::<libc::Elf64_Ehdr>(self.start)?;
            if elf.e_ident[..4] != *b"\x7fELF" || elf.e_ident[4] != 2 {
                return None;
            }
            let headers = self.start + elf.e_phoff as usize;
            let header = |index: usize| {
                self.read::<libc::Elf64_Phdr>(headers + index * size_of::<libc::Elf64_Phdr>())
            };
            let all = || (0..usize::from(elf.e_phnum)).filter_map(header);
            let noted = all()
                .filter(|header| header.p_type == libc::PT_NOTE)
                .find_map(|header| self.build_id(&header));
            noted.or_else(|| {
                let code = |header: &libc::Elf64_Phdr| {
                    header.p_type == libc::PT_LOAD && header.p_flags & libc::PF_X != 0
                };
                all().find(code).map(|header| self.code_hash(&header))
            })
        }
    }

    /// A copy of what lies there, if it lies in the module.
    unsafe fn read<T: Copy>(&self, at: usize) -> Option<T> {
        let lies_in = at >= self.start && at.checked_add(size_of::<T>())? <= self.end;
        // SAFETY: the caller's promise: the module is loaded there.
        lies_in.then(|| unsafe { (at as *const T).read_unaligned() })
    }

    unsafe fn build_id(&self, header: &libc::Elf64_Phdr) -> Option<Identity> {
        const GNU_BUILD_ID: u32 = 3;
        let mut at = self.bias.wrapping_add(header.p_vaddr as usize);
        let end = at.checked_add(header.p_memsz as usize)?;
        let aligned = |length: u32| (length as usize + 3) & !3;
        // SAFETY: as in `read`.
        unsafe {
            while at + 12 <= end {
                let [name_len, text_len, kind] = self.read::<[u32; 3]>(at)?;
                let text = at + 12 + aligned(name_len);
                if kind == GNU_BUILD_ID
                    && name_len == 4
                    && self.read::<[u8; 4]>(at + 12)? == *b"GNU\0"
                {
                    let mut identity = Identity::NONE;
                    identity.build_id = true;
                    identity.len = (text_len as usize).min(IDENTITY_MAX) as u8;
                    for (index, byte) in identity.bytes.iter_mut().enumerate() {
                        if index < identity.len.into() {
                            *byte = self.read::<u8>(text + index)?;
                        }
                    }
                    return Some(identity);
                }
                at = text + aligned(text_len);
            }
        }
        None
    }

    unsafe fn code_hash(&self, header: &libc::Elf64_Phdr) -> Identity {
        let start = self.bias.wrapping_add(header.p_vaddr as usize);
        // SAFETY: as in `read`.
        code_identity(header.p_filesz, |at| unsafe { self.read(start + at) })
    }
}

/// The identity of a module by its code, which has so many bytes in the file; `word` tells the
/// eight bytes that begin so far from its start, which may end beyond it.
pub fn code_identity(bytes: u64, word: impl Fn(usize) -> Option<u64>) -> Identity {
    let length = (bytes as usize).min(TEXT_MAX);
    let add = |hash, at| mix(hash, word(at).unwrap_or(0));
    let hash = (0..length).step_by(8).fold(mix(0, bytes), add);
    let mut identity = Identity::NONE;
    identity.len = 8;
    identity.bytes[..8].copy_from_slice(&hash.to_le_bytes());
    identity
}

/// Whether `address` lies in a loaded module. Takes the loader's lock: only on the way
/// to an abort, outside every lock.
pub fn holds(address: usize) -> bool {
    let mut info = MaybeUninit::<libc::Dl_info>::uninit();
    // SAFETY: the answer is only asked for, not used.
    unsafe { libc::dladdr(address as *const c_void, info.as_mut_ptr()) != 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(one: &Module, other: &Module) -> bool {
        one.bias == other.bias && one.unwind == other.unwind
    }

    #[test]
    fn both_ways_find_the_same_modules() {
        prepare();
        let ours = both_ways_find_the_same_modules as *const () as usize;
        let theirs = libc::strlen as *const () as usize;
        for address in [ours, theirs] {
            let found = find(address).expect("a module");
            assert!(same(&found, &search(address).expect("a module")));
            assert!(found.unwind != 0 && (found.start..found.end).contains(&address));
            let identity = found.identity().expect("a file");
            assert!(identity.len >= 8);
        }
        let mine = find(ours).and_then(|module| module.identity());
        assert_ne!(mine, find(theirs).and_then(|module| module.identity()));
    }

    #[test]
    fn what_lies_in_no_module_has_none() {
        prepare();
        let heap = std::boxed::Box::new(0_u8);
        let address = &raw const *heap as usize;
        assert!(find(address).is_none() && search(address).is_none());
        assert!(find(8).is_none() && search(8).is_none());
    }

    #[test]
    fn a_module_without_a_build_id_is_known_by_its_code() {
        prepare();
        let module = find(a_module_without_a_build_id_is_known_by_its_code as *const () as usize);
        let module = module.expect("a module");
        let header = libc::Elf64_Phdr {
            p_type: libc::PT_LOAD,
            p_flags: libc::PF_X,
            p_offset: 0,
            p_vaddr: (module.start - module.bias) as u64,
            p_paddr: 0,
            p_filesz: 4096,
            p_memsz: 4096,
            p_align: 4096,
        };
        // SAFETY: the module is loaded.
        let (one, other) = unsafe {
            let one = module.code_hash(&header);
            (
                one,
                module.code_hash(&libc::Elf64_Phdr {
                    p_filesz: 4088,
                    ..header
                }),
            )
        };
        assert!(one != other && !one.build_id && one.len == 8);
    }
}
