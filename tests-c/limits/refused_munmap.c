/*
 * Where munmap is refused no block suffers, and what is freed serves again: the address space does not grow.
 * only: lohalloc
 */
#include "../lib/refuse.h"

int main(void)
{
    static struct held held[20], more[10];
    CHECK(hold(held, COUNT(held)));
    refuse(SYS_munmap);
    size_t start = 0;
    for (int turn = 0; turn < 9; turn++) {
        CHECK(hold(more, COUNT(more)));
        CHECK(resize_held(more, COUNT(more), 180) == 0);
        CHECK(resize_held(more, COUNT(more), 70) == 0);
        let_go(more, COUNT(more));
        for (size_t size = 17 * MIB; size < 120 * MIB; size = size * 3 / 2 + (size_t)turn % 3 * MIB) {
            char *block = malloc(size);
            CHECK(block);
            block[0] = block[size - 1] = 1;
            free(block);
            CHECK(block = aligned_alloc(4 * MIB, size / MIB * MIB));
            block[0] = 1;
            free(block);
        }
        check_held(held, COUNT(held));
        if (turn == 5)
            start = status_bytes("VmSize:");
    }
    size_t end = status_bytes("VmSize:");
    if (end > start + 20 * MIB)
        FAIL("the address space grew from %zu to %zu MiB", start / MIB, end / MIB);
    let_go(held, COUNT(held));
    if (resident() > 60 * MIB)
        FAIL("%zu MiB are resident, though all is freed", resident() / MIB);
    return 0;
}
