/*
 * The functions about the heap may be the first that a process or a thread calls, in many threads at once.
 */
#include "../lib/test.h"

static pthread_barrier_t barrier;

static void *first(void *argument)
{
    pthread_barrier_wait(&barrier);
    switch ((uintptr_t)argument % 4) {
    case 0:
        malloc_trim(0);
        break;
    case 1:
        CHECK(mallinfo2().usmblks == 0);
        break;
    case 2:
        mallopt(M_ARENA_MAX, 4);
        break;
    case 3:
        malloc_usable_size(NULL);
        free(NULL);
        break;
    }
    void *block = malloc(100);
    CHECK(block);
    malloc_trim(0);
    mallinfo2();
    free(block);
    return NULL;
}

int main(void)
{
    enum { THREADS = 8 };
    malloc_trim(0);
    mallinfo2();
    for (int turn = 0; turn < 20; turn++) {
        pthread_t threads[THREADS];
        CHECK(pthread_barrier_init(&barrier, NULL, THREADS) == 0);
        for (uintptr_t i = 0; i < THREADS; i++)
            CHECK(pthread_create(&threads[i], NULL, first, (void *)i) == 0);
        for (int i = 0; i < THREADS; i++)
            pthread_join(threads[i], NULL);
        pthread_barrier_destroy(&barrier);
    }
    return 0;
}
