/*
 * mallinfo2 counts the blocks that ended threads have left, and no more once these are freed.
 * force: arena
 */
#include "../lib/heap.h"

enum { THREADS = 20, EACH = 2000 };
static void **blocks;

static void *leaves(void *argument)
{
    size_t first = (size_t)(uintptr_t)argument * EACH;
    for (size_t i = 0; i < EACH; i++)
        CHECK(blocks[first + i] = malloc(200));
    return NULL;
}

int main(void)
{
    blocks = own_memory(THREADS * EACH * sizeof *blocks);
    run_thread_body(leaves, NULL);
    for (size_t i = 0; i < EACH; i++)
        free(blocks[i]);
    size_t start = heap_used();
    for (uintptr_t i = 0; i < THREADS; i++)
        run_thread_body(leaves, (void *)i);
    size_t full = heap_used();
    CHECK(full >= start + THREADS * EACH * (size_t)200);
    CHECK(full < start + THREADS * EACH * (size_t)260);
    for (size_t i = 0; i < THREADS * EACH; i++)
        free(blocks[i]);
    if (heap_used() > start + 256 * KIB)
        FAIL("%zu of %zu bytes left", heap_used() - start, full - start);
    return 0;
}
