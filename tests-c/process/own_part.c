/*
 * A program that defines only malloc, calloc, realloc and free, and hands what it does not know to the next, works.
 * ways: preload so
 * plugin: strings
 * flags: -rdynamic
 */
#include "../lib/test.h"
#include <dlfcn.h>

static char arena[32 << 20] __attribute__((aligned(4096)));
static size_t used;
static int passed_on;

static int is_ours(const void *block)
{
    return (const char *)block >= arena && (const char *)block < arena + sizeof arena;
}

void *malloc(size_t size)
{
    size_t place = __atomic_fetch_add(&used, (size + 47) & ~(size_t)15, __ATOMIC_SEQ_CST) + 16;
    if (place + size > sizeof arena)
        return NULL;
    *(size_t *)(arena + place - 16) = size;
    return arena + place;
}

void *calloc(size_t count, size_t size)
{
    return malloc(count * size);
}

void free(void *block)
{
    static void (*next)(void *);
    if (!block || is_ours(block))
        return;
    if (!next)
        next = (void (*)(void *))dlsym(RTLD_NEXT, "free");
    passed_on++;
    next(block);
}

void *realloc(void *block, size_t size)
{
    static void *(*next)(void *, size_t);
    if (block && !is_ours(block)) {
        if (!next)
            next = (void *(*)(void *, size_t))dlsym(RTLD_NEXT, "realloc");
        passed_on++;
        return next(block, size);
    }
    void *grown = malloc(size);
    if (grown && block) {
        size_t had = *(size_t *)((char *)block - 16);
        memcpy(grown, block, had < size ? had : size);
    }
    return grown;
}

int main(int count, char **arguments)
{
    CHECK(count == 2);
    for (size_t align = 16; align <= 4096; align *= 2) {
        /* Names that the program does not define. */
        void *block = NULL;
        CHECK(posix_memalign(&block, align, 1000) == 0 && !is_ours(block));
        CHECK((uintptr_t)block % align == 0 && malloc_usable_size(block) >= 1000);
        fill(block, 1000, align);
        block = realloc(block, 5000);
        CHECK(block && filled_part(block, 1000, 1000, align));
        free(block);
        block = aligned_alloc(align, 4096);
        CHECK(block);
        free(block);
        block = valloc(100);
        CHECK(block);
        free(block);
    }
    CHECK(passed_on > 20);
    char *text = strdup("text");
    CHECK(is_ours(text));
    free(text);
    void *plugin = dlopen(arguments[1], RTLD_NOW);
    CHECK(plugin);
    int (*round)(const char *) = (int (*)(const char *))dlsym(plugin, "plugin_round");
    CHECK(round && round("a line\n") == 7);
    return 0;
}
