/*
 * malloc_info writes to a stream that allocates, frees and asks again while it is written to.
 */
#define _GNU_SOURCE 1
#include "../lib/xml.h"

static char *text;
static size_t length;
static int depth;

static ssize_t take(void *cookie, const char *bytes, size_t count)
{
    char *longer = realloc(text, length + count + 1);
    CHECK(longer && cookie == &text);
    text = longer;
    memcpy(text + length, bytes, count);
    length += count;
    text[length] = 0;
    void *block = malloc(count * 100);
    CHECK(block && mallinfo2().uordblks > 0);
    if (depth++ == 0) {
        char *inner;
        size_t size;
        FILE *file = open_memstream(&inner, &size);
        CHECK(file && malloc_info(0, file) == 0 && fclose(file) == 0);
        xml_check(inner);
        free(inner);
    }
    free(block);
    return (ssize_t)count;
}

int main(void)
{
    cookie_io_functions_t functions = {.write = take};
    FILE *file = fopencookie(&text, "w", functions);
    CHECK(file && setvbuf(file, NULL, _IONBF, 0) == 0);
    CHECK(malloc_info(0, file) == 0 && fclose(file) == 0);
    CHECK(depth > 1);
    xml_check(text);
    free(text);
    return 0;
}
