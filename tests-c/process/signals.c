/*
 * A storm of signals, each of which interrupts what runs, harms no block and no other thread.
 */
#include "../lib/churn.h"
#include <sys/time.h>

static volatile sig_atomic_t caught;
static volatile int stop;

static void handler(int signal)
{
    int kept = errno;
    char text[64];
    caught += signal != 0;
    memset(text, signal, sizeof text);
    errno = kept;
}

static void *body(void *argument)
{
    churn_once((uint64_t)argument, 30000);
    __atomic_add_fetch(&stop, 1, __ATOMIC_SEQ_CST);
    /* A signal may still be on its way to this thread. */
    while (stop < 3)
        sleep_ms(1);
    return NULL;
}

int main(void)
{
    struct sigaction action = {.sa_handler = handler};
    struct itimerval timer = {{0, 300}, {0, 300}};
    pthread_t threads[2];
    /* Without SA_RESTART: every wait may end early. */
    CHECK(sigaction(SIGALRM, &action, NULL) == 0 && sigaction(SIGUSR1, &action, NULL) == 0);
    for (size_t i = 0; i < 2; i++)
        CHECK(pthread_create(&threads[i], NULL, body, (void *)(i + 1)) == 0);
    CHECK(setitimer(ITIMER_REAL, &timer, NULL) == 0);
    for (int turn = 0; stop < 2; turn++) {
        pthread_kill(threads[turn % 2], SIGUSR1);
        churn_once((uint64_t)turn, 20);
        errno = 12345;
        free(hide(malloc(100 + (size_t)turn % 1000)));
        CHECK(errno == 12345);
    }
    timer = (struct itimerval){{0, 0}, {0, 0}};
    CHECK(setitimer(ITIMER_REAL, &timer, NULL) == 0);
    stop = 3;
    for (size_t i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    CHECK(caught > 0);
    return 0;
}
