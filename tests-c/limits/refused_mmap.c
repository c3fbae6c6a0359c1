/*
 * Where mmap is refused in mid-program malloc ends with NULL and ENOMEM, and goes on with what it has.
 * only: lohalloc
 */
#include "../lib/refuse.h"

int main(void)
{
    static struct held held[40], more[40];
    struct taken *all = NULL;
    CHECK(hold(held, COUNT(held)));
    free(malloc(100));
    refuse(SYS_mmap);
    CHECK(malloc(100 * MIB) == NULL && errno == ENOMEM);
    errno = 0;
    CHECK(calloc(1, 100 * MIB) == NULL && errno == ENOMEM);
    errno = 0;
    CHECK(aligned_alloc(32 * MIB, 32 * MIB) == NULL && errno == ENOMEM);
    void *kept = hide(more);
    CHECK(posix_memalign(&kept, 4 * MIB, 200 * MIB) == ENOMEM && kept == more);
    check_held(held, COUNT(held));
    /* Each size to the end, and then the same again. */
    static const size_t sizes[] = {32, 700, 9000, 200 * KIB, 3 * MIB};
    for (size_t i = 0; i < COUNT(sizes); i++) {
        size_t first = take_all(&all, sizes[i], 512 * MIB, malloc);
        check_all(all);
        free_all(&all);
        size_t again = take_all(&all, sizes[i], 512 * MIB, malloc);
        free_all(&all);
        if (first < MIB || again + again / 16 + sizes[i] < first)
            FAIL("blocks of %zu bytes: %zu KiB at first, %zu KiB again", sizes[i], first / KIB,
                 again / KIB);
    }
    resize_held(held, COUNT(held), 200);
    resize_held(held, COUNT(held), 30);
    hold(more, COUNT(more));
    let_go(more, COUNT(more));
    let_go(held, COUNT(held));
    return 0;
}
