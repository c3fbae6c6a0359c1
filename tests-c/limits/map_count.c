/*
 * A program that has used up the kernel's table of mappings goes on: what it frees serves it again.
 */
#include "../lib/exhaust.h"

int main(void)
{
    char text[64];
    read_file("/proc/sys/vm/max_map_count", text, sizeof text);
    size_t most = strtoul(text, NULL, 10), count = 0;
    if (most > 300000)
        SKIP("vm.max_map_count is too large for a quick test");
    struct taken small = taken_new(300000), mixed = taken_new(100000);
    CHECK(take(&small, SMALL, 10 * MIB) && take(&mixed, MIXED, 60 * MIB));
    char *pages = mmap(NULL, most * 8192, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    CHECK(pages != MAP_FAILED);
    while (count < most && mprotect(pages + count * 8192, 4096, PROT_NONE) == 0)
        count++;
    CHECK(count < most);
    for (int turn = 0; turn < 5; turn++) {
        free_taken(&mixed);
        take(&mixed, MIXED, 60 * MIB);
        if (mixed.bytes < 30 * MIB)
            FAIL("only %zu KiB in turn %d", mixed.bytes / KIB, turn);
        free_taken(&small);
        CHECK(take(&small, SMALL, 5 * MIB));
        char *block = malloc(40 * MIB);
        if (block) {
            touch(block, 40 * MIB);
            char *longer = realloc(block, 60 * MIB);
            free(longer ? longer : block);
        }
    }
    check_taken(&small);
    free_taken(&mixed);
    munmap(pages, most * 8192);
    CHECK(take(&mixed, LARGE, 100 * MIB));
    free_taken(&mixed);
    free_taken(&small);
    return 0;
}
