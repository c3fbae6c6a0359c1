/*
 * A thread may call exit while the main thread is in the middle of malloc and free.
 */
#include "../lib/churn.h"

static struct slot slots[40];

static void handler(void)
{
    churn(slots, 40, 64 * KIB, 300, 2);
    churn_end(slots, 40);
}

static void *body(void *argument)
{
    sleep_ms((long)(size_t)argument);
    churn(slots, 40, 64 * KIB, 300, 1);
    exit(0);
}

int main(void)
{
    for (size_t turn = 0; turn < 40; turn++) {
        pid_t child = fork();
        if (child == 0) {
            pthread_t thread;
            alarm(20);
            CHECK(atexit(handler) == 0);
            CHECK(pthread_create(&thread, NULL, body, (void *)(turn % 5)) == 0);
            for (uint64_t seed = turn;; seed++)
                churn_once(seed, 1000);
        }
        check_child(child);
    }
    return 0;
}
