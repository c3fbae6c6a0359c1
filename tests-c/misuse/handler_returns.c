/*
 * The message of a misuse reaches stderr also when SIGABRT is caught, and the process still stops.
 * only: lohalloc
 * signal: ABRT
 * stderr: ^lohalloc: double free of 0x[0-9a-f]+ \(block of [0-9]+ bytes\)$
 */
#include "../lib/test.h"

static void handler(int number)
{
    (void)number;
}

int main(void)
{
    char *block = malloc(64), *other = malloc(64);
    signal(SIGABRT, handler);
    free(block);
    free(hide(block));
    free(other);
    _exit(0);
}
