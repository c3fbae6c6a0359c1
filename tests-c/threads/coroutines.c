/*
 * Coroutines with 16 KiB of stack may allocate, move from thread to thread and free each other's blocks.
 */
#include "../lib/test.h"
#include <ucontext.h>

enum { COROUTINES = 60, TURNS = 30, STACK = 16 * 1024 };

struct coroutine {
    ucontext_t context, *back;
    void *left[COROUTINES];
    char *stack;
    int turns, ended;
};
static struct coroutine *all;
static pthread_barrier_t swapped;

static size_t size_of(size_t i)
{
    return i % 10 == 9 ? 300 * KIB : i % 5 * 700 + 16;
}

static void body(unsigned me)
{
    struct coroutine *self = &all[me];
    for (self->turns = 0; self->turns < TURNS; self->turns++) {
        for (size_t i = 0; i < 10; i++) {
            char *block = malloc(size_of(i));
            CHECK(block);
            memset(block, (int)me, size_of(i));
            free(self->left[i]);
            self->left[i] = block;
        }
        /* Goes on in the other thread. */
        swapcontext(&self->context, self->back);
        for (size_t i = 0; i < 10; i++) {
            unsigned char *block = self->left[i];
            CHECK(block[0] == me && block[size_of(i) - 1] == me);
            CHECK(self->left[i] = realloc(block, size_of(i) + 100));
        }
    }
    for (size_t i = 0; i < 10; i++)
        free(self->left[i]);
    self->ended = 1;
    swapcontext(&self->context, self->back);
}

/* Runs every second coroutine; then the threads change places. */
static void *thread(void *argument)
{
    ucontext_t here;
    for (size_t turn = 0; turn <= TURNS; turn++) {
        for (size_t i = (turn + (size_t)argument) % 2; i < COROUTINES; i += 2) {
            all[i].back = &here;
            CHECK(!all[i].ended && swapcontext(&here, &all[i].context) == 0);
        }
        pthread_barrier_wait(&swapped);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    all = own_memory(COROUTINES * sizeof *all);
    pthread_barrier_init(&swapped, NULL, 2);
    for (unsigned i = 0; i < COROUTINES; i++) {
        all[i].stack = malloc(STACK);
        CHECK(all[i].stack && getcontext(&all[i].context) == 0);
        all[i].context.uc_stack.ss_sp = all[i].stack;
        all[i].context.uc_stack.ss_size = STACK;
        makecontext(&all[i].context, (void (*)(void))body, 1, i);
    }
    for (size_t i = 0; i < 2; i++)
        CHECK(pthread_create(&threads[i], NULL, thread, (void *)i) == 0);
    for (size_t i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    for (size_t i = 0; i < COROUTINES; i++) {
        CHECK(all[i].ended);
        free(all[i].stack);
    }
    return 0;
}
