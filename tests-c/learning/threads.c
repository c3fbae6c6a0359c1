/*
 * Models come and go while threads allocate, and no block loses a byte.
 * only: lohalloc
 */
#include "../lib/churn.h"
#include "../lib/learning.h"

enum { THREADS = 4 };

static int done;

static void *work(void *argument)
{
    uint64_t seed = (uintptr_t)argument;
    while (!__atomic_load_n(&done, __ATOMIC_RELAXED))
        churn_once(seed += THREADS, 2000);
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    const char *path = model_path("model");
    for (uintptr_t i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, work, (void *)(i + 1)) == 0);
    for (int turn = 0; turn < 12; turn++) {
        CHECK(lohalloc_train_start() == 0);
        sleep_ms(30);
        CHECK(lohalloc_freeze() == 0);
        sleep_ms(10);
        CHECK(lohalloc_model_save(path) == 0);
        CHECK(lohalloc_freeze() == 0);
        CHECK(lohalloc_model_load(path) == 0);
        sleep_ms(10);
        CHECK(lohalloc_train_start() == 0);
        lohalloc_reset_training();
        CHECK(lohalloc_train_stop() == 0);
    }
    __atomic_store_n(&done, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
    return 0;
}
