//! The entries with a fast path of their own: malloc, calloc, free, and the basic forms of
//! operator new and delete.

use super::family::{calloc_slow, delete_elsewhere, lohalloc_malloc_slow, new_slow, resize_entry};
use crate::base::class::{self, DIRECT_MAX};
use crate::front::free;
use crate::map::{self, Page};
use core::arch::naked_asm;
use core::ffi::c_void;
use core::mem::offset_of;

/// Assembly of `pop_or`, with what it names.
macro_rules! with_operands {
    ($slow:path $(; $other:path)?, $($line:literal),* $(,)?) => {
        naked_asm!(
            $($line,)*
            max = const DIRECT_MAX,
            steps = sym class::STEPS,
            fine = const class::FINE,
            fine_shift = const class::FINE.ilog2(),
            fine_max = const class::FINE_MAX,
            coarse = const class::COARSE,
            coarse_shift = const class::COARSE.ilog2(),
            coarse_at = const class::COARSE_AT,
            slab_max = const class::SLAB_MAX,
            $(other = sym $other,)?
            free = const offset_of!(Page, free),
            used = const offset_of!(Page, used),
            slow = sym $slow,
        )
    };
}

/// The body of a naked function `(size) -> block`: pops a block off the active page of
/// the size's class, or goes on at `$slow` with size, return address, stack pointer and frame pointer.
/// The instructions `$first` come before, and may jump to `{other}`.
/// The same as `alloc::fast` and `alloc::medium`, which say why it is sound, but that the
/// class of a larger size is looked up.
#[cfg(target_arch = "x86_64")]
macro_rules! pop_or {
    ($slow:path $(, $first:literal)* $(; $other:path)?) => {
        with_operands!(
            $slow $(; $other)?,
            // Each function begins a section, so this aligns the function itself.
            ".p2align 6",
            $($first,)*
            "lea rax, [rdi + 15]",
            "shr rax, 4",
            "cmp rdi, {max}",
            "ja 3f",
            "1:",
            "mov rcx, qword ptr [rip + lohalloc_heap@GOTTPOFF]",
            "mov rcx, qword ptr fs:[rcx]",
            "mov rdx, qword ptr [rcx + 8*rax]",
            "mov rax, qword ptr [rdx + {free}]",
            "test rax, rax",
            "je 2f",
            "cmp qword ptr [rax + 8], rdx",
            "jne 2f",
            // The order in which `slab::pop` writes: the link, then the count.
            "mov rcx, qword ptr [rax]",
            "mov qword ptr [rdx + {free}], rcx",
            "inc dword ptr [rdx + {used}]",
            "mov qword ptr [rax + 8], 0",
            "ret",
            // Larger: `STEPS` says which of `active`, which follows `direct`.
            "3:",
            "lea rcx, [rip + {steps}]",
            "cmp rdi, {fine_max}",
            "ja 4f",
            "lea rax, [rdi + {fine} - 1]",
            "shr rax, {fine_shift}",
            "movzx eax, byte ptr [rcx + rax]",
            "jmp 1b",
            "4:",
            "cmp rdi, {slab_max}",
            "ja 2f",
            "lea rax, [rdi + {coarse} - 1]",
            "shr rax, {coarse_shift}",
            "movzx eax, byte ptr [rcx + rax + {coarse_at}]",
            "jmp 1b",
            "2:",
            "mov rsi, qword ptr [rsp]",
            "mov rdx, rsp",
            "mov rcx, rbp",
            "jmp {slow}",
        )
    };
}
#[cfg(target_arch = "aarch64")]
macro_rules! pop_or {
    ($slow:path $(, $first:literal)* $(; $other:path)?) => {
        with_operands!(
            $slow $(; $other)?,
            ".p2align 6",
            $($first,)*
            "add x3, x0, #15",
            "lsr x3, x3, #4",
            "cmp x0, #{max}",
            "b.hi 3f",
            "1:",
            "mrs x2, tpidr_el0",
            "adrp x4, :gottprel:lohalloc_heap",
            "ldr x4, [x4, #:gottprel_lo12:lohalloc_heap]",
            "ldr x2, [x2, x4]",
            "ldr x2, [x2, x3, lsl #3]",
            "ldr x3, [x2, #{free}]",
            "cbz x3, 2f",
            "ldp x4, x5, [x3]",
            "cmp x5, x2",
            "b.ne 2f",
            // The order in which `slab::pop` writes: the link, then the count.
            "str x4, [x2, #{free}]",
            "ldr w4, [x2, #{used}]",
            "add w4, w4, #1",
            "str w4, [x2, #{used}]",
            "str xzr, [x3, #8]",
            "mov x0, x3",
            "ret",
            // Larger: `STEPS` says which of `active`, which follows `direct`.
            "3:",
            "adrp x4, {steps}",
            "add x4, x4, :lo12:{steps}",
            "cmp x0, #{fine_max} >> 12, lsl #12",
            "b.hi 4f",
            "add x3, x0, #{fine} - 1",
            "lsr x3, x3, #{fine_shift}",
            "ldrb w3, [x4, x3]",
            "b 1b",
            "4:",
            "cmp x0, #{slab_max} >> 12, lsl #12",
            "b.hi 2f",
            "add x3, x0, #{coarse} - 1",
            "lsr x3, x3, #{coarse_shift}",
            "add x4, x4, #{coarse_at}",
            "ldrb w3, [x4, x3]",
            "b 1b",
            "2:",
            "mov x1, x30",
            "mov x2, sp",
            "mov x3, x29",
            "b {slow}",
        )
    };
}

/// The body of `calloc`: as `pop_or`, cleared by stores that overlap in the middle. The
/// first also clears the key.
#[cfg(target_arch = "x86_64")]
macro_rules! pop_zeroed_or {
    ($slow:path) => {
        naked_asm!(
            ".p2align 6",
            "mov rax, rdi",
            "mul rsi",
            "jo 2f",
            "cmp rax, {max}",
            "ja 2f",
            "mov rcx, qword ptr [rip + lohalloc_heap@GOTTPOFF]",
            "mov rcx, qword ptr fs:[rcx]",
            "lea rdx, [rax + 15]",
            "shr rdx, 4",
            "mov rcx, qword ptr [rcx + 8*rdx]",
            "mov rax, qword ptr [rcx + {free}]",
            "test rax, rax",
            "je 2f",
            "cmp qword ptr [rax + 8], rcx",
            "jne 2f",
            "mov r8, qword ptr [rax]",
            "mov qword ptr [rcx + {free}], r8",
            "inc dword ptr [rcx + {used}]",
            "xorps xmm0, xmm0",
            "movaps xmmword ptr [rax], xmm0",
            // The size in quanta: one, two, up to four, up to eight, more.
            "cmp rdx, 1",
            "jbe 4f",
            "shl rdx, 4",
            "movaps xmmword ptr [rax + rdx - 16], xmm0",
            "cmp rdx, 32",
            "jbe 4f",
            "movaps xmmword ptr [rax + 16], xmm0",
            "movaps xmmword ptr [rax + rdx - 32], xmm0",
            "cmp rdx, 64",
            "ja 3f",
            "4:",
            "ret",
            "3:",
            "cmp rdx, {clear}",
            "ja 5f",
            "movaps xmmword ptr [rax + 32], xmm0",
            "movaps xmmword ptr [rax + 48], xmm0",
            "movaps xmmword ptr [rax + rdx - 48], xmm0",
            "movaps xmmword ptr [rax + rdx - 64], xmm0",
            "ret",
            "5:",
            "mov rdi, rax",
            "xor esi, esi",
            "jmp qword ptr [rip + memset@GOTPCREL]",
            "2:",
            "mov rdx, qword ptr [rsp]",
            "mov rcx, rsp",
            "mov r8, rbp",
            "jmp {slow}",
            max = const DIRECT_MAX,
            clear = const crate::front::alloc::CLEAR_MAX,
            free = const offset_of!(Page, free),
            used = const offset_of!(Page, used),
            slow = sym $slow,
        )
    };
}
#[cfg(target_arch = "aarch64")]
macro_rules! pop_zeroed_or {
    ($slow:path) => {
        naked_asm!("mov x2, x30", "mov x3, sp", "mov x4, x29", "b {slow}", slow = sym $slow)
    };
}

/// The body of `free`: pushes the block on the free list of its page, if the calling
/// thread's heap owns the page, the address is where a block starts, and the block does
/// not look freed. The same as `free::free`, which says why it is sound.
#[cfg(target_arch = "x86_64")]
macro_rules! push_or_slow {
    ($elsewhere:path) => {
        naked_asm!(
            ".p2align 6",
            // The page map: page = header(block).
            "mov rax, rdi",
            "shr rax, {upper_shift}",
            "cmp eax, {upper_last}",
            "ja 2f",
            "lea rcx, [rip + {map}]",
            "mov rdx, qword ptr [rcx + 8*rax + {upper}]",
            "add rdx, rcx",
            "mov eax, edi",
            "shr eax, {slice_shift}",
            "add rcx, qword ptr [rdx + 8*rax + {nothing}]",
            // Ours?
            "mov rax, qword ptr [rip + lohalloc_heap@GOTTPOFF]",
            "mov rax, qword ptr fs:[rax]",
            "cmp qword ptr [rcx + {owner}], rax",
            "jne 4f",
            // A block's start?
            "mov rax, rdi",
            "sub rax, qword ptr [rcx + {base}]",
            "imul rax, qword ptr [rcx + {magic}]",
            "cmp rax, qword ptr [rcx + {magic}]",
            "jae 2f",
            // Freed already?
            "cmp qword ptr [rdi + 8], rcx",
            "je 2f",
            // The order in which `slab::push` writes: link, key, list, count.
            "mov rax, qword ptr [rcx + {free}]",
            "mov qword ptr [rdi], rax",
            "mov qword ptr [rdi + 8], rcx",
            "mov qword ptr [rcx + {free}], rdi",
            "dec dword ptr [rcx + {used}]",
            "je 3f",
            "ret",
            // A cold page of ours: the same, but compares with the last freed block.
            "4:",
            "or rax, {cold}",
            "cmp qword ptr [rcx + {owner}], rax",
            "jne 5f",
            "mov rax, rdi",
            "sub rax, qword ptr [rcx + {base}]",
            "imul rax, qword ptr [rcx + {magic}]",
            "cmp rax, qword ptr [rcx + {magic}]",
            "jae 2f",
            "mov rax, qword ptr [rcx + {free}]",
            "cmp rax, rdi",
            "je 2f",
            "mov qword ptr [rdi], rax",
            "mov qword ptr [rdi + 8], rcx",
            "mov qword ptr [rcx + {free}], rdi",
            "dec dword ptr [rcx + {used}]",
            "je 3f",
            "ret",
            "2:",
            "jmp {slow}",
            "3:",
            "mov rdi, rcx",
            "jmp {emptied}",
            "5:",
            "mov rsi, rcx",
            "jmp {elsewhere}",
            map = sym map::MAP,
            upper_shift = const map::UPPER_SHIFT,
            upper_last = const map::UPPER_LAST,
            upper = const map::UPPER_OFFSET,
            slice_shift = const map::SLICE_SHIFT,
            nothing = const map::NOTHING_OFFSET,
            owner = const offset_of!(Page, owner),
            cold = const map::COLD,
            base = const offset_of!(Page, base),
            magic = const offset_of!(Page, magic),
            free = const offset_of!(Page, free),
            used = const offset_of!(Page, used),
            slow = sym free::slow,
            elsewhere = sym $elsewhere,
            emptied = sym free::emptied,
        )
    };
}
#[cfg(target_arch = "aarch64")]
macro_rules! push_or_slow {
    ($elsewhere:path) => {
        naked_asm!(
            ".p2align 6",
            // The page map: page = header(block).
            "lsr x1, x0, #{upper_shift}",
            "lsr x2, x0, #48",
            "cbnz x2, 2f",
            "adrp x2, {map}",
            "add x2, x2, :lo12:{map}",
            "add x1, x2, x1, lsl #3",
            "ldr x1, [x1, #{upper}]",
            // Beside the load, not behind it.
            "ubfx x3, x0, #{slice_shift}, #16",
            "add x3, x2, x3, lsl #3",
            "add x3, x3, #{nothing_high}, lsl #12",
            "add x1, x1, x3",
            "ldr x1, [x1, #{nothing_low}]",
            "add x1, x1, x2",
            // Ours?
            "mrs x2, tpidr_el0",
            "adrp x3, :gottprel:lohalloc_heap",
            "ldr x3, [x3, #:gottprel_lo12:lohalloc_heap]",
            "ldr x2, [x2, x3]",
            "ldr x3, [x1, #{owner}]",
            "cmp x2, x3",
            "b.ne 4f",
            // A block's start?
            "ldr x2, [x1, #{base}]",
            "ldr x3, [x1, #{magic}]",
            "sub x2, x0, x2",
            "mul x2, x2, x3",
            "cmp x2, x3",
            "b.hs 2f",
            // Freed already?
            "ldr x2, [x0, #8]",
            "cmp x2, x1",
            "b.eq 2f",
            // The order in which `slab::push` writes: link, key, list, count.
            "ldr x2, [x1, #{free}]",
            "stp x2, x1, [x0]",
            "str x0, [x1, #{free}]",
            "ldr w2, [x1, #{used}]",
            "subs w2, w2, #1",
            "str w2, [x1, #{used}]",
            "b.eq 3f",
            "ret",
            // A cold page of ours: the same, but compares with the last freed block.
            "4:",
            "orr x2, x2, #{cold}",
            "cmp x2, x3",
            "b.ne {elsewhere}",
            "ldr x2, [x1, #{base}]",
            "ldr x3, [x1, #{magic}]",
            "sub x2, x0, x2",
            "mul x2, x2, x3",
            "cmp x2, x3",
            "b.hs 2f",
            "ldr x2, [x1, #{free}]",
            "cmp x2, x0",
            "b.eq 2f",
            "stp x2, x1, [x0]",
            "str x0, [x1, #{free}]",
            "ldr w2, [x1, #{used}]",
            "subs w2, w2, #1",
            "str w2, [x1, #{used}]",
            "b.eq 3f",
            "ret",
            "2:",
            "b {slow}",
            "3:",
            "mov x0, x1",
            "b {emptied}",
            map = sym map::MAP,
            upper_shift = const map::UPPER_SHIFT,
            upper = const map::UPPER_OFFSET,
            slice_shift = const map::SLICE_SHIFT,
            nothing_low = const map::NOTHING_OFFSET & 0xfff,
            nothing_high = const map::NOTHING_OFFSET >> 12,
            owner = const offset_of!(Page, owner),
            cold = const map::COLD,
            base = const offset_of!(Page, base),
            magic = const offset_of!(Page, magic),
            free = const offset_of!(Page, free),
            used = const offset_of!(Page, used),
            slow = sym free::slow,
            elsewhere = sym $elsewhere,
            emptied = sym free::emptied,
        )
    };
}

/// Allocates `size` bytes at a multiple of 16. The block's content is undefined.
///
/// Returns a block that is unlike every other block in use, also for a size of 0; or
/// NULL with errno ENOMEM if there is no memory or `size` is above PTRDIFF_MAX. Any
/// thread; free it with lohalloc_free or free.
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lohalloc_malloc(size: usize) -> *mut c_void {
    pop_or!(lohalloc_malloc_slow)
}

/// Makes a block `size` bytes long. Its bytes up to the smaller of both sizes stay; so do
/// all that lohalloc_usable_size has promised. The block may move.
///
/// For NULL, as lohalloc_malloc. For a size of 0, frees the block and returns NULL.
/// Returns NULL with ENOMEM if there is no memory: the block is then as it was.
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lohalloc_realloc(block: *mut c_void, size: usize) -> *mut c_void {
    // Interpreters allocate by a realloc of NULL.
    #[cfg(target_arch = "x86_64")]
    pop_or!(lohalloc_malloc_slow, "test rdi, rdi", "jne {other}", "mov rdi, rsi"; resize_entry);
    #[cfg(target_arch = "aarch64")]
    pop_or!(lohalloc_malloc_slow, "cbz x0, 9f", "b {other}", "9:", "mov x0, x1"; resize_entry)
}

/// Allocates `count * size` bytes that are all zero, at a multiple of 16. Memory that is
/// fresh from the system is not touched.
///
/// Returns as lohalloc_malloc; also NULL with ENOMEM if the product overflows.
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lohalloc_calloc(count: usize, size: usize) -> *mut c_void {
    pop_zeroed_or!(calloc_slow)
}

/// `operator new(size_t)`.
///
/// cbindgen:ignore
#[unsafe(naked)]
#[unsafe(no_mangle)]
unsafe extern "C" fn lohalloc_new(size: usize) -> *mut c_void {
    pop_or!(new_slow)
}

/// Frees a block. NULL does nothing. Any thread. Keeps errno.
///
/// A pointer that is no block in use is undefined behaviour; where it can be told (most
/// double frees, pointers into blocks, the stack, static data), one line on standard
/// error says so and the process ends by SIGABRT.
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lohalloc_free(block: *mut c_void) {
    push_or_slow!(free::elsewhere)
}

/// `operator delete(void *)`.
///
/// cbindgen:ignore
#[unsafe(naked)]
#[unsafe(no_mangle)]
unsafe extern "C" fn lohalloc_delete(block: *mut c_void) {
    push_or_slow!(delete_elsewhere)
}
