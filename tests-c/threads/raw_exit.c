/*
 * A thread that ends by the raw exit system call strands nothing and leaves its blocks whole.
 * only: lohalloc
 * force: arena
 */
#include "../lib/test.h"
#include <sys/syscall.h>

enum { BLOCKS = 400 };

static void *body(void *argument)
{
    void **blocks = argument;
    for (size_t i = 0; i < BLOCKS; i++) {
        CHECK(blocks[i] = malloc(16 + i * 4));
        fill(blocks[i], 16 + i * 4, i);
    }
    for (size_t i = 0; i < BLOCKS; i += 2) {
        free(blocks[i]);
        blocks[i] = NULL;
    }
    syscall(SYS_exit, 0);
    return NULL;
}

int main(void)
{
    static void *blocks[BLOCKS];
    size_t start = 0;
    for (int turn = 0; turn < 2000; turn++) {
        run_thread_body(body, blocks);
        for (size_t i = 1; i < BLOCKS; i += 2) {
            CHECK(filled(blocks[i], 16 + i * 4, i));
            free(blocks[i]);
        }
        if (turn == 100)
            start = resident();
    }
    if (resident() > start + 4 * MIB)
        FAIL("resident %zu KiB after 100 threads, %zu KiB after 2000", start / KIB, resident() / KIB);
    return 0;
}
