/*
 * A program that catches its own faults, allocates on its signal stack and jumps out of the handler goes on.
 */
#include "../lib/churn.h"
#include <setjmp.h>

static sigjmp_buf back;
static struct slot slots[40];
static char *guarded;

static void handler(int number, siginfo_t *info, void *context)
{
    /* The fault was the program's own, outside malloc, so the handler may allocate. */
    CHECK(number == SIGSEGV && context);
    churn(slots, COUNT(slots), 20 * KIB, 100, (uint64_t)(uintptr_t)info->si_addr);
    siglongjmp(back, 1);
}

__attribute__((noinline)) static int deep(volatile char *above)
{
    volatile char here[1000];
    if (above[0] == 'y')
        return 0;
    here[0] = above[0];
    return deep(here) + here[0];
}

static void fault(int turn)
{
    volatile char nothing[1000] = "x";
    if (turn % 10 == 0)
        deep(nothing);
    else
        *(volatile char *)guarded = 1;
}

static void *body(void *argument)
{
    stack_t stack = {.ss_sp = own_memory(64 * KIB), .ss_size = 64 * KIB};
    CHECK(sigaltstack(&stack, NULL) == 0);
    for (volatile int turn = 0; turn < 100; turn++) {
        char *volatile block = malloc(500);
        CHECK(block);
        if (sigsetjmp(back, 1) == 0) {
            fault(turn);
            FAIL("no fault");
        }
        free(block);
        churn_once((uint64_t)turn, 50);
    }
    stack.ss_flags = SS_DISABLE;
    CHECK(sigaltstack(&stack, NULL) == 0);
    return argument;
}

int main(void)
{
    struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    CHECK(sigaction(SIGSEGV, &action, NULL) == 0);
    guarded = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(guarded != MAP_FAILED);
    run_thread_body(body, NULL);
    body(NULL);
    churn_end(slots, COUNT(slots));
    return 0;
}
