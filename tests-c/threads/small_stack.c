/*
 * A thread with the smallest stack can allocate every kind of block.
 */
#include "../lib/test.h"
#include <limits.h>

static void *body(void *argument)
{
    static const size_t sizes[] = {1, 100, 5000, 100 * KIB, 3 * MIB, 40 * MIB};
    for (int turn = 0; turn < 3; turn++) {
        for (size_t i = 0; i < COUNT(sizes); i++) {
            char *block = calloc(1, sizes[i]);
            CHECK(block);
            block = realloc(block, sizes[i] * 2);
            CHECK(block);
            free(block);
            block = memalign(4096, sizes[i]);
            CHECK(block);
            free(block);
        }
    }
    return argument;
}

int main(void)
{
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    CHECK(pthread_attr_setstacksize(&attributes, PTHREAD_STACK_MIN) == 0);
    for (int i = 0; i < 20; i++) {
        CHECK(pthread_create(&thread, &attributes, body, NULL) == 0);
        pthread_join(thread, NULL);
    }
    return 0;
}
