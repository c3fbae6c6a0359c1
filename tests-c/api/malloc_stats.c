/*
 * malloc_stats writes glibc's lines to stderr, and its figures follow what the program does.
 */
#include "../lib/test.h"

static char text[8192];

static size_t row(const char *from, const char *name)
{
    const char *at = strstr(from, name);
    if (!at)
        FAIL("no %s", name);
    return strtoul(at + strlen(name) + strspn(at + strlen(name), " ="), NULL, 10);
}

/* What it writes, of which the part about all of the heap comes back. */
static const char *stats(void)
{
    FILE *file = tmpfile();
    CHECK(file);
    int old = dup(2);
    CHECK(old >= 0 && dup2(fileno(file), 2) == 2);
    malloc_stats();
    fflush(stderr);
    CHECK(dup2(old, 2) == 2 && close(old) == 0);
    ssize_t n = pread(fileno(file), text, sizeof text - 1, 0);
    CHECK(n > 0);
    text[n] = 0;
    fclose(file);
    CHECK(strncmp(text, "Arena 0:\nsystem bytes     = ", 28) == 0);
    CHECK(strstr(text, "\nin use bytes     = ") && strstr(text, "\nmax mmap bytes   = "));
    const char *total = strstr(text, "\nTotal (incl. mmap):\n");
    CHECK(total);
    return total;
}

int main(void)
{
    enum { BLOCKS = 20000 };
    void **blocks = own_memory(BLOCKS * sizeof *blocks);
    free(malloc(1));
    size_t start = row(stats(), "in use bytes");
    for (int i = 0; i < BLOCKS; i++)
        CHECK(blocks[i] = malloc(1000));
    void *big = malloc(64 * MIB);
    CHECK(big);
    size_t full = row(stats(), "in use bytes");
    CHECK(full >= start + BLOCKS * (size_t)1000 + 64 * MIB);
    CHECK(full < start + BLOCKS * (size_t)1100 + 65 * MIB);
    CHECK(row(stats(), "system bytes") >= full);
    free(big);
    for (int i = 0; i < BLOCKS; i++)
        free(blocks[i]);
    CHECK(row(stats(), "in use bytes") < start + MIB);
    CHECK(row(stats(), "max mmap bytes") >= 64 * MIB);
    CHECK(row(stats(), "max mmap regions") >= 1);
    return 0;
}
