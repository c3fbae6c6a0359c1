/* What do programs cost that do little else than to allocate and free small blocks that hardly live,
 * as calculations with numbers of any length do: each step takes blocks for what is in between, and a
 * block for the result, which stays in the place of an older value?
 * After cfrac and espresso in D. Detlefs, A. Dosser and B. Zorn, "Memory allocation costs in large C
 * and C++ programs", Software: Practice and Experience 24(6), 1994.
 *
 *   small */
#include "work.h"

#define VALUES 500
#define STEPS 9000000
#define LEAST 8
#define MOST 64

int main(void) {
    static void *values[VALUES];
    uint64_t random = 1;
    for (int i = 0; i < STEPS; i++) {
        void **at = &values[below(&random, VALUES)];
        void *product = take(between(&random, LEAST, MOST));
        void *rest = take(between(&random, LEAST, MOST));
        void *result = take(between(&random, LEAST, MOST));
        free(product);
        free(rest);
        free(*at);
        *at = result;
    }
    for (int i = 0; i < VALUES; i++)
        free(values[i]);
    return work_end();
}
