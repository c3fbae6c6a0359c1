/*
 * lohalloc_owns says 1 for a block and its inside, and 0 for everything else.
 * only: lohalloc
 * ways: so a
 */
#include "../lib/test.h"
#include <lohalloc.h>

static int global;

int main(void)
{
    int local;
    for (size_t size = 1; size < 200 * MIB; size = size * 3 + 5) {
        char *block = malloc(size);
        CHECK(block);
        for (size_t i = 0; i < size; i += size / 7 + 1)
            CHECK(lohalloc_owns(block + i) == 1);
        CHECK(lohalloc_owns(block + size - 1) == 1);
        free(block);
    }
    CHECK(lohalloc_owns(NULL) == 0);
    CHECK(lohalloc_owns(&local) == 0);
    CHECK(lohalloc_owns(&global) == 0);
    CHECK(lohalloc_owns("literal") == 0);
    CHECK(lohalloc_owns((void *)16) == 0);
    CHECK(lohalloc_owns((void *)(uintptr_t)UINT64_C(0xffffffffffffffff)) == 0);
    CHECK(lohalloc_owns((void *)(uintptr_t)UINT64_C(0x0001000000000000)) == 0);
    void *own = own_memory(MIB);
    CHECK(lohalloc_owns(own) == 0);
    return 0;
}
