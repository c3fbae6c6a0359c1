/*
 * A program that defines mmap, munmap, mremap, mprotect and madvise and allocates inside them works.
 */
#include "../lib/churn.h"
#include <stdarg.h>
#include <sys/syscall.h>

static __thread int inside;

static void enter(void)
{
    if (inside)
        return;
    inside = 1;
    for (size_t size = 1; size < 200000; size *= 3) {
        void *block = calloc(1, size);
        CHECK(block);
        free(block);
    }
    inside = 0;
}

void *mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset)
{
    enter();
    return (void *)syscall(SYS_mmap, address, size, protection, flags, fd, offset);
}

int munmap(void *address, size_t size)
{
    enter();
    return (int)syscall(SYS_munmap, address, size);
}

void *mremap(void *address, size_t old, size_t size, int flags, ...)
{
    va_list list;
    va_start(list, flags);
    void *target = va_arg(list, void *);
    va_end(list);
    enter();
    return (void *)syscall(SYS_mremap, address, old, size, flags, target);
}

int mprotect(void *address, size_t size, int protection)
{
    enter();
    return (int)syscall(SYS_mprotect, address, size, protection);
}

int madvise(void *address, size_t size, int advice)
{
    enter();
    return (int)syscall(SYS_madvise, address, size, advice);
}

static void *body(void *argument)
{
    churn_once((uint64_t)argument, 3000);
    for (int turn = 0; turn < 10; turn++) {
        char *block = malloc(8 * MIB);
        CHECK(block);
        block = realloc(block, 32 * MIB);
        CHECK(block);
        free(block);
    }
    return NULL;
}

int main(void)
{
    body((void *)1);
    for (size_t i = 0; i < 5; i++)
        run_thread_body(body, (void *)i);
    void *block = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(block != MAP_FAILED && munmap(block, 4096) == 0);
    return 0;
}
