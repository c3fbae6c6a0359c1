/*
 * malloc_info writes well-formed XML in glibc's form, whatever is in the heap.
 */
#include "../lib/xml.h"

static char text[200000];

static void check(void)
{
    FILE *file = fmemopen(text, sizeof text, "w");
    CHECK(file && malloc_info(0, file) == 0 && fclose(file) == 0);
    xml_check(text);
    CHECK(strncmp(text, "<malloc version=\"1\">", 20) == 0);
    CHECK(strstr(text, "<heap nr=\"0\">") && strstr(text, "<sizes>"));
    CHECK(strstr(text, "<total type=\"rest\"") && strstr(text, "<total type=\"mmap\""));
    CHECK(strstr(text, "<system type=\"current\"") && strstr(text, "<system type=\"max\""));
    CHECK(strstr(text, "<aspace type=\"total\""));
}

int main(void)
{
    void **blocks = own_memory(10000 * sizeof *blocks);
    uint64_t state = 7;
    check();
    for (int i = 0; i < 10000; i++)
        CHECK(blocks[i] = malloc(random_size(&state, 100000)));
    check();
    for (int i = 0; i < 10000; i += 2)
        free(blocks[i]);
    check();
    for (int i = 1; i < 10000; i += 2)
        free(blocks[i]);
    check();
    return 0;
}
