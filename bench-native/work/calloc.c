/* What do blocks of zeros cost: is memory cleared only where it may have been used?
 *
 *   calloc        16 B to 64 KiB, the longer the rarer, freed at random */
#include "work.h"

#define SLOTS 1000
#define TURNS 3000000
#define LEAST_ROOT 4.0
#define MOST_ROOT 256.0

/* The frequency of a size falls with its power of 3/2. */
static size_t some_size(uint64_t *random) {
    double part = (double)(next_random(random) >> 11) / (double)(1ull << 53);
    double root = 1 / (1 / LEAST_ROOT - part * (1 / LEAST_ROOT - 1 / MOST_ROOT));
    return (size_t)(root * root);
}

int main(void) {
    static char *slots[SLOTS];
    uint64_t random = 1;
    for (int i = 0; i < TURNS; i++) {
        char **at = &slots[below(&random, SLOTS)];
        size_t size = some_size(&random);
        free(*at);
        char *p = *at = calloc(1, size);
        if (!p || p[0] || p[size / 2] || p[size - 1])
            exit(1);
        for (size_t byte = 0; byte < size; byte += 4096)
            *(volatile char *)(p + byte) = 1;
        p[size - 1] = 1;
    }
    for (int i = 0; i < SLOTS; i++)
        free(slots[i]);
    return work_end();
}
