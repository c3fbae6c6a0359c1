/*
 * A peak that comes back after a pause goes back again, each time: it need not be kept over the pause.
 */
#include "../lib/test.h"
#include <string.h>
#include <unistd.h>

int main(void)
{
    static char *blocks[200];
    size_t before = resident();
    for (int turn = 0; turn < 3; turn++) {
        for (size_t i = 0; i < COUNT(blocks); i++) {
            blocks[i] = malloc(MIB);
            memset(blocks[i], 1, MIB);
        }
        for (size_t i = 0; i < COUNT(blocks); i++)
            free(blocks[i]);
        if (resident() > before + 32 * MIB)
            FAIL("%zu KiB stay in turn %d", (resident() - before) / KIB, turn);
        usleep(800000);
    }
    return 0;
}
