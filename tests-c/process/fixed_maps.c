/*
 * Mappings that the program places itself, beside and between those of the allocator, stay as they are.
 */
#include "../lib/churn.h"

enum { MAPS = 200 };

int main(void)
{
    static struct slot slots[100];
    static char *maps[MAPS];
    size_t placed = 0;
    churn(slots, 100, 4 * MIB, 1000, 1);
    for (size_t i = 0; i < MAPS; i++) {
        /* Where something was a moment ago, and just behind it. */
        size_t size = 18 * MIB + i % 8 * MIB;
        char *block = malloc(size);
        CHECK(block);
        touch(block, size / 16);
        uintptr_t place = ((uintptr_t)block + (i % 2 ? size : 0) + 65535) & ~(uintptr_t)65535;
        if (i % 2 == 0)
            free(block);
        char *map = mmap((void *)place, 64 * KIB, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
        if (i % 2)
            free(block);
        if (map != MAP_FAILED) {
            memset(map, (int)(i + 1), 64 * KIB);
            maps[placed++] = map;
        }
        churn(slots, 100, 4 * MIB, 30, i);
    }
    CHECK(placed > 0);
    for (size_t i = 0; i < placed; i++) {
        CHECK(memcmp(maps[i], maps[i] + 1, 64 * KIB - 1) == 0 && maps[i][0] != 0);
        CHECK(munmap(maps[i], 64 * KIB) == 0);
    }
    churn(slots, 100, 4 * MIB, 500, 2);
    churn_end(slots, 100);
    return 0;
}
