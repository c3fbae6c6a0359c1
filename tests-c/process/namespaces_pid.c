/*
 * The first process of a new namespace, made by a raw clone beside busy threads, may use malloc and fork.
 * only: lohalloc
 */
#include "../lib/churn.h"
#include "../lib/copies.h"
#include <sched.h>
#include <sys/syscall.h>

static volatile int stop;

static void *hammer(void *argument)
{
    for (uint64_t seed = (uint64_t)argument; !stop; seed++)
        churn_once(seed, 300);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    int flags = CLONE_NEWPID | SIGCHLD | (geteuid() ? CLONE_NEWUSER : 0), refused = 0;
    NEED_WIPED_COPIES();
    CHECK(pthread_create(&thread, NULL, hammer, NULL) == 0);
    for (int turn = 0; turn < 20 && !refused; turn++) {
        pid_t child = (pid_t)syscall(SYS_clone, flags, NULL, NULL, NULL, NULL);
        if (child == 0) {
            alarm(20);
            churn_once((uint64_t)turn, 500);
            pid_t next = fork();
            if (next == 0) {
                churn_once((uint64_t)turn, 500);
                _exit(0);
            }
            check_child(next);
            _exit(0);
        }
        refused = child < 0;
        if (!refused)
            check_child(child);
    }
    stop = 1;
    pthread_join(thread, NULL);
    if (refused)
        SKIP("this system makes no namespaces");
    return 0;
}
