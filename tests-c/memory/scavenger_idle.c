/*
 * With scavenger:on the memory of an idle process falls without a call, and the thread takes no signal.
 * only: lohalloc
 * env: LOHALLOC_OPTIONS=scavenger:on
 */
#include "../lib/tasks.h"

enum { BLOCKS = 60000, SIZE = 500, BIG = 20 };
static void *blocks[BLOCKS], *big[BIG];
static pthread_t main_thread;
static volatile int elsewhere;

static void handler(int signal)
{
    (void)signal;
    elsewhere |= !pthread_equal(pthread_self(), main_thread);
}

/* A need that recurs: the allocator keeps most of it. */
static void peak(void)
{
    for (int i = 0; i < BLOCKS; i++) {
        CHECK(blocks[i] = malloc(SIZE));
        memset(blocks[i], 1, SIZE);
    }
    for (int i = 0; i < BIG; i++) {
        CHECK(big[i] = malloc(MIB + (size_t)i * 4096));
        touch(big[i], MIB);
    }
    for (int i = 0; i < BLOCKS; i++)
        free(blocks[i]);
    for (int i = 0; i < BIG; i++)
        free(big[i]);
}

int main(void)
{
    memset(blocks, 1, sizeof blocks);
    main_thread = pthread_self();
    signal(SIGUSR1, handler);
    size_t start = resident(), idle = 0;
    for (int turn = 0; turn < 8; turn++)
        peak();
    CHECK(tasks_become(2));
    for (int i = 0; i < 50; i++)
        kill(getpid(), SIGUSR1);
    CHECK(!elsewhere);
    for (int i = 0; i < 300; i++) {
        idle = resident();
        if (idle < start + 2 * MIB)
            return 0;
        sleep_ms(20);
    }
    FAIL("start %zu KiB, idle %zu KiB", start / KIB, idle / KIB);
}
