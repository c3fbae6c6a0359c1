/*
 * A block of libc's own heap that lies behind the stack of a thread or a coroutine can be freed there.
 */
#include "../lib/test.h"
#include <dlfcn.h>
#include <ucontext.h>

static void *(*libc_malloc)(size_t);
static ucontext_t back, coroutine;
static void *block;

static void *body(void *argument)
{
    free(argument);
    return NULL;
}

static void free_block(void)
{
    CHECK(malloc_usable_size(block) >= 200000);
    free(block);
}

/* A stack that ends where the block's mapping begins. */
static char *stack_below(void *mapped, size_t size)
{
    char *wanted = (char *)((uintptr_t)mapped / 4096 * 4096 - size);
    char *stack = mmap(wanted, size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    return stack == MAP_FAILED ? NULL : stack;
}

int main(void)
{
    size_t size = 256 * KIB, done = 0;
    void *libc = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
    CHECK(libc && (libc_malloc = (void *(*)(size_t))dlsym(libc, "malloc")));
    int (*tell_libc)(int, int) = (int (*)(int, int))dlsym(libc, "mallopt");
    CHECK(tell_libc && tell_libc(M_MMAP_THRESHOLD, 128 * 1024) == 1);
    for (int turn = 0; turn < 20; turn++) {
        CHECK(block = libc_malloc(200000));
        char *stack = stack_below(block, size);
        if (!stack)
            continue;
        done++;
        if (turn % 2) {
            pthread_attr_t attributes;
            pthread_t thread;
            pthread_attr_init(&attributes);
            CHECK(pthread_attr_setstack(&attributes, stack, size) == 0);
            CHECK(pthread_create(&thread, &attributes, body, block) == 0);
            pthread_join(thread, NULL);
        } else {
            CHECK(getcontext(&coroutine) == 0);
            coroutine.uc_stack.ss_sp = stack;
            coroutine.uc_stack.ss_size = size;
            coroutine.uc_link = &back;
            makecontext(&coroutine, free_block, 0);
            CHECK(swapcontext(&back, &coroutine) == 0);
        }
        munmap(stack, size);
    }
    CHECK(done > 5);
    return 0;
}
