/*
 * Fork handlers that the program registers from a constructor and from main may allocate and free.
 */
#include "../lib/churn.h"

static struct slot kept[20];
static volatile int stop;
static int calls;

static void work(uint64_t seed)
{
    /* What one handler leaves the next one frees, in the child too. */
    churn(kept, COUNT(kept), 64 * KIB, 60, seed);
    churn_once(seed, 100);
    calls++;
}

static void prepare(void)
{
    work(1);
}

static void parent(void)
{
    work(2);
}

static void child(void)
{
    work(3);
}

__attribute__((constructor(101))) static void register_first(void)
{
    CHECK(pthread_atfork(prepare, parent, child) == 0);
}

static void *hammer(void *argument)
{
    for (uint64_t seed = (uint64_t)argument; !stop; seed++)
        churn_once(seed, 300);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    CHECK(pthread_atfork(prepare, parent, child) == 0);
    for (size_t i = 0; i < 2; i++)
        CHECK(pthread_create(&threads[i], NULL, hammer, (void *)i) == 0);
    for (int turn = 0; turn < 100; turn++) {
        pid_t pid = fork();
        if (pid == 0) {
            alarm(20);
            churn_once((uint64_t)turn, 300);
            churn_end(kept, COUNT(kept));
            exit(0);
        }
        churn_once((uint64_t)turn, 100);
        check_child(pid);
    }
    stop = 1;
    for (size_t i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    CHECK(calls >= 200);
    churn_end(kept, COUNT(kept));
    return 0;
}
