/*
 * A plugin and its host free and reallocate the blocks of each other, from several threads.
 * plugin: worker
 */
#include "../lib/churn.h"
#include <dlfcn.h>

static void *(*plugin_new)(size_t);
static void *(*plugin_grow)(void *, size_t);
static void (*plugin_free)(void *);
static char *path;

static void *body(void *argument)
{
    for (size_t i = 1; i < 3000; i++) {
        char *block = plugin_new(i), *own = malloc(i * 2);
        CHECK(block && own && all_zero(block, i));
        fill(own, i * 2, i);
        block = realloc(block, i * 3);
        own = plugin_grow(own, i * 5);
        CHECK(block && own && filled_part(own, i * 2, i * 2, i));
        free(own);
        plugin_free(block);
    }
    /* Lookups allocate inside the loader. */
    void *plugin = dlopen(path, RTLD_LAZY);
    CHECK(plugin && dlsym(plugin, "plugin_new") == (void *)plugin_new);
    CHECK(dlsym(plugin, "no_such_name") == NULL && dlerror());
    CHECK(dlclose(plugin) == 0);
    return argument;
}

int main(int count, char **arguments)
{
    pthread_t threads[4];
    CHECK(count == 2);
    path = arguments[1];
    void *plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!plugin)
        FAIL("%s", dlerror());
    plugin_new = (void *(*)(size_t))dlsym(plugin, "plugin_new");
    plugin_grow = (void *(*)(void *, size_t))dlsym(plugin, "plugin_grow");
    plugin_free = (void (*)(void *))dlsym(plugin, "plugin_free");
    CHECK(plugin_new && plugin_grow && plugin_free);
    for (size_t i = 0; i < 4; i++)
        CHECK(pthread_create(&threads[i], NULL, body, NULL) == 0);
    for (size_t i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
