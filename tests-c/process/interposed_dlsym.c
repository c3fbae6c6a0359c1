/*
 * A program that defines mmap, munmap, madvise, open and read, and finds the real ones by dlsym inside, works.
 */
#include "../lib/churn.h"
#include <dlfcn.h>
#include <stdarg.h>

static __thread int inside;
static unsigned long calls;

/* As wrappers are commonly written: looked up at each call, with an allocation beside it. */
static void *real(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    CHECK(found);
    if (!inside) {
        inside = 1;
        char *text = strdup(name);
        /* A failed look-up makes an error text, which is kept for the thread. */
        CHECK(dlsym(RTLD_NEXT, "no_such_name") == NULL && dlerror());
        free(text);
        inside = 0;
    }
    __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED);
    return found;
}

void *mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset)
{
    return ((void *(*)(void *, size_t, int, int, int, off_t))real("mmap"))(address, size, protection,
                                                                          flags, fd, offset);
}

int munmap(void *address, size_t size)
{
    return ((int (*)(void *, size_t))real("munmap"))(address, size);
}

int madvise(void *address, size_t size, int advice)
{
    return ((int (*)(void *, size_t, int))real("madvise"))(address, size, advice);
}

int open(const char *path, int flags, ...)
{
    va_list list;
    va_start(list, flags);
    mode_t mode = va_arg(list, mode_t);
    va_end(list);
    return ((int (*)(const char *, int, mode_t))real("open"))(path, flags, mode);
}

ssize_t read(int fd, void *bytes, size_t size)
{
    return ((ssize_t(*)(int, void *, size_t))real("read"))(fd, bytes, size);
}

static void *body(void *argument)
{
    churn_once((uint64_t)argument, 2000);
    for (size_t size = MIB; size < 64 * MIB; size *= 2) {
        char *block = malloc(size);
        CHECK(block);
        touch(block, size);
        CHECK(block = realloc(block, size * 2));
        free(block);
    }
    return NULL;
}

int main(void)
{
    alarm(20);
    body((void *)1);
    for (size_t i = 0; i < 5; i++)
        run_thread_body(body, (void *)i);
    malloc_trim(0);
    CHECK(resident() > 0);
    void *block = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(block != MAP_FAILED && madvise(block, 4096, MADV_DONTNEED) == 0 && munmap(block, 4096) == 0);
    CHECK(calls > 3);
    return 0;
}
