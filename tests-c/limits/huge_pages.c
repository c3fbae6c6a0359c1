/*
 * On huge pages, too, what is resident falls with what is freed, and does not come back by itself.
 * only: lohalloc
 */
#include "../lib/exhaust.h"

int main(void)
{
    /* 200 MiB of equal small blocks: the kind that is put on huge pages. */
    size_t count = 200 * 1024, before;
    char **blocks = own_memory(count * sizeof *blocks);
    touch(blocks, count * sizeof *blocks);
    before = resident();
    for (size_t i = 0; i < count; i++) {
        blocks[i] = malloc(1024);
        CHECK(blocks[i]);
        memset(blocks[i], 1, 1024);
    }
    size_t full = resident() - before;
    CHECK(full > 180 * MIB);
    /* Of every 4 MiB the first 3. */
    for (size_t i = 0; i < count; i++)
        if (i % 4096 < 3072) {
            free(blocks[i]);
            blocks[i] = NULL;
        }
    size_t quarter = resident() - before;
    if (quarter > full / 2)
        FAIL("%zu MiB of %zu are resident after three quarters were freed", quarter / MIB, full / MIB);
    sleep_ms(300);
    if (resident() - before > full / 2)
        FAIL("what was given back came back: %zu MiB", (resident() - before) / MIB);
    for (size_t i = 0; i < count; i++)
        free(blocks[i]);
    size_t rest = resident() - before;
    if (rest > 16 * MIB)
        FAIL("%zu MiB are resident after all was freed", rest / MIB);
    return 0;
}
