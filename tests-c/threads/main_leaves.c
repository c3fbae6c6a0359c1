/*
 * The main thread may leave first by pthread_exit: the others go on, free its blocks, and end the process.
 */
#include "../lib/churn.h"

static struct slot slots[200];
static pthread_t main_thread;
static pthread_key_t key;

static void destructor(void *value)
{
    free(value);
    churn_once(1, 200);
}

static void *worker(void *argument)
{
    churn_once((uint64_t)argument, 2000);
    return argument;
}

static void *last(void *argument)
{
    CHECK(pthread_join(main_thread, NULL) == 0);
    /* What main left, and new work in place of its heap. */
    churn(slots, COUNT(slots), 256 * KIB, 2000, 3);
    for (size_t i = 0; i < 5; i++)
        run_thread_body(worker, (void *)i);
    pid_t child = fork();
    if (child == 0) {
        alarm(20);
        churn_end(slots, COUNT(slots));
        run_thread_body(worker, NULL);
        exit(0);
    }
    check_child(child);
    churn_end(slots, COUNT(slots));
    return argument;
}

int main(void)
{
    pthread_t thread;
    main_thread = pthread_self();
    CHECK(pthread_key_create(&key, destructor) == 0);
    CHECK(pthread_setspecific(key, malloc(1000)) == 0);
    churn(slots, COUNT(slots), 256 * KIB, 2000, 2);
    CHECK(pthread_create(&thread, NULL, last, NULL) == 0);
    pthread_exit(NULL);
}
