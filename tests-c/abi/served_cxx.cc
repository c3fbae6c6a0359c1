/*
 * Every form of operator new is the library's own: it owns what each of them returns.
 * only: lohalloc
 * flags: -rdynamic
 */
#include "../lib/test.h"
#include <dlfcn.h>
#include <new>

int main()
{
    int (*owns)(const void *) = (int (*)(const void *))dlsym(RTLD_DEFAULT, "lohalloc_owns");
    CHECK(owns);
    for (size_t size = 1; size < 10 * MIB; size *= 3) {
        void *blocks[8] = {
            operator new(size), operator new[](size),
            operator new(size, std::nothrow), operator new[](size, std::nothrow),
            operator new(size, std::align_val_t(64)), operator new[](size, std::align_val_t(64)),
            operator new(size, std::align_val_t(64), std::nothrow),
            operator new[](size, std::align_val_t(64), std::nothrow),
        };
        for (void *block : blocks)
            CHECK(owns(block));
        for (int i = 0; i < 4; i++)
            operator delete(blocks[i]);
        for (int i = 4; i < 8; i++)
            operator delete(blocks[i], std::align_val_t(64));
    }
    return 0;
}
