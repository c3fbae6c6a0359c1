/* What stays of memory that was used for blocks of one size when the program goes on to others? A
 * tenth of each phase's blocks, scattered, lives two phases longer.
 *
 *   phases */
#include "work.h"

#define PHASES 20
#define PHASE (20 * MIB)

int main(void) {
    static const size_t least[] = {16, 100, 1000, 32, 3000}, most[] = {64, 400, 3000, 128, 9000};
    static void **old[PHASES];
    static size_t kept[PHASES];
    void **blocks = own_memory(PHASE / 16 * sizeof *blocks);
    uint64_t random = 1;
    for (int phase = 0; phase < PHASES; phase++) {
        size_t count = 0, size;
        for (size_t sum = 0; sum < PHASE; sum += size)
            blocks[count++] = take(size = between(&random, least[phase % 5], most[phase % 5]));
        old[phase] = own_memory(count * sizeof *blocks);
        for (size_t left = count; left; left--) {
            size_t at = below(&random, left);
            if (left % 10)
                free(blocks[at]);
            else
                old[phase][kept[phase]++] = blocks[at];
            blocks[at] = blocks[left - 1];
        }
        for (size_t i = 0; phase >= 2 && i < kept[phase - 2]; i++)
            free(old[phase - 2][i]);
    }
    return work_end();
}
