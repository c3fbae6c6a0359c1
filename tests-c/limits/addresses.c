/*
 * Every block lies below 2^47, as engines that pack pointers need, whatever its size and alignment.
 */
#include "../lib/exhaust.h"

int main(void)
{
    struct taken taken = taken_new(1000000);
    for (int way = 0; way < WAYS; way++) {
        CHECK(take(&taken, (enum way)way, 30 * MIB));
        for (size_t i = 0; i < taken.count; i++)
            CHECK(((uintptr_t)taken.blocks[i] + taken.sizes[i]) >> 47 == 0);
        free_taken(&taken);
    }
    for (size_t size = 100 * MIB; size < 16384 * MIB; size *= 3) {
        char *block = malloc(size);
        if (!block)
            break;
        CHECK(((uintptr_t)block + size) >> 47 == 0);
        free(block);
    }
    return 0;
}
