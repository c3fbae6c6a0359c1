/*
 * Large blocks stay whole while threads end beside others that go on to use such blocks.
 */
#include "../lib/test.h"

struct block {
    uint64_t *start;
    size_t words;
    uint64_t seed;
};

static void *body(void *argument)
{
    struct block blocks[40] = {{0}};
    uint64_t random = (uint64_t)argument * 7777777 + 1;
    for (int turn = 0; turn < 15000; turn++) {
        struct block *block = &blocks[random_next(&random) % 40];
        if (block->start) {
            /* The ends only: every byte would take all the time. */
            CHECK(block->start[0] == block->seed);
            CHECK(block->start[block->words - 1] == block->seed);
            free(block->start);
            block->start = NULL;
            continue;
        }
        size_t size = 70000 + random_next(&random) % 430000;
        CHECK(block->start = malloc(size));
        block->words = size / 8;
        block->seed = random;
        block->start[0] = block->start[block->words - 1] = random;
    }
    for (size_t i = 0; i < 40; i++)
        free(blocks[i].start);
    return NULL;
}

int main(void)
{
    for (uint64_t turn = 0; turn < 8; turn++) {
        pthread_t threads[4];
        for (uint64_t i = 0; i < 4; i++)
            CHECK(pthread_create(&threads[i], NULL, body, (void *)(turn * 4 + i)) == 0);
        for (int i = 0; i < 4; i++)
            pthread_join(threads[i], NULL);
    }
    return 0;
}
