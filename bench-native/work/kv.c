/* What does a key-value store cost whose values are replaced at random by others of another length?
 *
 *   kv        16,384 slots of 8 to 512 bytes */
#include "work.h"

#define SLOTS 16384
#define TURNS 4000000

int main(void) {
    static void *slots[SLOTS];
    uint64_t random = 1;
    for (int i = 0; i < TURNS; i++) {
        void **at = &slots[below(&random, SLOTS)];
        free(*at);
        *at = take(between(&random, 8, 512));
    }
    return work_end();
}
