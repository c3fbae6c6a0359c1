/*
 * The totals of malloc_info follow what the program does.
 */
#include "../lib/xml.h"

static char text[200000];

static const char *info(void)
{
    FILE *file = fmemopen(text, sizeof text, "w");
    CHECK(file && malloc_info(0, file) == 0 && fclose(file) == 0);
    return text;
}

int main(void)
{
    enum { BLOCKS = 50000 };
    void **blocks = own_memory(BLOCKS * sizeof *blocks);
    free(malloc(1));
    size_t mapped = xml_last(info(), "<total type=\"mmap\"", "size");
    size_t held = xml_last(info(), "<system type=\"current\"", "size");
    void *big = malloc(64 * MIB);
    CHECK(big);
    CHECK(xml_last(info(), "<total type=\"mmap\"", "size") >= mapped + 64 * MIB);
    CHECK(xml_last(info(), "<total type=\"mmap\"", "count") >= 1);
    for (int i = 0; i < BLOCKS; i++)
        CHECK(blocks[i] = malloc(500));
    size_t full = xml_last(info(), "<system type=\"current\"", "size");
    CHECK(full >= held + BLOCKS * (size_t)500);
    size_t rest = xml_last(info(), "<total type=\"rest\"", "size");
    for (int i = 0; i < BLOCKS; i += 2)
        free(blocks[i]);
    CHECK(xml_last(info(), "<total type=\"rest\"", "size") > rest + BLOCKS / 2 * (size_t)400);
    CHECK(xml_last(info(), "<total type=\"rest\"", "count") >= 1);
    for (int i = 1; i < BLOCKS; i += 2)
        free(blocks[i]);
    free(big);
    CHECK(xml_last(info(), "<total type=\"mmap\"", "size") == mapped);
    CHECK(xml_last(info(), "<system type=\"max\"", "size") >= full);
    return 0;
}
