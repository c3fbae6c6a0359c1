/*
 * A program that is to learn, and follows what it has learned before its end, leaves the model, once.
 * only: lohalloc
 * ways: preload
 */
#include "../lib/bursts.h"

int main(int count, char **arguments)
{
    (void)count;
    if (getenv("LOHALLOC_TRAIN")) {
        serve(2, 5);
        CHECK(lohalloc_freeze() == 0 && lohalloc_mode() == INFERENCE);
        serve(1, 6);
        CHECK(lohalloc_freeze() == 0);
        return 0;
    }
    const char *path = model_path("model");
    char text[1 << 16];
    CHECK(run_again(arguments, learning_environment(path, NULL)) == 0);
    CHECK(lohalloc_model_load(path) == 0);
    CHECK(read_file(path, text, sizeof text) > 200 && model_runs(text) == 1);
    return 0;
}
