/* What the loops call in place of the allocator when only the loop is wanted. It
 * is a library of its own, so that these calls pass the PLT as those of malloc do
 * and subtracting them leaves the work of the allocator. */
#include <stddef.h>

static char block[1 << 20];

void *none_malloc(size_t size) {
    (void)size;
    return block;
}

void *none_calloc(size_t count, size_t size) {
    (void)count, (void)size;
    return block;
}

void *none_realloc(void *p, size_t size) {
    (void)p, (void)size;
    return block;
}

void none_free(void *p) { (void)p; }
