/*
 * Coroutines with small stacks allocate, free the blocks of others, and go on in other threads.
 */
#include "../lib/churn.h"
#include <ucontext.h>

enum { ROUTINES = 24, STACK = 16 * 1024, STEPS = 300 };

struct routine {
    ucontext_t here, *back;
    int done;
    struct slot slot;
};

static struct routine routines[ROUTINES];
static struct slot *shared[64];
static struct slot slots[64];
static size_t next;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* Kept out of line: its thread may be another after each swap. */
__attribute__((noinline)) static void give_way(struct routine *routine)
{
    swapcontext(&routine->here, routine->back);
}

static void run(int index)
{
    struct routine *routine = &routines[index];
    uint64_t random = (uint64_t)index * 999983 + 1;
    struct slot *mine = &routine->slot;
    for (int step = 0; step < STEPS; step++) {
        if (!mine->block)
            slot_new(mine, step % 50 ? 4 * KIB : 400 * KIB, &random);
        else
            slot_free(mine);
        mine = __atomic_exchange_n(&shared[random_next(&random) % 64], mine, __ATOMIC_ACQ_REL);
        give_way(routine);
    }
    routine->done = 1;
    give_way(routine);
}

static void *body(void *argument)
{
    ucontext_t here;
    for (;;) {
        pthread_mutex_lock(&mutex);
        /* Each in its turn; who has it has it alone. */
        size_t left = ROUTINES;
        struct routine *routine = NULL;
        while (left-- > 0 && !routine) {
            struct routine *candidate = &routines[next++ % ROUTINES];
            if (!candidate->done && !candidate->back)
                routine = candidate;
        }
        if (routine)
            routine->back = &here;
        int all_done = 1;
        for (int i = 0; i < ROUTINES; i++)
            all_done &= routines[i].done;
        pthread_mutex_unlock(&mutex);
        if (all_done)
            return argument;
        if (!routine) {
            sched_yield();
            continue;
        }
        swapcontext(&here, &routine->here);
        pthread_mutex_lock(&mutex);
        routine->back = NULL;
        pthread_mutex_unlock(&mutex);
    }
}

int main(void)
{
    pthread_t threads[3];
    for (size_t i = 0; i < 64; i++)
        shared[i] = &slots[i];
    for (int i = 0; i < ROUTINES; i++) {
        getcontext(&routines[i].here);
        routines[i].here.uc_stack.ss_sp = own_memory(STACK);
        routines[i].here.uc_stack.ss_size = STACK;
        makecontext(&routines[i].here, (void (*)(void))run, 1, i);
    }
    for (int i = 0; i < 3; i++)
        CHECK(pthread_create(&threads[i], NULL, body, NULL) == 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    churn_end(slots, 64);
    for (int i = 0; i < ROUTINES; i++)
        slot_free(&routines[i].slot);
    return 0;
}
