/*
 * Threads that exhaust 100 MiB of addresses together lose nothing; after they free, all of it is there again.
 */
#include "../lib/exhaust.h"

static struct taken all[4];
static pthread_barrier_t barrier;

static void *body(void *argument)
{
    struct taken *taken = argument;
    enum way way = (enum way)((taken - all) % 3 ? MIXED : SMALL);
    pthread_barrier_wait(&barrier);
    CHECK(!take(taken, way, SIZE_MAX));
    pthread_barrier_wait(&barrier);
    check_taken(taken);
    pthread_barrier_wait(&barrier);
    /* What one took, another frees. */
    free_taken(&all[(taken - all + 1) % 4]);
    return NULL;
}

int main(void)
{
    pthread_attr_t attributes;
    for (int i = 0; i < 4; i++)
        all[i] = taken_new(500000);
    pthread_barrier_init(&barrier, NULL, 4);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 128 * KIB);
    check_thread(128 * KIB);
    set_limit(RLIMIT_AS, status_bytes("VmSize:") + 100 * MIB);
    for (int turn = 0; turn < 3; turn++) {
        pthread_t threads[4];
        for (int i = 0; i < 4; i++)
            CHECK(pthread_create(&threads[i], &attributes, body, &all[i]) == 0);
        for (int i = 0; i < 4; i++)
            pthread_join(threads[i], NULL);
        void *block = malloc(50 * MIB);
        if (!block)
            FAIL("50 MiB are not to be had in turn %d", turn);
        free(block);
    }
    return 0;
}
