/*
 * Threads that end strand nothing: 2500 of them leave blocks behind that main frees.
 * force: arena
 */
#include "../lib/test.h"

enum { BLOCKS = 600 };

static void *body(void *argument)
{
    void **blocks = argument;
    for (size_t i = 0; i < BLOCKS; i++) {
        size_t size = i % 60 == 59 ? 40 * KIB : 16 + i * 3;
        CHECK(blocks[i] = malloc(size));
        memset(blocks[i], 1, size);
    }
    for (size_t i = 0; i < BLOCKS; i += 3) {
        free(blocks[i]);
        blocks[i] = NULL;
    }
    return NULL;
}

int main(void)
{
    static void *blocks[BLOCKS];
    size_t start = 0;
    for (int turn = 0; turn < 2500; turn++) {
        run_thread_body(body, blocks);
        for (size_t i = 0; i < BLOCKS; i++)
            free(blocks[i]);
        if (turn == 100)
            start = resident();
    }
    if (resident() > start + 4 * MIB)
        FAIL("resident %zu KiB after 100 threads, %zu KiB after 2500", start / KIB, resident() / KIB);
    return 0;
}
