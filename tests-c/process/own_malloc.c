/*
 * A program that defines the whole malloc family itself is served by its own, and so are libc and its plugins.
 * ways: preload so
 * plugin: strings
 * flags: -rdynamic
 */
#include "../lib/test.h"
#include <dlfcn.h>

/* The simplest allocator: nothing is used again. The size lies in front of each block. */
static char arena[32 << 20] __attribute__((aligned(4096)));
static size_t used;
static int frees;

static int is_ours(const void *block)
{
    return (const char *)block >= arena && (const char *)block < arena + sizeof arena;
}

void *memalign(size_t align, size_t size)
{
    if (align < 16)
        align = 16;
    size_t place = (__atomic_fetch_add(&used, size + 16 + 2 * align, __ATOMIC_SEQ_CST) + 16 + align) & ~(align - 1);
    if (place + size > sizeof arena)
        return NULL;
    *(size_t *)(arena + place - 16) = size;
    return arena + place;
}

void *malloc(size_t size)
{
    return memalign(16, size);
}

void *calloc(size_t count, size_t size)
{
    return malloc(count * size);
}

void free(void *block)
{
    if (block && !is_ours(block))
        FAIL("free of a foreign block");
    frees++;
}

size_t malloc_usable_size(void *block)
{
    return block ? *(size_t *)((char *)block - 16) : 0;
}

void *realloc(void *block, size_t size)
{
    void *grown = malloc(size);
    size_t had = malloc_usable_size(block);
    if (grown && block)
        memcpy(grown, block, had < size ? had : size);
    free(block);
    return grown;
}

int posix_memalign(void **out, size_t align, size_t size)
{
    *out = memalign(align, size);
    return *out ? 0 : ENOMEM;
}

void *aligned_alloc(size_t align, size_t size)
{
    return memalign(align, size);
}

static void *body(void *argument)
{
    CHECK(is_ours(argument));
    free(argument);
    return strdup("from the thread");
}

int main(int count, char **arguments)
{
    CHECK(count == 2);
    char *text = strdup("text"), *line = NULL;
    CHECK(is_ours(text) && asprintf(&line, "%d", 5) == 1 && is_ours(line));
    void *plugin = dlopen(arguments[1], RTLD_NOW);
    CHECK(plugin);
    char *(*copy)(const char *) = (char *(*)(const char *))dlsym(plugin, "plugin_copy");
    void (*drop)(void *) = (void (*)(void *))dlsym(plugin, "plugin_drop");
    int (*round)(const char *) = (int (*)(const char *))dlsym(plugin, "plugin_round");
    CHECK(copy && drop && round);
    char *theirs = copy("theirs");
    CHECK(is_ours(theirs));
    drop(text);
    free(theirs);
    CHECK(round("a line\n") == 7);
    char *answer = run_thread_body(body, line);
    CHECK(is_ours(answer));
    free(answer);
    CHECK(setenv("SOME_NAME", "some value", 1) == 0);
    FILE *file = fopen("/dev/null", "w");
    CHECK(file && fprintf(file, "%100d", 1) == 100 && fclose(file) == 0);
    CHECK(frees >= 4);
    return 0;
}
