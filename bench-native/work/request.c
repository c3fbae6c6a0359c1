/* What does a server cost that allocates some blocks for each request, frees them at its end, and now
 * and then keeps one for a session?
 *
 *   request */
#include "work.h"

#define REQUESTS 400000
#define SMALL 20
#define LARGE 2
#define SESSIONS 5000

int main(void) {
    static void *sessions[SESSIONS];
    uint64_t random = 1;
    for (int i = 0; i < REQUESTS; i++) {
        void *blocks[SMALL + LARGE];
        for (int b = 0; b < SMALL; b++)
            blocks[b] = take(between(&random, 16, 256));
        for (int b = SMALL; b < SMALL + LARGE; b++)
            blocks[b] = take(between(&random, 4 * KIB, 64 * KIB));
        if (i % 100 == 0) {
            void **at = &sessions[below(&random, SESSIONS)];
            free(*at);
            *at = take(between(&random, 64, 512));
        }
        for (int b = SMALL + LARGE; b--;)
            free(blocks[b]);
    }
    return work_end();
}
