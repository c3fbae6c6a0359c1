/* What stays resident of a server with bursts of work, after each of which all but a few scattered
 * blocks are freed?
 *
 *   burst        25 bursts, of each of which one block in 33 survives */
#include "work.h"

#define BURSTS 25
#define BLOCKS 60000
#define SURVIVE 33

int main(void) {
    static void *blocks[BLOCKS], *kept[BURSTS * BLOCKS / SURVIVE + BURSTS];
    size_t survivors = 0;
    uint64_t random = 1;
    for (int burst = 0; burst < BURSTS; burst++) {
        for (int i = 0; i < BLOCKS; i++)
            blocks[i] = take(between(&random, 16, 512));
        for (int left = BLOCKS; left; left--) {
            size_t at = below(&random, (size_t)left);
            if (left % SURVIVE == 0)
                kept[survivors++] = blocks[at];
            else
                free(blocks[at]);
            blocks[at] = blocks[left - 1];
        }
    }
    return work_end() + (kept[0] == NULL);
}
