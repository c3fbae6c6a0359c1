/*
 * A program whose mmap and munmap look the real ones up at their first call, as shims do, works.
 * flags: -rdynamic
 */
#include "../lib/churn.h"
#include <dlfcn.h>

static __thread int depth;

void *mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset)
{
    static void *(*next)(void *, size_t, int, int, int, off_t);
    /* A call from within the look-up would never end. */
    CHECK(depth++ < 3);
    if (!next)
        next = (void *(*)(void *, size_t, int, int, int, off_t))dlsym(RTLD_NEXT, "mmap");
    CHECK(next);
    void *block = malloc(200);
    void *answer = next(address, size, protection, flags, fd, offset);
    free(block);
    depth--;
    return answer;
}

int munmap(void *address, size_t size)
{
    static int (*next)(void *, size_t);
    CHECK(depth++ < 3);
    if (!next)
        next = (int (*)(void *, size_t))dlsym(RTLD_NEXT, "munmap");
    CHECK(next);
    free(hide(calloc(1, 100)));
    int answer = next(address, size);
    depth--;
    return answer;
}

int main(void)
{
    churn_once(1, 3000);
    for (size_t size = MIB; size < 100 * MIB; size *= 2)
        free(hide(malloc(size)));
    void *block = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(block != MAP_FAILED && munmap(block, 4096) == 0);
    return 0;
}
