/* What does a replacement cost in a heap that is littered: nine of ten blocks of a big heap are freed at
 * random, and what is left lies scattered? And what stays resident?
 *
 *   littered        100 MiB, then 1 M replacements in a tenth of it */
#include "work.h"

#define HEAP (100 * MIB)
#define LEAST 16
#define MOST 512
#define TURNS 1000000

int main(void) {
    void **blocks = own_memory(HEAP / LEAST * sizeof *blocks);
    uint64_t random = 1;
    size_t count = 0, size;
    for (size_t sum = 0; sum < HEAP; sum += size)
        blocks[count++] = take(size = between(&random, LEAST, MOST));
    for (size_t keep = count / 10; count > keep; count--) {
        void **at = &blocks[below(&random, count)];
        free(*at);
        *at = blocks[count - 1];
    }
    for (int i = 0; i < TURNS; i++) {
        void **at = &blocks[below(&random, count)];
        free(*at);
        *at = take(between(&random, LEAST, MOST));
    }
    return work_end();
}
