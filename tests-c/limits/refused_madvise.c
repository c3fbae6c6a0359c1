/*
 * Where madvise is refused no byte is lost, calloc is zero, and what is freed serves again.
 */
#include "../lib/refuse.h"
#include "../lib/churn.h"

int main(void)
{
    static struct held held[20], more[20];
    CHECK(hold(held, COUNT(held)));
    refuse(SYS_madvise);
    size_t most = 0;
    for (int turn = 0; turn < 6; turn++) {
        CHECK(hold(more, COUNT(more)));
        CHECK(resize_held(more, COUNT(more), 150) == 0);
        CHECK(resize_held(more, COUNT(more), 40) == 0);
        let_go(more, COUNT(more));
        /* What was freed full of bytes must not shine through. */
        for (size_t size = 100; size < 40 * MIB; size *= 6) {
            char *block = malloc(size);
            CHECK(block);
            memset(block, 0xff, size);
            free(block);
            CHECK(block = calloc(1, size));
            CHECK(all_zero(block, size));
            free(block);
        }
        malloc_trim(0);
        churn_once((uint64_t)turn, 3000);
        if (turn == 2)
            most = resident();
    }
    check_held(held, COUNT(held));
    if (resident() > most + 20 * MIB)
        FAIL("resident memory grew from %zu to %zu MiB", most / MIB, resident() / MIB);
    let_go(held, COUNT(held));
    return 0;
}
