/*
 * Holes left by freed blocks do not use up the map entries of the process.
 */
#include "../lib/test.h"

static size_t map_entries(void)
{
    char text[4096];
    size_t lines = 0;
    ssize_t got;
    int fd = open("/proc/self/maps", O_RDONLY);
    CHECK(fd >= 0);
    while ((got = read(fd, text, sizeof text)) > 0)
        for (ssize_t i = 0; i < got; i++)
            lines += text[i] == 10;
    close(fd);
    return lines;
}

int main(void)
{
    enum { COUNT_OF_BLOCKS = 20000 };
    void **blocks = own_memory(COUNT_OF_BLOCKS * sizeof *blocks);
    for (int i = 0; i < COUNT_OF_BLOCKS; i++) {
        CHECK(blocks[i] = malloc(20 * KIB));
        touch(blocks[i], 20 * KIB);
    }
    for (int i = 0; i < COUNT_OF_BLOCKS; i++)
        if (i % 2)
            free(blocks[i]);
    if (map_entries() > 2000)
        FAIL("%zu map entries", map_entries());
    for (int i = 0; i < COUNT_OF_BLOCKS; i += 2)
        free(blocks[i]);
    CHECK(map_entries() <= 2000);
    return 0;
}
