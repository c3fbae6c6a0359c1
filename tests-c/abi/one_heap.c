/*
 * malloc, free and the rest are one heap for the program and for its libraries.
 */
#include "../lib/test.h"
#include <dlfcn.h>
#include <search.h>

static int compare(const void *a, const void *b)
{
    return strcmp(a, b);
}

int main(void)
{
    void *root = NULL;
    char text[32];
    for (int i = 0; i < 2000; i++) {
        snprintf(text, sizeof text, "%d", i * 7919 % 2000);
        CHECK(tsearch(strdup(text), &root, compare));
    }
    for (int i = 0; i < 2000; i++) {
        snprintf(text, sizeof text, "%d", i);
        char **node = tfind(text, &root, compare);
        CHECK(node && strcmp(*node, text) == 0);
        char *key = *node;
        tdelete(text, &root, compare);
        free(key);
    }
    CHECK(!root);
    /* The name that the loader finds is the one that the program calls. */
    void *(*found)(size_t) = (void *(*)(size_t))dlsym(RTLD_DEFAULT, "malloc");
    CHECK(found == malloc);
    return 0;
}
