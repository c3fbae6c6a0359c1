/*
 * The program's own robust mutexes tell of their dead owners, in whatever order threads allocate and lock.
 */
#include "../lib/churn.h"
#include <sys/syscall.h>

enum { MUTEXES = 20 };
static pthread_mutex_t mutexes[MUTEXES];

static void *body(void *argument)
{
    for (int i = 0; i < MUTEXES; i++) {
        CHECK(pthread_mutex_lock(&mutexes[i]) == 0);
        churn_once((uint64_t)i, 50);
    }
    for (int i = 0; i < MUTEXES; i += 2)
        CHECK(pthread_mutex_unlock(&mutexes[i]) == 0);
    if (argument)
        syscall(SYS_exit, 0);
    return NULL;
}

int main(void)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    for (int i = 0; i < MUTEXES; i++)
        CHECK(pthread_mutex_init(&mutexes[i], &attributes) == 0);
    for (size_t turn = 0; turn < 200; turn++) {
        run_thread_body(body, (void *)(turn % 2));
        for (int i = 0; i < MUTEXES; i++) {
            CHECK(pthread_mutex_lock(&mutexes[i]) == (i % 2 ? EOWNERDEAD : 0));
            if (i % 2)
                CHECK(pthread_mutex_consistent(&mutexes[i]) == 0);
            CHECK(pthread_mutex_unlock(&mutexes[i]) == 0);
        }
        churn_once(turn, 50);
    }
    return 0;
}
