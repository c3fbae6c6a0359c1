/*
 * The program break is the program's: it may move it up and down, and nothing of the allocator lies there.
 * only: lohalloc
 */
#include "../lib/churn.h"

int main(void)
{
    static struct slot slots[100];
    char *start = sbrk(0);
    for (int turn = 0; turn < 50; turn++) {
        churn(slots, 100, MIB, 300, (uint64_t)turn);
        /* Nobody else has moved it. */
        CHECK(sbrk(0) == start);
        char *own = sbrk(300 * (intptr_t)KIB);
        CHECK(own == start);
        memset(own, turn + 1, 300 * KIB);
        churn(slots, 100, MIB, 100, (uint64_t)turn);
        for (size_t i = 0; i < 300 * KIB; i += 1000)
            CHECK(own[i] == (char)(turn + 1));
        CHECK(brk(start) == 0);
    }
    /* Used up: a mapping lies behind it. */
    void *wall = mmap((char *)(((uintptr_t)start + 4095) & ~(uintptr_t)4095), 4096, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    CHECK(wall != MAP_FAILED && sbrk(64 * (intptr_t)KIB) == (void *)-1);
    churn(slots, 100, 8 * MIB, 1000, 1);
    churn_end(slots, 100);
    return 0;
}
