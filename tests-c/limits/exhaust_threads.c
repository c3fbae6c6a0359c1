/*
 * Six threads exhaust RLIMIT_AS or RLIMIT_DATA together: each gets NULL and ENOMEM, no block loses its bytes.
 * only: lohalloc
 */
#include "../lib/limits.h"

enum { THREADS = 6 };
static pthread_barrier_t barrier;
static struct taken *chains[THREADS];

static void *body(void *argument)
{
    static const size_t sizes[] = {48, 900, 9000, 100 * KIB, 700 * KIB, 3 * MIB};
    size_t me = (uintptr_t)argument;
    for (int turn = 0; turn < 2; turn++) {
        /* Nobody takes more before all have seen the end. */
        take_all(&chains[me], sizes[(me + (size_t)turn) % COUNT(sizes)], 512 * MIB, malloc);
        pthread_barrier_wait(&barrier);
        check_all(chains[me]);
        pthread_barrier_wait(&barrier);
        /* Another's blocks: remote frees where memory is short. */
        free_all(&chains[(me + 1) % THREADS]);
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

static void together(int resource, size_t limit)
{
    pthread_t threads[THREADS];
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 64 * KIB);
    pthread_barrier_init(&barrier, NULL, THREADS);
    limit_to(resource, limit);
    for (size_t i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], &attributes, body, (void *)(uintptr_t)i) == 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    /* All is free: one large block, and threads again. */
    void *block = malloc(limit / 3);
    CHECK(block);
    free(block);
    for (int i = 0; i < 10; i++)
        thread_works(64 * KIB);
    limit_lift(resource);
}

int main(void)
{
    together(RLIMIT_AS, 16 * MIB);
    together(RLIMIT_DATA, 16 * MIB);
    together(RLIMIT_AS, 40 * MIB);
    return 0;
}
