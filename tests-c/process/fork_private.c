/*
 * After a fork neither process sees what the other writes to its blocks, and mapped memory is shared still.
 */
#include "../lib/test.h"

enum { BLOCKS = 200 };

static size_t size_of(size_t i)
{
    return i % 40 == 39 ? 20 * MIB / 4 : i % 10 == 9 ? 300 * KIB : i * 30 + 1;
}

int main(void)
{
    static char *blocks[BLOCKS];
    size_t page = 4096;
    int to_child[2], to_parent[2];
    char byte = 0;
    volatile char *shared = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(shared != MAP_FAILED && pipe(to_child) == 0 && pipe(to_parent) == 0);
    for (size_t i = 0; i < BLOCKS; i++) {
        CHECK(blocks[i] = malloc(size_of(i)));
        fill(blocks[i], size_of(i), i);
    }
    pid_t child = fork();
    if (child == 0) {
        alarm(20);
        for (size_t i = 0; i < BLOCKS; i++) {
            CHECK(filled(blocks[i], size_of(i), i));
            memset(blocks[i], 0xcc, size_of(i));
        }
        shared[0] = 1;
        CHECK(write(to_parent[1], &byte, 1) == 1);
        CHECK(read(to_child[0], &byte, 1) == 1);
        /* The parent has freed its own and filled others meanwhile. */
        for (size_t i = 0; i < BLOCKS; i++) {
            CHECK((unsigned char)blocks[i][0] == 0xcc);
            CHECK(memcmp(blocks[i], blocks[i] + 1, size_of(i) - 1) == 0);
            free(blocks[i]);
        }
        exit(shared[1] != 2);
    }
    CHECK(read(to_parent[0], &byte, 1) == 1);
    CHECK(shared[0] == 1);
    for (size_t i = 0; i < BLOCKS; i++) {
        CHECK(filled(blocks[i], size_of(i), i));
        free(blocks[i]);
    }
    for (size_t i = 0; i < BLOCKS; i++) {
        CHECK(blocks[i] = malloc(size_of(i)));
        memset(blocks[i], 0x11, size_of(i));
    }
    shared[1] = 2;
    CHECK(write(to_child[1], &byte, 1) == 1);
    check_child(child);
    for (size_t i = 0; i < BLOCKS; i++)
        free(blocks[i]);
    return 0;
}
