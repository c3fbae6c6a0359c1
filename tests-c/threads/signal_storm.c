/*
 * Signals whose handlers leave malloc alone may interrupt it anywhere, on a signal stack too.
 */
#include "../lib/churn.h"

static volatile int stop;
static volatile unsigned long handled;

static void handler(int number)
{
    /* Registers and stack below the interrupted code get other values. */
    volatile char bytes[2000];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)number;
    handled += (unsigned long)(bytes[7] != 0);
}

static void *body(void *argument)
{
    stack_t stack = {.ss_sp = own_memory(64 * KIB), .ss_size = 64 * KIB};
    if (argument)
        CHECK(sigaltstack(&stack, NULL) == 0);
    for (uint64_t seed = (uint64_t)argument; !stop; seed++)
        churn_once(seed, 200);
    stack.ss_flags = SS_DISABLE;
    CHECK(sigaltstack(&stack, NULL) == 0);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART | SA_ONSTACK};
    CHECK(sigaction(SIGUSR1, &action, NULL) == 0);
    for (size_t i = 0; i < 2; i++)
        CHECK(pthread_create(&threads[i], NULL, body, (void *)i) == 0);
    for (int i = 0; i < 6000; i++) {
        CHECK(pthread_kill(threads[i % 2], SIGUSR1) == 0);
        if (i % 50 == 0) {
            free(malloc(1000));
            sched_yield();
        }
    }
    stop = 1;
    for (size_t i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    CHECK(handled > 0);
    return 0;
}
