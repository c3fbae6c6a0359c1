/*
 * Mappings of the program right before and behind blocks stay whole while these grow, shrink and go.
 */
#include "../lib/churn.h"

enum { BLOCKS = 6, NEIGHBOURS = 4 * BLOCKS };
static char *neighbours[NEIGHBOURS];
static size_t taken;

/* Maps one OS page at that address if nothing is there, and fills it. */
static void settle(uintptr_t address)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *wanted = (char *)(address / page * page);
    char *got = mmap(wanted, page, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (got == MAP_FAILED)
        return;
    if (got != wanted) {
        munmap(got, page);
        return;
    }
    CHECK(all_zero(got, page));
    fill(got, page, (uintptr_t)got);
    neighbours[taken++] = got;
}

static void check_neighbours(int leave)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t kept = 0;
    for (size_t i = 0; i < taken; i++) {
        if (!filled(neighbours[i], page, (uintptr_t)neighbours[i]))
            FAIL("the program's page at %p changed", (void *)neighbours[i]);
        if (leave)
            neighbours[kept++] = neighbours[i];
        else
            munmap(neighbours[i], page);
    }
    taken = kept;
}

int main(void)
{
    static char *blocks[BLOCKS];
    size_t found = 0;
    for (size_t turn = 0; turn < 9; turn++) {
        size_t size = (turn % 3 * 9 + 1) * MIB + turn * 4096;
        for (size_t i = 0; i < BLOCKS; i++) {
            size_t mine = i % 3 == 0 ? 3000 : size;
            CHECK(blocks[i] = malloc(mine));
            blocks[i][0] = blocks[i][mine - 1] = 1;
            settle((uintptr_t)blocks[i] - 4096);
            settle((uintptr_t)blocks[i] - 64 * KIB);
            settle((uintptr_t)blocks[i] + malloc_usable_size(blocks[i]) + 4095);
        }
        found += taken;
        for (size_t i = 0; i < BLOCKS; i++) {
            CHECK(blocks[i] = realloc(blocks[i], i % 2 ? 2 * size : size / 2));
            touch(blocks[i], size / 2);
            blocks[i][(i % 2 ? 2 * size : size / 2) - 1] = 1;
        }
        check_neighbours(1);
        for (size_t i = 0; i < BLOCKS; i++)
            free(blocks[i]);
        malloc_trim(0);
        churn_once(turn, 500);
        check_neighbours(0);
    }
    CHECK(found > 0);
    return 0;
}
