/* What does it cost to make blocks longer: by doubling, step by step, and as a program's vectors do,
 * many at a time? What is new is written to.
 *
 *   growth double|step|vector */
#include "work.h"

#define VECTORS 200

static char *longer(char *p, size_t from, size_t to) {
    char *q = realloc(p, to);
    if (!q)
        exit(1);
    for (size_t at = from; at < to; at += 4096)
        *(volatile char *)(q + at) = 1;
    q[to - 1] = 1;
    return q;
}

static void doubling(void) {
    for (int turn = 0; turn < 3000; turn++) {
        char *p = take(64);
        for (size_t size = 64; size < 4 * MIB; size *= 2)
            p = longer(p, size, 2 * size);
        free(p);
    }
}

static void stepping(void) {
    for (int turn = 0; turn < 6000; turn++) {
        char *p = take(4 * KIB);
        for (size_t size = 4 * KIB; size < MIB; size += 4 * KIB)
            p = longer(p, size, size + 4 * KIB);
        free(p);
    }
}

static void vectors(void) {
    uint64_t random = 1;
    for (int turn = 0; turn < 8; turn++) {
        uint64_t *items[VECTORS] = {0};
        size_t count[VECTORS] = {0}, room[VECTORS] = {0};
        for (int i = 0; i < 1000000; i++) {
            size_t v = below(&random, VECTORS);
            if (count[v] == room[v]) {
                room[v] = room[v] ? 2 * room[v] : 4;
                items[v] = realloc(items[v], room[v] * sizeof *items[v]);
                if (!items[v])
                    exit(1);
            }
            items[v][count[v]++] = random;
        }
        for (int v = 0; v < VECTORS; v++)
            free(items[v]);
    }
}

int main(int argc, char **argv) {
    const char *kind = argc > 1 ? argv[1] : "double";
    (!strcmp(kind, "step") ? stepping : !strcmp(kind, "vector") ? vectors : doubling)();
    return work_end();
}
