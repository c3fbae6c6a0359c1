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
        CHECK(child == 0 || end_of(child) == 0);
        return 0;
    }
    const char *path = model_path("model");
    pid_t children[PROCESSES];
    char text[1 << 16];
    for (int i = 0; i < PROCESSES; i++)
        children[i] = start_again(arguments, learning_environment(path, NULL));
    for (int i = 0; i < PROCESSES; i++)
        CHECK(end_of(children[i]) == 0);
    CHECK(lohalloc_model_load(path) == 0);
    CHECK(read_file(path, text, sizeof text) > 200);
    if (model_runs(text) != 2 * PROCESSES)
        FAIL("%u runs of %d have come together", model_runs(text), 2 * PROCESSES);
    return 0;
}
