/*
 * free never changes errno, and calls that succeed leave it alone.
 * force: slab buddy system arena
 */
#include "../lib/test.h"

int main(void)
{
    static const size_t sizes[] = {1, 100, 5000, 100 * KIB, 3 * MIB, 40 * MIB};
    for (int turn = 0; turn < 20; turn++) {
        for (size_t i = 0; i < COUNT(sizes); i++) {
            errno = 1234;
            char *block = malloc(sizes[i]);
            CHECK(block && errno == 1234);
            block[0] = 1;
            block = realloc(block, sizes[i] * 2);
            CHECK(block && errno == 1234);
            free(block);
            CHECK(errno == 1234);
            void *out = NULL;
            CHECK(posix_memalign(&out, 256, sizes[i]) == 0 && errno == 1234);
            free(out);
            CHECK(errno == 1234);
        }
    }
    return 0;
}
