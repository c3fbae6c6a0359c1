/*
 * A forked child of a process with one thread can use, free and allocate everything, and so can the parent after.
 */
#include "../lib/churn.h"

int main(void)
{
    static struct slot slots[300];
    churn(slots, 300, MIB, 3000, 1);
    for (int turn = 0; turn < 40; turn++) {
        pid_t child = fork();
        if (child == 0) {
            alarm(20);
            churn(slots, 300, MIB, 1000, (uint64_t)turn + 2);
            churn_end(slots, 300);
            churn_once(7, 1000);
            exit(0);
        }
        churn(slots, 300, MIB, 500, (uint64_t)turn + 100);
        check_child(child);
    }
    churn_end(slots, 300);
    return 0;
}
