/*
 * realloc up and down keeps the bytes, over all sizes and through every change of backend.
 * force: slab buddy system arena
 */
#include "../lib/test.h"

static void from_to(size_t from, size_t to)
{
    char *block = malloc(from);
    size_t kept = from < to ? from : to;
    CHECK(block);
    fill(block, from, from);
    block = realloc(block, to);
    CHECK(block && (uintptr_t)block % 16 == 0);
    CHECK(malloc_usable_size(block) >= to);
    if (!filled_part(block, from, kept, from))
        FAIL("from %zu to %zu bytes: bytes lost", from, to);
    memset(block, 0x5a, to);
    free(block);
}

int main(void)
{
    static const size_t sizes[] = {
        1, 8, 16, 17, 24, 32, 48, 63, 64, 65, 100, 128, 200, 256, 500, 1000, 1024, 1025,
        2000, 4095, 4096, 4097, 8192, 10000, 16384, 30000, 32768, 32769, 65535, 65536,
        65537, 100000, 131072, 200000, 262144, 400000, 524288, 1000000, 1048576, 1048577,
        2097152, 3000000, 4194304, 8388608,
    };
    for (size_t i = 0; i < COUNT(sizes); i++)
        for (size_t j = 0; j < COUNT(sizes); j++)
            from_to(sizes[i], sizes[j]);
    /* One block that grows a little at a time, as a reader of lines does. */
    char *block = NULL;
    size_t size = 0;
    for (size_t next = 1; next < 4 * MIB; next += next / 50 + 1) {
        block = realloc(block, next);
        CHECK(block);
        memset(block + size, (int)(next % 251), next - size);
        size = next;
    }
    size = 0;
    for (size_t next = 1; next < 4 * MIB; next += next / 50 + 1) {
        for (size_t i = size; i < next; i += 61)
            CHECK((unsigned char)block[i] == next % 251);
        size = next;
    }
    free(block);
    return 0;
}
