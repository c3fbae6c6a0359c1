/*
 * Blocks that outlive their thread are whole and can be freed and reallocated long after.
 */
#include "../lib/churn.h"

enum { THREADS = 300, EACH = 40 };
static struct slot slots[THREADS][EACH];

static void *body(void *argument)
{
    size_t thread = (size_t)argument;
    uint64_t random = thread * 99991 + 7;
    for (int i = 0; i < EACH; i++)
        slot_new(&slots[thread][i], i % 10 ? 2 * KIB : 200 * KIB, &random);
    return NULL;
}

int main(void)
{
    uint64_t random = 5;
    for (size_t i = 0; i < THREADS; i++)
        run_thread_body(body, (void *)i);
    for (size_t i = 0; i < THREADS; i++)
        for (int k = 0; k < EACH; k += 2)
            slot_resize(&slots[i][k], 4 * KIB, &random);
    for (size_t i = 0; i < THREADS; i++)
        churn_end(slots[i], EACH);
    return 0;
}
