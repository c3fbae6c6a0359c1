/*
 * A program that is linked wholly statically works, with threads, forks and memory given back.
 * flags: -static -Wl,--no-warnings
 * ways: a
 */
#include "../lib/churn.h"

static void *body(void *argument)
{
    churn_once((uint64_t)argument, 500);
    return NULL;
}

int main(void)
{
    size_t start = 0;
    for (size_t i = 0; i < 500; i++) {
        run_thread_body(body, (void *)i);
        if (i == 50)
            start = resident();
    }
    CHECK(resident() < start + 4 * MIB);
    for (uint64_t turn = 0; turn < 20; turn++) {
        pid_t child = fork();
        if (child == 0) {
            run_thread_body(body, NULL);
            exit(0);
        }
        churn_once(turn, 100);
        check_child(child);
    }
    char *block = malloc(100 * MIB);
    CHECK(block);
    touch(block, 100 * MIB);
    free(block);
    if (resident() > start + 12 * MIB)
        FAIL("resident %zu KiB, at the end %zu KiB", start / KIB, resident() / KIB);
    char *text = strdup("libc's own blocks are the library's");
    CHECK(malloc_usable_size(text) >= strlen(text) + 1);
    free(text);
    return 0;
}
