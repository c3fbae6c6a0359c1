/*
 * Where mprotect is refused in mid-program small blocks end with NULL and ENOMEM, or come, and no byte is lost.
 */
#include "../lib/refuse.h"

int main(void)
{
    static struct held held[20], more[20];
    struct taken *all = NULL;
    CHECK(hold(held, COUNT(held)));
    refuse(SYS_mprotect);
    for (size_t size = 32; size < 400 * KIB; size *= 4) {
        /* What is committed already may be used to its end, but no more than 64 MiB here. */
        size_t first = 0, again = 0;
        for (int turn = 0; turn < 2; turn++) {
            size_t bytes = 0;
            while (bytes < 40 * MIB) {
                errno = 0;
                struct taken *block = malloc(size);
                if (!block) {
                    CHECK(errno == ENOMEM);
                    break;
                }
                taken_fill(block, size);
                block->next = all;
                all = block;
                bytes += size;
            }
            *(turn ? &again : &first) = bytes;
            free_all(&all);
        }
        if (again + again / 16 + size < first)
            FAIL("blocks of %zu bytes: %zu KiB at first, %zu KiB again", size, first / KIB,
                 again / KIB);
    }
    for (int turn = 0; turn < 3; turn++) {
        hold(more, COUNT(more));
        resize_held(more, COUNT(more), 150);
        resize_held(more, COUNT(more), 40);
        let_go(more, COUNT(more));
    }
    /* A mapping of its own needs no mprotect. */
    char *block = malloc(30 * MIB);
    CHECK(block);
    block[30 * MIB - 1] = 1;
    free(block);
    check_held(held, COUNT(held));
    let_go(held, COUNT(held));
    return 0;
}
