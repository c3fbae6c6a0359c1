/*
 * Blocks of the allocator behind ours, by its own names, are freed, resized and measured by the usual ones.
 * ways: preload so a
 */
#include "../lib/test.h"

extern void *__libc_malloc(size_t);
extern void *__libc_memalign(size_t, size_t);

static void *body(void *argument)
{
    for (size_t size = 1; size < 3 * MIB; size = size * 2 + 7) {
        char *block = __libc_malloc(size);
        CHECK(block && malloc_usable_size(block) >= size);
        fill(block, size, size);
        block = realloc(block, size * 2);
        CHECK(block && filled_part(block, size, size, size));
        char *own = malloc(size);
        CHECK(own);
        free(block);
        free(own);
        free(__libc_memalign(256, size));
    }
    return argument;
}

int main(void)
{
    body(NULL);
    for (int i = 0; i < 5; i++)
        run_thread_body(body, NULL);
    return 0;
}
