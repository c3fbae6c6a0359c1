/*
 * A child made by a raw clone system call may use malloc while another thread was in the middle of it.
 * only: lohalloc
 * force: arena
 */
#include "../lib/churn.h"
#include "../lib/copies.h"
#include <sys/syscall.h>

static volatile int stop;

static void *hammer(void *argument)
{
    for (uint64_t seed = (uint64_t)argument; !stop; seed++)
        churn_once(seed, 500);
    return NULL;
}

int main(void)
{
    static struct slot slots[50];
    pthread_t thread;
    NEED_WIPED_COPIES();
    churn(slots, 50, 64 * KIB, 1000, 1);
    CHECK(pthread_create(&thread, NULL, hammer, NULL) == 0);
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
    stop = 1;
    pthread_join(thread, NULL);
    churn_end(slots, 50);
    return 0;
}
