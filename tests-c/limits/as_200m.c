/*
 * Under RLIMIT_AS of 200 MB malloc ends with NULL and ENOMEM, and after all is freed works again for every size.
 */
#include "../lib/test.h"
#include <sys/resource.h>

static size_t fill_up(size_t size, void **blocks, size_t most)
{
    size_t count = 0;
    errno = 0;
    while (count < most && (blocks[count] = malloc(size))) {
        memset(blocks[count++], 1, size < 64 ? size : 64);
        errno = 0;
    }
    CHECK(count < most);
    CHECK(errno == ENOMEM);
    if (count == 0)
        FAIL("not one block of %zu bytes, though all others are freed", size);
    errno = 0;
    CHECK(calloc(1, 150 * MIB) == NULL && errno == ENOMEM);
    char *last = blocks[count - 1];
    memset(last, 7, size < 64 ? size : 64);
    errno = 0;
    CHECK(realloc(last, 150 * MIB) == NULL && errno == ENOMEM && last[0] == 7);
    for (size_t i = 0; i < count; i++)
        free(blocks[i]);
    return count * size;
}

static void *body(void *argument)
{
    void *block = malloc(100);
    CHECK(block);
    free(block);
    return argument;
}

int main(int count, char **arguments)
{
    struct rlimit limit = {200 * 1000 * 1000, 200 * 1000 * 1000};
    if (count == 1) {
        /* The limit must hold from the first instruction, as under ulimit -v. */
        char *again[] = {arguments[0], "limited", NULL};
        CHECK(setrlimit(RLIMIT_AS, &limit) == 0);
        execv(arguments[0], again);
        FAIL("exec: errno %d", errno);
    }
    static const size_t sizes[] = {1000, 100 * KIB, 5 * MIB, 128, 30 * MIB, 20 * KIB, MIB, 256};
    size_t most = 2000000;
    void **blocks = own_memory(most * sizeof *blocks);
    for (size_t i = 0; i < COUNT(sizes); i++) {
        size_t got = fill_up(sizes[i], blocks, most);
        if (got < 40 * MIB)
            FAIL("only %zu KiB in blocks of %zu bytes", got / KIB, sizes[i]);
        /* The address space comes back too: a thread needs 8 MiB of it. */
        run_thread_body(body, NULL);
    }
    return 0;
}
