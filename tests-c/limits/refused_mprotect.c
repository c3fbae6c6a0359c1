/*
 * Where mprotect is refused with ENOMEM from some moment on, memory ends with NULL and ENOMEM, and no byte is lost.
 */
#include "../lib/exhaust.h"
#include "../lib/seccomp.h"

static void body(enum way way, size_t before, unsigned least)
{
    struct taken taken = taken_new(400000);
    CHECK(take(&taken, way, before));
    /* Some of it is free when the call begins to be refused. */
    for (size_t i = taken.count / 2; i < taken.count; i++)
        free(taken.blocks[i]);
    taken.count /= 2;
    refuse(SYS_mprotect, least);
    take(&taken, MIXED, taken.bytes + 6 * MIB);
    check_taken(&taken);
    free_taken(&taken);
    CHECK(way != SMALL || take(&taken, SMALL, before / 4));
    free_taken(&taken);
    _exit(0);
}

int main(void)
{
    static const size_t moments[] = {1, 100 * KIB, MIB, 8 * MIB};
    static const unsigned sizes[] = {0, 128 * KIB, 4 * MIB};
    for (size_t i = 0; i < COUNT(moments) * COUNT(sizes); i++) {
        pid_t child = fork();
        if (child == 0)
            body((enum way)(i % WAYS), moments[i / COUNT(sizes)], sizes[i % COUNT(sizes)]);
        check_child(child);
    }
    return 0;
}
