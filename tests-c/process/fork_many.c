/*
 * Several threads fork at once while fork handlers, registered before and after the first allocation, allocate.
 */
#include "../lib/churn.h"

static __thread void *kept;

static void before(void)
{
    kept = malloc(3000);
    CHECK(kept);
    memset(kept, 3, 3000);
    free(hide(calloc(1, 300 * KIB)));
}

static void after(void)
{
    CHECK(((char *)kept)[2999] == 3);
    free(kept);
    kept = NULL;
    free(hide(malloc(100)));
}

static void early(void)
{
    CHECK(pthread_atfork(before, after, after) == 0);
}

__attribute__((section(".preinit_array"), used)) static void (*const entry)(void) = early;

static void before_late(void)
{
    churn_once(5, 30);
}

static void *body(void *argument)
{
    for (int turn = 0; turn < 15; turn++) {
        pid_t child = fork();
        if (child == 0) {
            alarm(20);
            churn_once((uint64_t)argument, 200);
            _exit(0);
        }
        churn_once((uint64_t)argument, 200);
        check_child(child);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[4];
    CHECK(pthread_atfork(before_late, before_late, before_late) == 0);
    for (size_t i = 0; i < 4; i++)
        CHECK(pthread_create(&threads[i], NULL, body, (void *)(i + 1)) == 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
