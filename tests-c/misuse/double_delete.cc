/*
 * An object that is deleted twice stops the process.
 * signal: ABRT
 * stderr: ^lohalloc: double free of 0x[0-9a-f]+ \(block of [0-9]+ bytes\)$
 */
#include "../lib/test.h"

struct Object {
    char bytes[64];
};

int main()
{
    Object *object = new Object, *other = new Object;
    void *again = hide(object);
    delete object;
    operator delete(again);
    delete other;
    return 0;
}
