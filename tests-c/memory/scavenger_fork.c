/*
 * With scavenger:on a fork child has a thread of its own as soon as it allocates, and ends in good order.
 * only: lohalloc
 * env: LOHALLOC_OPTIONS=scavenger:on
 */
#include "../lib/tasks.h"

static void work(void)
{
    void *blocks[100];
    for (size_t size = 16; size < 40000; size = size * 5 / 4) {
        for (int i = 0; i < 100; i++)
            CHECK(blocks[i] = calloc(1, size));
        for (int i = 0; i < 100; i++)
            free(blocks[i]);
    }
}

int main(void)
{
    work();
    CHECK(tasks_become(2));
    for (int turn = 0; turn < 20; turn++) {
        pid_t child = fork();
        if (child == 0) {
            CHECK(tasks() == 1);
            work();
            CHECK(tasks_become(2));
            work();
            exit(0);
        }
        work();
        check_child(child);
    }
    return 0;
}
