/*
 * This program once more, in another environment.
 */
#ifndef AGAIN_H
#define AGAIN_H
#include "test.h"

/* Runs this program in a child with `word` for an argument, in this process's environment, which the
 * test may have changed. Behind the word stands the test's own argument, if it has one. */
__attribute__((unused)) static void again(char **arguments, const char *word)
{
    char *words[] = {arguments[0], (char *)word, arguments[1], NULL};
    pid_t child = fork();
    if (child == 0) {
        execv("/proc/self/exe", words);
        FAIL("exec: errno %d", errno);
    }
    check_child(child);
}
#endif
