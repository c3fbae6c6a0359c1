/*
 * Threads that ask for mallinfo2, malloc_info and malloc_trim all the time do no harm to others that allocate.
 */
#include "../lib/test.h"

enum { WORKERS = 3, SLOTS = 200, ROUNDS = 60000 };
static int done;
/* Blocks on their way from one worker to another. */
static void *shared[64];

static void *work(void *argument)
{
    uint64_t state = (uintptr_t)argument;
    static __thread struct { unsigned char *block; size_t size; } mine[SLOTS];
    for (int i = 0; i < ROUNDS; i++) {
        size_t slot = random_next(&state) % SLOTS;
        if (mine[slot].block)
            CHECK(filled(mine[slot].block, mine[slot].size, slot));
        free(mine[slot].block);
        mine[slot].size = random_size(&state, i % 100 ? 2000 : 500000);
        CHECK(mine[slot].block = malloc(mine[slot].size));
        fill(mine[slot].block, mine[slot].size, slot);
        void *other = malloc(100);
        free(__atomic_exchange_n(&shared[random_next(&state) % COUNT(shared)], other, __ATOMIC_ACQ_REL));
    }
    for (size_t i = 0; i < SLOTS; i++)
        free(mine[i].block);
    return NULL;
}

static void *ask(void *argument)
{
    char text[64];
    while (!__atomic_load_n(&done, __ATOMIC_ACQUIRE)) {
        struct mallinfo2 info = mallinfo2();
        CHECK(info.arena >= info.uordblks && info.arena < (size_t)1 << 32);
        malloc_trim(0);
        FILE *file = fmemopen(text, sizeof text, "w");
        CHECK(file);
        setvbuf(file, NULL, _IONBF, 0);
        malloc_info(0, file);
        fclose(file);
    }
    return argument;
}

int main(void)
{
    pthread_t workers[WORKERS], askers[2];
    for (int i = 0; i < 2; i++)
        CHECK(pthread_create(&askers[i], NULL, ask, NULL) == 0);
    for (int i = 0; i < WORKERS; i++)
        CHECK(pthread_create(&workers[i], NULL, work, (void *)(uintptr_t)(i + 1)) == 0);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(workers[i], NULL);
    __atomic_store_n(&done, 1, __ATOMIC_RELEASE);
    for (int i = 0; i < 2; i++)
        pthread_join(askers[i], NULL);
    for (size_t i = 0; i < COUNT(shared); i++)
        free(shared[i]);
    return 0;
}
