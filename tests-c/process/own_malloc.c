/*
 * A program with a malloc and free of its own over a static pool gets all other functions from the library.
 * ways: preload so
 */
#include "../lib/test.h"
#include <dlfcn.h>

enum { ROOM = 64 * 1024 * 1024 };
static char room[ROOM] __attribute__((aligned(16))), *next = room;
static void (*next_free)(void *);
static size_t passed_on;

void *malloc(size_t size)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    char *block = next;
    next += (size + 15) / 16 * 16;
    if (next > room + ROOM)
        FAIL("the test's own room is used up");
    pthread_mutex_unlock(&lock);
    return block;
}

static int mine(void *block)
{
    return (char *)block >= room && (char *)block < next;
}

void free(void *block)
{
    if (!block || mine(block))
        return;
    if (!next_free)
        next_free = (void (*)(void *))dlsym(RTLD_NEXT, "free");
    next_free(block);
    __atomic_add_fetch(&passed_on, 1, __ATOMIC_RELAXED);
}

static void *body(void *argument)
{
    void *blocks[200];
    for (size_t i = 0; i < COUNT(blocks); i++) {
        size_t size = 1 + i * i;
        if (i % 4 == 0)
            blocks[i] = calloc(1, size);
        else if (i % 4 == 1)
            blocks[i] = realloc(calloc(1, 10), size);
        else if (i % 4 == 2)
            CHECK(posix_memalign(&blocks[i], 64, size) == 0);
        else
            blocks[i] = aligned_alloc(4096, size);
        CHECK(blocks[i] && !mine(blocks[i]));
        CHECK(malloc_usable_size(blocks[i]) >= size);
        fill(blocks[i], size, i);
    }
    for (size_t i = 0; i < COUNT(blocks); i++) {
        CHECK(filled(blocks[i], 1 + i * i, i));
        free(blocks[i]);
    }
    char *text = strdup("libc calls the program's malloc");
    CHECK(mine(text));
    free(text);
    return argument;
}

int main(void)
{
    for (int turn = 0; turn < 20; turn++) {
        body(NULL);
        run_thread_body(body, NULL);
    }
    CHECK(passed_on >= 40 * 200);
    return 0;
}
