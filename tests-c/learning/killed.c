/*
 * What was learned until a second before survives a kill, and a process that ends in order leaves no
 * such part behind.
 * only: lohalloc
 * ways: preload
 */
#include "../lib/bursts.h"

int main(int count, char **arguments)
{
    (void)count;
    if (getenv("LOHALLOC_TRAIN")) {
        for (time_t start = time(NULL); time(NULL) < start + 4;)
            serve(1, 5);
        if (getenv("TEST_KILLED"))
            raise(SIGKILL);
        return 0;
    }
    for (int killed = 0; killed < 2; killed++) {
        char part[200];
        const char *path = model_path(killed ? "killed" : "ended");
        pid_t child = start_again(arguments, learning_environment(path, killed ? "TEST_KILLED=1" : NULL));
        int status = end_of(child);
        CHECK(killed ? WIFSIGNALED(status) : status == 0);
        snprintf(part, sizeof part, "%s.%d.part", path, child);
        CHECK(lohalloc_model_load(killed ? part : path) == 0);
        CHECK(access(killed ? path : part, F_OK) != 0);
    }
    return 0;
}
