/*
 * Blocks that libc's own heap gave out can be freed, measured and reallocated by the library.
 */
#include "../lib/churn.h"
#include <dlfcn.h>

static void *(*libc_malloc)(size_t);
static void *(*libc_memalign)(size_t, size_t);

static void *body(void *argument)
{
    size_t count = 0;
    for (size_t size = 1; size < 4 * MIB; size = size * 2 + 1) {
        for (size_t how = 0; how < 3; how++) {
            char *block = how == 2 ? libc_memalign(4096, size) : libc_malloc(size);
            CHECK(block);
            CHECK(malloc_usable_size(block) >= size);
            fill(block, size, size);
            if (how == 1) {
                block = realloc(block, size * 3);
                CHECK(block && filled_part(block, size, size, size));
            }
            free(block);
            count++;
        }
        churn_once(size, 20);
    }
    CHECK(count > 20);
    return argument;
}

int main(void)
{
    void *libc = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
    CHECK(libc);
    CHECK(libc_malloc = (void *(*)(size_t))dlsym(libc, "malloc"));
    CHECK(libc_memalign = (void *(*)(size_t, size_t))dlsym(libc, "memalign"));
    body(NULL);
    run_thread_body(body, NULL);
    return 0;
}
