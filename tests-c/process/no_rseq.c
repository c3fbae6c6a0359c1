/*
 * Memory works in a process for which libc has registered no restartable sequences.
 * env: GLIBC_TUNABLES=glibc.pthread.rseq=0
 */
#include "../lib/test.h"

static void *body(void *argument)
{
    for (size_t size = 1; size < MIB; size = size * 3 / 2 + 1) {
        char *block = malloc(size);
        CHECK(block);
        fill(block, size, size);
        block = realloc(block, size * 2);
        CHECK(block && filled_part(block, size, size, size));
        free(block);
    }
    return argument;
}

int main(void)
{
    body(NULL);
    for (int i = 0; i < 20; i++)
        run_thread_body(body, NULL);
    return 0;
}
