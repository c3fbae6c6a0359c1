/*
 * Every function of the malloc family is the library's own: it owns what each of them returns.
 * only: lohalloc
 * flags: -rdynamic
 */
#include "../lib/test.h"
#include <dlfcn.h>

static int (*owns)(const void *);

static void owned(void *block)
{
    int local = 0;
    CHECK(block && owns(block) == 1 && owns((char *)block + 1) == 1);
    CHECK(!owns(&local) && !owns(&owns) && !owns(NULL) && !owns("text"));
    free(block);
}

int main(void)
{
    owns = (int (*)(const void *))dlsym(RTLD_DEFAULT, "lohalloc_owns");
    CHECK(owns);
    static const size_t sizes[] = {1, 300, 9000, 200 * KIB, 5 * MIB, 80 * MIB};
    for (size_t i = 0; i < COUNT(sizes); i++) {
        void *out = NULL;
        owned(malloc(sizes[i]));
        owned(calloc(1, sizes[i]));
        owned(realloc(NULL, sizes[i]));
        owned(realloc(malloc(8), sizes[i]));
        owned(reallocarray(NULL, 2, sizes[i]));
        owned(aligned_alloc(64, sizes[i]));
        owned(memalign(4096, sizes[i]));
        owned(valloc(sizes[i]));
        owned(pvalloc(sizes[i]));
        CHECK(posix_memalign(&out, 256, sizes[i]) == 0);
        owned(out);
    }
    owned(strdup("text"));
    return 0;
}
