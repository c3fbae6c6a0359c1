/*
 * A child made by clone with shared memory may allocate, and what it leaves is whole for the parent.
 */
#include "../lib/churn.h"
#include <sched.h>

static struct slot slots[40];

static int body(void *argument)
{
    uint64_t random = 12345 + (uint64_t)argument;
    for (size_t i = 0; i < COUNT(slots); i++)
        slot_new(&slots[i], 20 * KIB, &random);
    return 0;
}

int main(void)
{
    char *stack = own_memory(256 * KIB);
    for (size_t turn = 0; turn < 50; turn++) {
        /* As posix_spawn does: the parent waits while the child borrows its memory. */
        pid_t child = clone(body, stack + 256 * KIB, CLONE_VM | CLONE_VFORK | SIGCHLD, (void *)turn);
        check_child(child);
        churn_end(slots, COUNT(slots));
        churn_once(turn, 300);
    }
    return 0;
}
