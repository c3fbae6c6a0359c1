/*
 * A program with a malloc family of its own is served by it alone, libc and threads included.
 */
#include "../lib/test.h"
#include <dlfcn.h>

enum { ROOM = 64 * 1024 * 1024 };
static char *room, *next;
static size_t made, gone;

/* A bump allocator: the size lies in front of each block. */
void *memalign(size_t alignment, size_t size)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    if (!room)
        room = next = own_memory(ROOM);
    if (alignment < 16)
        alignment = 16;
    char *block = (char *)(((uintptr_t)next + 16 + alignment - 1) & -alignment);
    next = block + size;
    if (next > room + ROOM)
        FAIL("the test's own room is used up");
    ((size_t *)block)[-1] = size;
    made++;
    pthread_mutex_unlock(&lock);
    return block;
}

void *malloc(size_t size)
{
    return memalign(16, size);
}

void free(void *block)
{
    if (!block)
        return;
    if ((char *)block < room || (char *)block >= next)
        FAIL("a free of %p, which this program did not make", block);
    __atomic_add_fetch(&gone, 1, __ATOMIC_RELAXED);
}

void *calloc(size_t count, size_t size)
{
    return memset(malloc(count * size), 0, count * size);
}

size_t malloc_usable_size(void *block)
{
    return block ? ((size_t *)block)[-1] : 0;
}

void *realloc(void *block, size_t size)
{
    size_t old = malloc_usable_size(block);
    char *moved = malloc(size);
    if (block)
        memcpy(moved, block, old < size ? old : size);
    free(block);
    return moved;
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return memalign(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size)
{
    *out = memalign(alignment, size);
    return 0;
}

static int mine(void *block)
{
    return (char *)block >= room && (char *)block < next;
}

static void *body(void *argument)
{
    char *line = NULL, *text = NULL;
    size_t size = 0;
    FILE *stream = fopen("/proc/self/maps", "r");
    CHECK(stream && mine(stream) && getline(&line, &size, stream) > 0 && mine(line));
    fclose(stream);
    CHECK(asprintf(&text, "%s%p", line, (void *)line) > 0 && mine(text));
    free(text);
    free(line);
    CHECK(mine(text = realpath("/", NULL)));
    free(text);
    CHECK(mine(text = strdup("text")));
    free(realloc(text, 1000));
    return argument;
}

int main(void)
{
    int (*owns)(void *) = (int (*)(void *))dlsym(RTLD_DEFAULT, "lohalloc_owns");
    for (int turn = 0; turn < 200; turn++) {
        body(NULL);
        run_thread_body(body, NULL);
    }
    void *block = malloc(10);
    CHECK(!owns || !owns(block));
    free(block);
    pid_t child = fork();
    if (child == 0)
        exit(body(NULL) != NULL);
    check_child(child);
    CHECK(gone > 1000 && gone <= made);
    return 0;
}
