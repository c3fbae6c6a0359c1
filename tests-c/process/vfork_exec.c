/*
 * vfork, posix_spawn, system and popen work from a threaded process that allocates.
 */
#include "../lib/churn.h"
#include <spawn.h>

extern char **environ;
static volatile int stop;

static void *hammer(void *argument)
{
    for (uint64_t seed = (uint64_t)argument; !stop; seed++)
        churn_once(seed, 500);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    char *arguments[] = {"true", NULL};
    CHECK(pthread_create(&thread, NULL, hammer, NULL) == 0);
    for (int turn = 0; turn < 15; turn++) {
        char line[64] = "";
        pid_t child = vfork();
        if (child == 0) {
            execv("/bin/true", arguments);
            _exit(3);
        }
        check_child(child);
        CHECK(posix_spawn(&child, "/bin/true", NULL, NULL, arguments, environ) == 0);
        check_child(child);
        CHECK(system("exit 0") == 0);
        FILE *pipe = popen("echo served", "r");
        CHECK(pipe && fgets(line, sizeof line, pipe));
        CHECK(strcmp(line, "served\n") == 0);
        CHECK(pclose(pipe) == 0);
        churn_once((uint64_t)turn, 200);
    }
    stop = 1;
    pthread_join(thread, NULL);
    return 0;
}
