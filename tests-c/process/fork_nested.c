/*
 * Children of children, forked from threads of each, can use malloc and free.
 */
#include "../lib/churn.h"

static void generation(int depth);

static void *body(void *argument)
{
    churn_once((uint64_t)argument, 300);
    generation((int)(size_t)argument - 1);
    churn_once((uint64_t)argument, 300);
    return NULL;
}

static void generation(int depth)
{
    if (depth < 0)
        return;
    char *block = malloc(5000);
    CHECK(block);
    fill(block, 5000, (uint64_t)depth);
    pid_t child = fork();
    if (child == 0) {
        alarm(20);
        CHECK(filled(block, 5000, (uint64_t)depth));
        free(block);
        run_thread_body(body, (void *)(size_t)depth);
        exit(0);
    }
    churn_once((uint64_t)depth, 300);
    check_child(child);
    CHECK(filled(block, 5000, (uint64_t)depth));
    free(block);
}

int main(void)
{
    for (int turn = 0; turn < 5; turn++)
        generation(6);
    return 0;
}
