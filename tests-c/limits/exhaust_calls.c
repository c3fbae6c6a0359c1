/*
 * calloc, the aligned calls and realloc end with NULL and ENOMEM under RLIMIT_AS and under RLIMIT_DATA.
 * only: lohalloc
 */
#include "../lib/limits.h"

static void *get_calloc(size_t size)
{
    char *block = calloc(1, size);
    if (block && !all_zero(block, size))
        FAIL("calloc of %zu bytes is not zero", size);
    return block;
}

static size_t alignment;

static void *get_aligned(size_t size)
{
    char *block = aligned_alloc(alignment, size);
    CHECK((uintptr_t)block % alignment == 0);
    return block;
}

static void *get_posix(size_t size)
{
    void *block = (void *)1;
    int error = posix_memalign(&block, alignment, size);
    CHECK(error == 0 || (error == ENOMEM && block == (void *)1));
    errno = error;
    return error ? NULL : block;
}

/* A block that grows in steps to `size`; what it had before a refusal stays and is freed. */
static void *get_realloc(size_t size)
{
    char *block = NULL, *longer;
    size_t had = 0, kept = 0;
    while (had < size) {
        size_t now = had < size / 8 ? size / 8 + 16 : had * 2 < size ? had * 2 : size;
        longer = realloc(block, now);
        if (!longer) {
            int error = errno;
            CHECK(filled_part(block, kept, kept, 5));
            free(block);
            errno = error;
            return NULL;
        }
        CHECK(filled_part(longer, kept, kept, 5));
        block = longer;
        had = now;
        kept = now < 4096 ? now : 4096;
        fill(block, kept, 5);
    }
    return block;
}

int main(void)
{
    static const struct {
        int resource;
        size_t limit, size, alignment;
        void *(*get)(size_t);
    } cases[] = {
        {RLIMIT_AS, 5 * MIB, 300, 0, get_calloc},
        {RLIMIT_DATA, 40 * MIB, 9 * MIB, 0, get_calloc},
        {RLIMIT_AS, 40 * MIB, 17 * MIB, 0, get_calloc},
        {RLIMIT_AS, 5 * MIB, 4096, 4096, get_aligned},
        {RLIMIT_DATA, 5 * MIB, 4000, 512, get_posix},
        {RLIMIT_AS, 40 * MIB, 5 * MIB, 4 * MIB, get_posix},
        {RLIMIT_DATA, 40 * MIB, 5 * MIB, 64 * KIB, get_aligned},
        {RLIMIT_AS, 5 * MIB, 700, 0, get_realloc},
        {RLIMIT_DATA, 5 * MIB, 50 * KIB, 0, get_realloc},
        {RLIMIT_AS, 40 * MIB, 2 * MIB, 0, get_realloc},
        {RLIMIT_DATA, 80 * MIB, 20 * MIB, 0, get_realloc},
    };
    free(malloc(100));
    thread_works(64 * KIB);
    for (size_t i = 0; i < COUNT(cases); i++) {
        pid_t child = fork();
        if (child) {
            check_child(child);
            continue;
        }
        limit_to(cases[i].resource, cases[i].limit);
        alignment = cases[i].alignment;
        exhaust(cases[i].size, cases[i].limit, cases[i].get, 64 * KIB);
        _exit(0);
    }
    return 0;
}
