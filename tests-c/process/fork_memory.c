/*
 * A forked child gives back memory that the dead threads of its parent held, and strands nothing.
 * only: lohalloc
 * force: arena
 */
#include "../lib/test.h"

enum { BLOCKS = 300000 };
static void **blocks;
static pthread_barrier_t built, end;

static void *body(void *argument)
{
    for (size_t i = 0; i < BLOCKS; i++) {
        CHECK(blocks[i] = malloc(200));
        memset(blocks[i], 1, 200);
    }
    pthread_barrier_wait(&built);
    pthread_barrier_wait(&end);
    return argument;
}

int main(void)
{
    pthread_t thread;
    blocks = own_memory(BLOCKS * sizeof *blocks);
    size_t start = resident();
    pthread_barrier_init(&built, NULL, 2);
    pthread_barrier_init(&end, NULL, 2);
    CHECK(pthread_create(&thread, NULL, body, NULL) == 0);
    pthread_barrier_wait(&built);
    pid_t child = fork();
    if (child == 0) {
        alarm(20);
        size_t peak = resident();
        for (size_t i = 0; i < BLOCKS; i++)
            free(blocks[i]);
        size_t idle = resident();
        /* The heap was cut off in the middle, so it need not come back whole; but it serves. */
        for (size_t i = 0; i < BLOCKS; i++) {
            CHECK(blocks[i] = malloc(200));
            memset(blocks[i], 1, 200);
        }
        if (idle > start + (peak - start) / 4 && resident() > peak + (peak - start) / 4)
            FAIL("child: peak %zu KiB, idle %zu KiB, after as much again %zu KiB",
                 peak / KIB, idle / KIB, resident() / KIB);
        exit(0);
    }
    check_child(child);
    pthread_barrier_wait(&end);
    pthread_join(thread, NULL);
    for (size_t i = 0; i < BLOCKS; i++)
        free(blocks[i]);
    return 0;
}
