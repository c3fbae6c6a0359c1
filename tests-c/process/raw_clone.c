/*
 * A child made by a raw clone system call, unseen by fork handlers, may use malloc and free.
 * force: arena
 */
#include "../lib/churn.h"
#include <sys/syscall.h>

int main(void)
{
    static struct slot slots[50];
    churn(slots, 50, 64 * KIB, 1000, 1);
    for (int turn = 0; turn < 60; turn++) {
        pid_t child = (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
        if (child == 0) {
            alarm(20);
            churn_once((uint64_t)turn, 500);
            churn(slots, 50, 64 * KIB, 300, (uint64_t)turn);
            churn_end(slots, 50);
            _exit(0);
        }
        churn_once((uint64_t)turn, 100);
        check_child(child);
    }
    churn_end(slots, 50);
    return 0;
}
