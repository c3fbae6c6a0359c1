/*
 * Contents stay intact while threads free and realloc the blocks of one another.
 * force: slab buddy system arena
 */
#include "../lib/churn.h"

/* A slot is taken by an exchange, so that only one thread works on a block. */
static struct slot *shared[512];
static struct slot slots[512 + 4 * 8];

static void *body(void *argument)
{
    size_t thread = (size_t)argument;
    uint64_t random = (thread + 1) * 77777777777u;
    struct slot *mine[8];
    for (size_t i = 0; i < 8; i++)
        mine[i] = &slots[512 + thread * 8 + i];
    for (int turn = 0; turn < 60000; turn++) {
        struct slot **own = &mine[random_next(&random) % 8];
        struct slot *slot = *own;
        size_t limit = turn % 256 ? 4 * KIB : 2 * MIB;
        if (!slot->block)
            slot_new(slot, limit, &random);
        else if (random_next(&random) % 4 == 0)
            slot_resize(slot, limit, &random);
        else
            slot_free(slot);
        *own = __atomic_exchange_n(&shared[random_next(&random) % 512], slot, __ATOMIC_ACQ_REL);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[4];
    for (size_t i = 0; i < 512; i++)
        shared[i] = &slots[i];
    for (size_t i = 0; i < 4; i++)
        CHECK(pthread_create(&threads[i], NULL, body, (void *)i) == 0);
    for (size_t i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    churn_end(slots, COUNT(slots));
    return 0;
}
