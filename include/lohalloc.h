/*
 * lohalloc: a malloc replacement.
 *
 * Most programs need no line of this file. They get the allocator under the usual names, malloc,
 * free, operator new and so on, in one of three ways:
 *
 *   preloaded     LD_PRELOAD=/usr/local/lib/liblohalloc.so program
 *   linked        cc program.c $(pkg-config --cflags --libs lohalloc)
 *   linked in     cc program.c /usr/local/lib/liblohalloc.a
 *
 * The file declares what the library offers beside those names: the same functions under names of
 * their own, and what it can tell about itself. Sizes are in bytes throughout.
 *
 * The same heap. lohalloc_malloc and malloc hand out the same blocks; what one of them gave may be
 * given back by free, lohalloc_free, realloc or lohalloc_realloc. A program that has a malloc of its
 * own can use the lohalloc_ names beside it, and must then keep the two apart.
 *
 * Threads. Every function may be called from every thread, at any time: before main, in
 * constructors and destructors, while a thread ends, in the child of a fork. A block may be freed by
 * another thread than the one that got it. No function here may be called from a signal handler,
 * except lohalloc_version.
 *
 * Errors. A function that cannot get memory returns NULL and sets errno to ENOMEM, as do sizes over
 * PTRDIFF_MAX and products that overflow. lohalloc_posix_memalign and lohalloc_stats return the error
 * number instead. Every other answer is that of glibc: malloc(0) gives a block of its own, and
 * realloc(block, 0) frees the block and returns NULL. Every block is aligned to 16 bytes. A call that
 * succeeds leaves errno alone.
 *
 * Names. Beside malloc, free, calloc, realloc, reallocarray, posix_memalign, aligned_alloc, memalign,
 * valloc, pvalloc and malloc_usable_size, which do what their twins here do, the library defines
 *
 *   free_sized, free_aligned_sized
 *                   C23's: lohalloc_free_sized, lohalloc_free_aligned_sized
 *   cfree           free
 *   malloc_size, malloc_good_size
 *                   as on macOS: lohalloc_usable_size, lohalloc_good_size
 *   __libc_malloc and its kin
 *                   glibc's own names of malloc, free, calloc, realloc, memalign, valloc, pvalloc,
 *                   mallinfo and mallopt
 *   operator new and delete
 *                   all forms, by libstdc++'s rules: a form that a program replaces is called by the
 *                   forms that are made of it. The aligned forms want a power of two, else they fail
 *                   as without memory.
 *   operator new(..., __hot_cold_t), __size_returning_new and its kin
 *                   as LLVM and libc++ call them; the hint has no effect. The size returned may be
 *                   used whole. Freed by the operator delete that fits the form without the hint.
 *
 * and what <malloc.h> declares to look at glibc's heap, told of this one:
 *
 *   mallinfo2       arena: held for all blocks but those with a mapping of their own. uordblks: the
 *                   part of it in blocks that the program has; fordblks: the rest. hblks, hblkhd:
 *                   blocks with a mapping of their own (above 16 MiB), which the program has, and
 *                   their bytes. ordblks: free blocks. keepcost: the part of fordblks that waits in
 *                   no page of blocks. smblks, fsmblks, usmblks: 0. So the program has
 *                   uordblks + hblkhd, and arena + hblkhd is held for it. Blocks are counted whole,
 *                   as lohalloc_usable_size tells them. Exact of threads that stand still; what
 *                   others do meanwhile may be counted or not.
 *   mallinfo        the same; what does not fit into an int is INT_MAX.
 *   malloc_info     the same as XML of glibc's form, as one heap. 0; EINVAL if the options are not 0
 *                   or the stream is NULL; EIO if the stream does not take it.
 *   malloc_stats    the same on stderr, as text of glibc's form.
 *   malloc_trim     gives back what is kept for later; the argument has no effect. 1 if anything went
 *                   back to the system, else 0.
 *   mallopt         takes M_MXFAST (0 to 160), M_MMAP_THRESHOLD (0 to 32 MiB), M_TRIM_THRESHOLD,
 *                   M_TOP_PAD, M_MMAP_MAX, M_CHECK_ACTION, M_PERTURB, M_ARENA_TEST, M_ARENA_MAX,
 *                   M_NLBLKS, M_GRAIN and M_KEEP, and returns 1; 0 for other parameters and values.
 *                   None has an effect.
 *
 * All may be called from every thread at any time. They go through the whole heap, so the figures
 * take less than a millisecond a gigabyte. A program may define any of these names itself, but for those
 * of the first list when it is linked with the static library.
 *
 * Misuse. A block that is freed twice, an address inside a block, an address that nobody gave out, a
 * block freed as longer than it is: one line on standard error that says which, then SIGABRT.
 *
 * Environment. Read once at start; ignored in a set-user-ID program. An unknown name or a value that
 * makes no sense gives one line on standard error and is ignored.
 *
 *   LOHALLOC_STATS=1        one line on standard error at exit: blocks served, memory mapped
 *   LOHALLOC_STATS=FILE     the same line, appended to FILE
 *   LOHALLOC_VERBOSE=1      one line on standard error at start: version, mode, limits
 *   LOHALLOC_OPTIONS=name:value,...
 *     force:none            choose the backend by size (default)
 *     force:slab            serve all that fits from slab pages
 *     force:buddy           serve all that fits from spans
 *     force:system          serve all from the operating system
 *     scavenger:off         no thread of the library's own (default)
 *     scavenger:on          a thread gives back what has long been free
 *     help                  write these to standard error
 *   LOHALLOC_MODEL, LOHALLOC_TRAIN, LOHALLOC_TRACE, LOHALLOC_CONTROL
 *                           reserved; accepted and ignored
 *
 * This file is generated from the library's source by `make header`.
 */


#ifndef LOHALLOC_H
#define LOHALLOC_H

#include <stddef.h>

// C23's, for a libc that does not declare them; see lohalloc_free_sized.
#ifdef __cplusplus
extern "C" {
void free_sized(void *block, size_t size) noexcept;
void free_aligned_sized(void *block, size_t align, size_t size) noexcept;
}
#else
void free_sized(void *block, size_t size);
void free_aligned_sized(void *block, size_t align, size_t size);
#endif


// Figures about the whole process, in bytes or counts.
struct lohalloc_stats {
    // Bytes of address space reserved from the system for blocks.
    size_t mapped_bytes;
    // Bytes in spans that hold live pages or large blocks.
    size_t span_bytes;
    // Bytes that are free and probably resident.
    size_t dirty_bytes;
    // Bytes given back to the system since the start.
    size_t purged_bytes;
    // Blocks put on free lists, or given out, at refills since the start: proof that the
    // library serves. Calls are not counted.
    size_t blocks_handed;
    // Pages of small blocks that threads' heaps hold.
    size_t pages;
    // Blocks with a span of their own.
    size_t large_blocks;
    // Blocks with a mapping of their own.
    size_t system_blocks;
    // Threads' heaps, those of ended threads included.
    size_t heaps;
    // Heaps whose thread has ended.
    size_t heaps_dead;
};

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Allocates `size` bytes at a multiple of 16. The block's content is undefined.
//
// Returns a block that is unlike every other block in use, also for a size of 0; or
// NULL with errno ENOMEM if there is no memory or `size` is above PTRDIFF_MAX. Any
// thread; free it with lohalloc_free or free.
void *lohalloc_malloc(size_t size);

// Makes a block `size` bytes long. Its bytes up to the smaller of both sizes stay; so do
// all that lohalloc_usable_size has promised. The block may move.
//
// For NULL, as lohalloc_malloc. For a size of 0, frees the block and returns NULL.
// Returns NULL with ENOMEM if there is no memory: the block is then as it was.
void *lohalloc_realloc(void *block, size_t size);

// Allocates `count * size` bytes that are all zero, at a multiple of 16. Memory that is
// fresh from the system is not touched.
//
// Returns as lohalloc_malloc; also NULL with ENOMEM if the product overflows.
void *lohalloc_calloc(size_t count, size_t size);

// Frees a block. NULL does nothing. Any thread. Keeps errno.
//
// A pointer that is no block in use is undefined behaviour; where it can be told (most
// double frees, pointers into blocks, the stack, static data), one line on standard
// error says so and the process ends by SIGABRT.
void lohalloc_free(void *block);

// As lohalloc_realloc with a size of `count * size`; NULL with ENOMEM if that overflows.
void *lohalloc_reallocarray(void *block, size_t count, size_t size);

// Bytes that the caller may use of a block: what was asked for, or more. The same for
// as long as the block lives and is not reallocated. 0 for NULL.
size_t lohalloc_usable_size(void *block);

// Allocates `size` bytes at a multiple of `align`, a power of two that is a multiple of
// sizeof(void *), and stores the block in `*out`.
//
// Returns 0; EINVAL for another alignment, ENOMEM if there is no memory. `*out` and
// errno are left alone then.
int lohalloc_posix_memalign(void **out, size_t align, size_t size);

// Allocates `size` bytes at a multiple of `align`; an alignment that is no power of two
// counts as the next one, as in glibc. `size` need not be a multiple of it.
//
// Returns as lohalloc_malloc; NULL with EINVAL if `align` is above the largest power of
// two.
void *lohalloc_aligned_alloc(size_t align, size_t size);

// The older name of lohalloc_aligned_alloc.
void *lohalloc_memalign(size_t align, size_t size);

// Allocates `size` bytes at a multiple of the OS page. Returns as lohalloc_malloc.
void *lohalloc_valloc(size_t size);

// Allocates whole OS pages that hold `size` bytes. Returns as lohalloc_malloc.
void *lohalloc_pvalloc(size_t size);

// Frees a block of lohalloc_malloc, lohalloc_calloc or lohalloc_realloc whose size the
// caller knows. NULL does nothing. Any thread. Keeps errno.
//
// `size` is what was asked for. A block that is shorter than that is undefined
// behaviour; it is told as other misuse is. A `size` that is too small is not noticed.
void lohalloc_free_sized(void *block, size_t size);

// As lohalloc_free_sized, for a block of lohalloc_aligned_alloc. An address that is no
// multiple of `align` is told, too.
void lohalloc_free_aligned_sized(void *block, size_t align, size_t size);

// Bytes in the block that lohalloc_malloc makes for `size` bytes: what
// lohalloc_usable_size will say, or less. To ask for as much costs no more memory.
// `size` itself if it is above PTRDIFF_MAX. Any thread.
size_t lohalloc_good_size(size_t size);

// The version of the library, such as "0.1.0". A constant string.
const char *lohalloc_version(void);

// 1 if `address` lies in memory that the library manages for blocks, else 0. Never
// touches what the address points to. Any thread.
int lohalloc_owns(const void *address);

// Fills `*out` with figures about the process at this moment. `size` is
// sizeof(struct lohalloc_stats) as the caller was compiled: later versions add fields at
// the end.
//
// Returns 0; EINVAL if `out` is NULL, or `size` 0 or more than any version's struct
// (4096), and then writes nothing. Any thread.
int lohalloc_stats(struct lohalloc_stats *out, size_t size);

// Gives free memory back to the system: all that is free in the calling thread's pages, in
// pages without an owner, in spans and in mappings that were kept. The OS pages of a
// page in use go back where they hold no block. Other threads do the same for their pages
// the next time they look for one.
//
// Returns how many bytes went back. Any thread.
size_t lohalloc_purge(void);

// Begins to learn which calls' blocks live how long, from nothing. A model that is followed is
// left aside meanwhile. LOHALLOC_TRAIN in the environment does the same at the start.
//
// Returns 0, or ENOMEM (also in errno), and then changes nothing. Any thread.
int lohalloc_train_start(void);

// Stops learning, and follows the model again that was followed before, if any. What was
// learned stays, for lohalloc_freeze and lohalloc_model_save.
//
// Returns 0, or EINVAL (also in errno) if nothing is being learned. Any thread.
int lohalloc_train_stop(void);

// Makes a model of what was learned so far, and follows it from now on. Learning stops; if
// LOHALLOC_TRAIN in the environment names a file, the model is written there, too, which says in a
// line if it cannot be. May be called again and again, while threads go on. Takes some
// milliseconds, and some 6 MiB for them.
//
// Returns 0, or ENOMEM (also in errno) if there is no memory, or nothing was ever learned: the
// mode is then as it was. Any thread.
int lohalloc_freeze(void);

// Forgets what was learned so far. Learning goes on, from nothing. Any thread.
void lohalloc_reset_training(void);

// Writes what was learned so far to the file `path`. If there is a model in it, both add up; a
// damaged one is replaced. It is replaced whole: at no moment is it missing, or half written.
//
// Returns 0, or an error number (also in errno): EINVAL if `path` is NULL or leads to no regular
// file, EEXIST if something else than a model is in it, EFBIG if it is longer than a model may
// be, ENOMEM if there is no memory or nothing was ever learned, or that of the system. The file is then as it was. Any
// thread.
int lohalloc_model_save(const char *path);

// Reads the model in the file `path`, and follows it from now on. Learning stops. LOHALLOC_MODEL
// in the environment does the same at the start.
//
// Returns 0, or an error number (also in errno): EINVAL if `path` is NULL or leads to no regular
// file, EBADMSG if it is no model or a damaged one, ENOTSUP if it is one of another version of the
// library, ENOEXEC if it is one of another program, ENOMEM, or that of the system. The mode is
// then as it was. Any thread.
int lohalloc_model_load(const char *path);

// What the library does with what it sees of calls: 0 nothing, 1 it learns, 2 it follows a
// model. Any thread.
int lohalloc_mode(void);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* LOHALLOC_H */
