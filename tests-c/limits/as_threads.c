/*
 * Threads and big reallocs work under RLIMIT_AS of 300 MB, and exhaustion in threads is survived.
 * only: lohalloc
 */
#include "../lib/churn.h"
#include <sys/resource.h>

static void *body(void *argument)
{
    void *blocks[4000];
    size_t count = 0;
    while (count < 4000 && (blocks[count] = malloc(50000))) {
        memset(blocks[count], 1, 100);
        count++;
    }
    for (size_t i = 0; i < count; i++)
        free(blocks[i]);
    return argument;
}

int main(int count, char **arguments)
{
    struct rlimit limit = {300 * MIB, 300 * MIB};
    pthread_attr_t attributes;
    if (count == 1) {
        char *again[] = {arguments[0], "limited", NULL};
        CHECK(setrlimit(RLIMIT_AS, &limit) == 0);
        execv(arguments[0], again);
        FAIL("exec: errno %d", errno);
    }
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 128 * KIB);
    for (int turn = 0; turn < 5; turn++) {
        pthread_t threads[6];
        for (int i = 0; i < 6; i++)
            CHECK(pthread_create(&threads[i], &attributes, body, NULL) == 0);
        for (int i = 0; i < 6; i++)
            pthread_join(threads[i], NULL);
        char *block = malloc(80 * MIB);
        CHECK(block);
        free(block);
        churn_once((uint64_t)turn, 1000);
    }
    return 0;
}
