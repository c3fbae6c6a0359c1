/* What does a block cost that lives shortly among others of its size? A window of blocks freed in
 * order, and others replaced at random.
 *
 *   churn SIZE */
#include "work.h"

#define WINDOW 64
#define SLOTS 1000
#define BYTES (400 * MIB) /* of all that is allocated, where blocks are large */
#define TURNS 12000000

static void *window[WINDOW], *slots[SLOTS];

int main(int argc, char **argv) {
    size_t size = (size_t)argument(argc, argv, 1, 208);
    size_t held = 64 * MIB / size < SLOTS ? 64 * MIB / size : SLOTS;
    size_t turns = 64 * BYTES / size < TURNS ? 64 * BYTES / size : TURNS;
    uint64_t random = 1;
    for (size_t i = 0, oldest = 0; i < turns; i++) {
        void **at = &slots[below(&random, held)];
        if (i % 4)
            at = &window[oldest++ % (held < WINDOW ? held : WINDOW)];
        free(*at);
        *at = take(size);
    }
    return work_end();
}
