/*
 * Several threads may fork at the same time while fork handlers, early and late ones, allocate.
 */
#include "../lib/churn.h"

/* Before every constructor, and so before the library has registered handlers of its own. */
static void *early_block, *late_block;
/* Of those who fork: some C libraries run the handlers of several at once. */
static pthread_mutex_t forking = PTHREAD_MUTEX_INITIALIZER;
static volatile int stop;

static void swap(void **block, size_t size)
{
    free(*block);
    CHECK(*block = malloc(size));
    memset(*block, 1, size);
    churn_once(size, 30);
}

static void early_prepare(void)
{
    swap(&early_block, 100);
}

static void early_after(void)
{
    swap(&early_block, 20000);
}

static void late_prepare(void)
{
    pthread_mutex_lock(&forking);
    swap(&late_block, 300000);
}

static void late_after(void)
{
    swap(&late_block, 50);
    pthread_mutex_unlock(&forking);
}

static void register_early(void)
{
    CHECK(pthread_atfork(early_prepare, early_after, early_after) == 0);
}

__attribute__((section(".preinit_array"), used)) static void (*early)(void) = register_early;

static void *hammer(void *argument)
{
    for (uint64_t seed = (uint64_t)argument; !stop; seed++)
        churn_once(seed, 200);
    return NULL;
}

static void *forker(void *argument)
{
    for (int turn = 0; turn < 25; turn++) {
        pid_t child = fork();
        if (child == 0) {
            alarm(20);
            churn_once((uint64_t)turn, 200);
            stop = 1;
            run_thread_body(hammer, NULL);
            /* A child of a child runs the handlers, too. */
            pid_t again = fork();
            if (again == 0)
                _exit(0);
            check_child(again);
            _exit(0);
        }
        churn_once((uint64_t)argument, 100);
        check_child(child);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[3], busy;
    alarm(25);
    CHECK(pthread_atfork(late_prepare, late_after, late_after) == 0);
    CHECK(pthread_create(&busy, NULL, hammer, (void *)100) == 0);
    for (size_t i = 0; i < COUNT(threads); i++)
        CHECK(pthread_create(&threads[i], NULL, forker, (void *)i) == 0);
    for (size_t i = 0; i < COUNT(threads); i++)
        pthread_join(threads[i], NULL);
    stop = 1;
    pthread_join(busy, NULL);
    free(early_block);
    free(late_block);
    return 0;
}
