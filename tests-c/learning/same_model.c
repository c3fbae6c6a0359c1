/*
 * The same run learns the same model, byte for byte, wherever things are loaded.
 * only: lohalloc
 * ways: preload
 */
#include "../lib/bursts.h"

int main(int count, char **arguments)
{
    char first[1 << 16], second[1 << 16], padding[3000];
    (void)count;
    if (getenv("LOHALLOC_TRAIN")) {
        serve(4, 5);
        return 0;
    }
    memset(padding, 'x', sizeof padding);
    padding[sizeof padding - 1] = 0;
    for (int run = 0; run < 2; run++) {
        const char *path = model_path(run ? "second" : "first");
        CHECK(run_again(arguments, learning_environment(path, run ? padding : NULL)) == 0);
    }
    size_t size = read_file(model_path("first"), first, sizeof first);
    CHECK(size > 200 && size == read_file(model_path("second"), second, sizeof second));
    CHECK(memcmp(first, second, size) == 0);
    return 0;
}
