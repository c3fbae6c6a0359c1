/*
 * A process has no thread that it did not start itself.
 * only: lohalloc
 */
#include "../lib/tasks.h"

int main(void)
{
    for (size_t size = 1; size < 100 * MIB; size *= 3) {
        char *block = malloc(size);
        CHECK(block);
        touch(block, size);
        free(block);
    }
    sleep_ms(50);
    CHECK(tasks() == 1);
    pid_t child = fork();
    if (child == 0) {
        free(malloc(100 * KIB));
        _exit(tasks() == 1 ? 0 : 1);
    }
    check_child(child);
    return 0;
}
