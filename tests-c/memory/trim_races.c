/*
 * Threads that trim all the time change no byte of what others allocate, exchange and free meanwhile.
 */
#include "../lib/trim.h"

enum { THREADS = 4, SLOTS = 4096, TURNS = 150000 };
struct slot {
    pthread_mutex_t mutex;
    char *block;
    size_t size;
};
static struct slot slots[SLOTS];
static volatile int done;

static void *worker(void *argument)
{
    uint64_t random = 88172645463325252u + (uintptr_t)argument * 77;
    for (int i = 0; i < TURNS; i++) {
        /* Now and then a thread lets most of it go, so that pages become sparse. */
        int thin = i / 20000 % 2;
        struct slot *slot = &slots[random_next(&random) % SLOTS];
        pthread_mutex_lock(&slot->mutex);
        if (slot->block) {
            CHECK(filled(slot->block, slot->size, (uintptr_t)slot));
            free(slot->block);
            slot->block = NULL;
        }
        if (!thin || random_next(&random) % 16 == 0) {
            slot->size = random_size(&random, 8000);
            CHECK(slot->block = random % 4 ? malloc(slot->size) : calloc(1, slot->size));
            if (random % 4 == 0)
                CHECK(all_zero(slot->block, slot->size));
            fill(slot->block, slot->size, (uintptr_t)slot);
        }
        pthread_mutex_unlock(&slot->mutex);
    }
    return NULL;
}

static void *trimmer(void *argument)
{
    while (!done) {
        trim();
        sleep_ms(2);
    }
    return argument;
}

int main(void)
{
    pthread_t threads[THREADS], trims[2];
    for (int i = 0; i < SLOTS; i++)
        pthread_mutex_init(&slots[i].mutex, NULL);
    for (size_t i = 0; i < 2; i++)
        CHECK(pthread_create(&trims[i], NULL, trimmer, NULL) == 0);
    for (size_t i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, worker, (void *)i) == 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    done = 1;
    for (int i = 0; i < 2; i++)
        pthread_join(trims[i], NULL);
    for (int i = 0; i < SLOTS; i++)
        if (slots[i].block) {
            CHECK(filled(slots[i].block, slots[i].size, (uintptr_t)&slots[i]));
            free(slots[i].block);
        }
    return 0;
}
