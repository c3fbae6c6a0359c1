/* What do big buffers cost that come and go, of sizes that recur and of others? Each OS page is
 * written to once.
 *
 *   buffers recurring|other */
#include "work.h"

#define LIVE 3

int main(int argc, char **argv) {
    bool recurring = argc < 2 || strcmp(argv[1], "other");
    static const size_t sizes[] = {1, 2, 5, 10, 25, 40};
    void *live[LIVE] = {0};
    uint64_t random = 1;
    for (int i = 0; i < 120; i++) {
        void **at = &live[i % LIVE];
        free(*at);
        *at = take(recurring ? sizes[below(&random, 6)] * MIB : between(&random, MIB, 40 * MIB));
    }
    for (int i = 0; i < LIVE; i++)
        free(live[i]);
    return work_end();
}
