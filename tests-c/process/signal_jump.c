/*
 * A handler may jump out of code that is not malloc's, and allocate on, as often as it likes.
 */
#include "../lib/churn.h"
#include <setjmp.h>

static sigjmp_buf again;
static struct slot slots[60];

static void handler(int signal)
{
    siglongjmp(again, signal);
}

int main(void)
{
    static volatile int turn;
    struct sigaction action = {.sa_handler = handler};
    CHECK(sigaction(SIGUSR1, &action, NULL) == 0 && sigaction(SIGSEGV, &action, NULL) == 0);
    volatile char *hole = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(hole != MAP_FAILED);
    sigsetjmp(again, 1);
    turn++;
    churn(slots, 60, 64 * KIB, 200, (uint64_t)turn);
    if (turn < 500) {
        if (turn % 2)
            raise(SIGUSR1);
        else
            hole[0] = 1;
        FAIL("the signal was not caught");
    }
    churn_end(slots, 60);
    return 0;
}
