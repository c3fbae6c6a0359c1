/*
 * Processes that learn at the same time leave one model, whole, with what each has learned.
 * only: lohalloc
 * ways: preload
 */
#include "../lib/bursts.h"

enum { PROCESSES = 6 };

int main(int count, char **arguments)
{
    (void)count;
    if (getenv("LOHALLOC_TRAIN")) {
        pid_t child = fork();
        serve(2, child == 0 ? 2 : 3);
        if (child > 0) {
            int status;
            CHECK(waitpid(child, &status, 0) == child && status == 0);
        }
        return 0;
    }
    const char *path = model_path("model");
    pid_t children[PROCESSES];
    char variable[200], preload[1024];
    snprintf(variable, sizeof variable, "LOHALLOC_TRAIN=%s", path);
    snprintf(preload, sizeof preload, "LD_PRELOAD=%s", getenv("LD_PRELOAD"));
    char *environment[] = {preload, variable, NULL};
    for (int i = 0; i < PROCESSES; i++)
        if ((children[i] = fork()) == 0) {
            execve("/proc/self/exe", arguments, environment);
            _exit(1);
        }
    for (int i = 0; i < PROCESSES; i++) {
        int status;
        CHECK(waitpid(children[i], &status, 0) == children[i] && status == 0);
    }
    CHECK(lohalloc_model_load(path) == 0);
    /* Where the format has the number of runs. */
    char text[1 << 16];
    unsigned runs;
    CHECK(read_file(path, text, sizeof text) > 200);
    memcpy(&runs, text + 52, sizeof runs);
    if (runs != 2 * PROCESSES)
        FAIL("%u runs of %d have come together", runs, 2 * PROCESSES);
    return 0;
}
