/*
 * A failure of dlopen is told as libc tells it, and dlopen(NULL) opens the program.
 */
#define _GNU_SOURCE
#include "../lib/test.h"
#include <dlfcn.h>
#include <string.h>

int main(void)
{
    for (int i = 0; i < 2; i++) {
        int flags = i ? RTLD_NOW | RTLD_DEEPBIND : RTLD_LAZY;
        CHECK(dlopen("no/such/library.so", flags) == NULL);
        char *said = dlerror();
        CHECK(said && strstr(said, "no/such/library.so"));
        CHECK(dlerror() == NULL);
        CHECK(dlopen("libc.so.6", flags | RTLD_NOLOAD));
        CHECK(dlopen(NULL, flags) != NULL);
    }
    return 0;
}
