/*
 * A block that realloc makes shorter gives its tail back at once, whatever its size was.
 * only: lohalloc
 */
#include "../lib/test.h"

enum { MOST = 1000 };
static char *blocks[MOST];

/* In a child: what one case needs must not count as a need that recurs. */
static void shrink(int count, size_t from, size_t to)
{
    pid_t child = fork();
    if (child) {
        check_child(child);
        return;
    }
    size_t start = resident();
    for (int i = 0; i < count; i++) {
        CHECK(blocks[i] = malloc(from));
        memset(blocks[i], i, from);
    }
    for (int i = 0; i < count; i++)
        CHECK(blocks[i] = realloc(blocks[i], to));
    size_t now = resident(), need = (size_t)count * to;
    if (now > start + need + need / 2 + 4 * MIB)
        FAIL("%zu KiB to %zu KiB: start %zu KiB, needed %zu KiB, resident %zu KiB", from / KIB,
             to / KIB, start / KIB, need / KIB, now / KIB);
    for (int i = 0; i < count; i++) {
        CHECK(blocks[i][0] == (char)i && blocks[i][to - 1] == (char)i);
        free(blocks[i]);
    }
    _exit(0);
}

int main(void)
{
    memset(blocks, 1, sizeof blocks);
    shrink(1000, 300 * KIB, 20 * KIB);
    shrink(1000, 100 * KIB, 51 * KIB);
    shrink(1000, 256 * KIB, 130 * KIB);
    shrink(1000, 60 * KIB, 2 * KIB);
    shrink(20, 20 * MIB, 9 * MIB);
    shrink(20, 20 * MIB, MIB);
    return 0;
}
