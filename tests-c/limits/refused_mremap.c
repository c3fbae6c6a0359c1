/*
 * Where mremap is refused realloc copies, keeps every byte, and wastes no address space.
 * only: lohalloc
 */
#include "../lib/refuse.h"

int main(void)
{
    static struct held held[20];
    CHECK(hold(held, COUNT(held)));
    refuse(SYS_mremap);
    size_t start = status_bytes("VmSize:");
    CHECK(resize_held(held, COUNT(held), 150) == 0);
    CHECK(resize_held(held, COUNT(held), 60) == 0);
    check_held(held, COUNT(held));
    /* Each growth moves: what a refused move leaves behind must not add up. */
    for (int turn = 0; turn < 8; turn++) {
        char *block = malloc(40 * MIB);
        CHECK(block);
        fill(block, 8192, 3);
        block[40 * MIB - 1] = 5;
        CHECK(block = realloc(block, 50 * MIB + (size_t)turn * MIB));
        CHECK(filled_part(block, 8192, 8192, 3) && block[40 * MIB - 1] == 5);
        CHECK(block = realloc(block, 18 * MIB));
        CHECK(filled_part(block, 8192, 8192, 3));
        free(block);
    }
    let_go(held, COUNT(held));
    size_t end = status_bytes("VmSize:");
    if (end > start + 200 * MIB)
        FAIL("the address space grew from %zu to %zu MiB", start / MIB, end / MIB);
    return 0;
}
