/*
 * Every function of the family works before the first constructor of the process, and nothing is too early.
 */
#include "../lib/churn.h"

static char *left[30];
static size_t used;

static void keep(void *block)
{
    CHECK(block);
    memset(block, 7, 100);
    CHECK(used < COUNT(left));
    left[used++] = block;
}

static void *there(void *argument)
{
    keep(malloc(100));
    free(left[--used]);
    return argument;
}

/* Runs before the constructors of all libraries, the allocator's too. */
static void early(void)
{
    void *out = NULL;
    free(NULL);
    CHECK(malloc_usable_size(NULL) == 0);
    free(realloc(NULL, 0));
    keep(realloc(NULL, 100));
    keep(malloc(100));
    keep(calloc(10, 10));
    keep(memalign(64, 100));
    keep(aligned_alloc(4096, 100));
    keep(valloc(100));
    keep(pvalloc(100));
    keep(reallocarray(NULL, 10, 10));
    CHECK(posix_memalign(&out, 256, 100) == 0);
    keep(out);
    keep(realloc(malloc(10 * MIB), 100));
    keep(calloc(1, 40 * MIB));
    keep(strdup("more than a hundred bytes, so that the filling of the block does not reach into"
                " what another block holds"));
    errno = 0;
    CHECK(malloc(hide_size(SIZE_MAX)) == NULL && errno == ENOMEM);
    CHECK(mallinfo2().uordblks + mallinfo2().hblkhd > 1000);
    malloc_trim(0);
    CHECK(mallopt(M_TRIM_THRESHOLD, 1 << 20) == 1);
    run_thread_body(there, NULL);
    pid_t child = fork();
    if (child == 0) {
        there(NULL);
        _exit(0);
    }
    check_child(child);
}

__attribute__((section(".preinit_array"), used)) static void (*entry)(void) = early;

int main(void)
{
    CHECK(used == 12);
    churn_once(1, 500);
    for (size_t i = 0; i < used; i++) {
        for (size_t k = 0; k < 100; k++)
            CHECK(left[i][k] == 7);
        CHECK(left[i] = realloc(left[i], 5000));
        free(left[i]);
    }
    return 0;
}
