/*
 * A process works with a huge environment and argument list, bound at start, without randomised addresses.
 */
#include "../lib/churn.h"
#include <sys/personality.h>

enum { WORDS = 1500, LENGTH = 500 };

static void *body(void *argument)
{
    churn_once((uint64_t)argument, 1000);
    return NULL;
}

static void work(void)
{
    churn_once(1, 3000);
    for (size_t i = 0; i < 5; i++)
        run_thread_body(body, (void *)i);
    char *block = malloc(100 * MIB);
    CHECK(block);
    free(block);
    /* An environment that libc must copy to change. */
    for (int i = 0; i < 200; i++) {
        char name[32];
        snprintf(name, sizeof name, "NEW_%d", i);
        CHECK(setenv(name, name, 1) == 0);
    }
    CHECK(strcmp(getenv("NEW_199"), "NEW_199") == 0);
}

int main(int count, char **arguments)
{
    static char words[WORDS][LENGTH];
    static char *list[WORDS + 2], *environment[WORDS + 64];
    if (count > 1) {
        CHECK(count == WORDS + 1 && strlen(arguments[WORDS]) == LENGTH - 1);
        work();
        return 0;
    }
    size_t kept = 0;
    for (char **at = environ; *at && kept < 50; at++)
        environment[kept++] = *at;
    environment[kept++] = "LD_BIND_NOW=1";
    list[0] = arguments[0];
    for (size_t i = 0; i < WORDS; i++) {
        snprintf(words[i], LENGTH, "WORD%zu=%0*d", i, LENGTH, 7);
        environment[kept++] = list[i + 1] = words[i];
    }
    for (int plain = 0; plain < 2; plain++) {
        pid_t child = fork();
        if (child == 0) {
            if (personality((unsigned long)(plain ? ADDR_NO_RANDOMIZE : 0)) == -1)
                SKIP("personality is refused here");
            execve("/proc/self/exe", list, environment);
            FAIL("exec: errno %d", errno);
        }
        int status = 0;
        CHECK(waitpid(child, &status, 0) == child);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
            exit(77);
        CHECK(status == 0);
    }
    return 0;
}
