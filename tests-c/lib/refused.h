/*
 * A program from which one system call is taken away in the middle of its work.
 */
#ifndef REFUSED_H
#define REFUSED_H
#include "exhaust.h"
#include "seccomp.h"

static void work_without(int call, enum way way, size_t before, unsigned least)
{
    struct taken taken = taken_new(400000);
    CHECK(take(&taken, way, before));
    refuse(call, least);
    for (int turn = 0; turn < 2; turn++) {
        free_taken(&taken);
        CHECK(take(&taken, MIXED, 6 * MIB));
        for (size_t size = MIB; size < 25 * MIB; size *= 3) {
            char *block = malloc(size);
            CHECK(block);
            fill(block, size, size);
            char *longer = realloc(block, 2 * size);
            CHECK(longer && filled_part(longer, size, size, size));
            char *shorter = realloc(longer, size / 3);
            CHECK(shorter && filled_part(shorter, size, size / 3, size));
            free(shorter);
            block = calloc(1, size);
            CHECK(block && all_zero(block, size));
            free(block);
        }
    }
    free_taken(&taken);
    _exit(0);
}

/* Every request is served though `call` is refused with ENOMEM, whenever that begins. */
__attribute__((unused)) static int goes_on_without(int call)
{
    static const size_t moments[] = {1, 5 * MIB};
    static const unsigned sizes[] = {0, 4 * MIB};
    for (size_t i = 0; i < COUNT(moments); i++)
        for (size_t k = 0; k < COUNT(sizes); k++) {
            pid_t child = fork();
            if (child == 0)
                work_without(call, (enum way)(i + 2 * k), moments[i], sizes[k]);
            check_child(child);
        }
    return 0;
}

#endif
