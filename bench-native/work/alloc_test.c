/* What does a replacement cost in a table of many slots, the longer blocks the rarer?
 * After alloc-test of OLogN Technologies AG, https://github.com/node-dot-cpp/alloc-test.
 *
 *   alloc_test        65,536 slots of 8 to 1024 bytes */
#include "work.h"

#define SLOTS 65536
#define TURNS 4000000
#define LEAST 8.0
#define MOST 1024.0

/* The frequency of a size falls with its square. */
static size_t some_size(uint64_t *random) {
    double part = (double)(next_random(random) >> 11) / (double)(1ull << 53);
    return (size_t)(1 / (1 / LEAST - part * (1 / LEAST - 1 / MOST)));
}

int main(void) {
    static void *slots[SLOTS];
    uint64_t random = 1;
    for (int i = 0; i < TURNS; i++) {
        void **at = &slots[below(&random, SLOTS)];
        free(*at);
        *at = take(some_size(&random));
    }
    for (int i = 0; i < SLOTS; i++)
        free(slots[i]);
    return work_end();
}
