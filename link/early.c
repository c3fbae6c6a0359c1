/* Code may allocate before the loader has copied the first values of thread-local words: functions of
 * the program that choose other functions (IFUNC) run while it is relocated. Until then the word of
 * the first thread is 0, and no heap lies there. So the loader is given a function to choose here,
 * too: it comes to this library before it comes to the program. */
#include <features.h>
#ifdef __GLIBC__
extern __attribute__((visibility("hidden"), tls_model("initial-exec"))) __thread void *lohalloc_heap;
extern __attribute__((visibility("hidden"))) char lohalloc_no_heap[];

static void nothing(void)
{
}

__attribute__((used)) static void (*choose(void))(void)
{
    if (!lohalloc_heap)
        lohalloc_heap = lohalloc_no_heap;
    return nothing;
}

static void chosen(void) __attribute__((ifunc("choose")));
/* Called among the constructors, and kept by the linker because of that. */
__attribute__((used, section(".init_array"))) static void (*const call)(void) = chosen;
#endif
