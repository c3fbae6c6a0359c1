/*
 * A thread may fork while blocks that others freed for it are on their way: parent and child go on with whole heaps.
 */
#include "../lib/churn.h"

enum { BLOCKS = 4000 };
static void *blocks[BLOCKS];

static void *freer(void *argument)
{
    for (size_t i = (size_t)argument; i < BLOCKS; i += 3)
        free(blocks[i]);
    return NULL;
}

static void fill_up(void)
{
    for (size_t i = 0; i < BLOCKS; i++) {
        size_t size = 16 + i % 40 * 50;
        CHECK(blocks[i] = malloc(size));
        fill(blocks[i], size, i);
    }
}

static void check_all(size_t step)
{
    for (size_t i = 0; i < BLOCKS; i++)
        if (i % 3 >= step)
            CHECK(filled(blocks[i], 16 + i % 40 * 50, i));
}

static void use(size_t from)
{
    void *again[BLOCKS];
    for (size_t i = 0; i < BLOCKS; i++) {
        CHECK(again[i] = malloc(16 + i % 40 * 50));
        memset(again[i], 0, 16 + i % 40 * 50);
    }
    check_all(from);
    for (size_t i = 0; i < BLOCKS; i++)
        free(again[i]);
    for (size_t i = 0; i < BLOCKS; i++)
        if (i % 3 >= from)
            free(blocks[i]);
}

static void *body(void *argument)
{
    for (int turn = 0; turn < 20; turn++) {
        fill_up();
        run_thread_body(freer, (void *)0);
        pid_t child = fork();
        if (child == 0) {
            alarm(20);
            run_thread_body(freer, (void *)1);
            use(2);
            exit(0);
        }
        check_child(child);
        use(1);
    }
    return argument;
}

int main(void)
{
    body(NULL);
    run_thread_body(body, NULL);
    return 0;
}
