/*
 * A handler on a small stack of its own may allocate every kind of block, where no malloc was interrupted.
 */
#include "../lib/churn.h"

static struct slot slots[30];

static void handler(int signal)
{
    static const size_t sizes[] = {1, 100, 5000, 100 * KIB, 3 * MIB, 40 * MIB};
    for (size_t i = 0; i < COUNT(sizes); i++) {
        char *block = calloc(1, sizes[i]);
        CHECK(block && block[sizes[i] - 1] == 0 && signal == SIGUSR1);
        block = realloc(block, sizes[i] * 2);
        CHECK(block);
        free(block);
    }
    churn(slots, 30, 16 * KIB, 30, 7);
}

static void *body(void *argument)
{
    stack_t stack = {.ss_sp = own_memory(16 * KIB), .ss_size = 16 * KIB};
    CHECK(sigaltstack(&stack, NULL) == 0);
    for (int turn = 0; turn < 50; turn++) {
        raise(SIGUSR1);
        churn(slots, 30, 16 * KIB, 30, (uint64_t)turn);
    }
    stack.ss_flags = SS_DISABLE;
    CHECK(sigaltstack(&stack, NULL) == 0);
    return argument;
}

int main(void)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
    CHECK(sigaction(SIGUSR1, &action, NULL) == 0);
    body(NULL);
    run_thread_body(body, NULL);
    churn_end(slots, 30);
    return 0;
}
