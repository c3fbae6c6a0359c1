/*
 * A program works under RLIMIT_DATA of 100 MB: a reservation does not count as used data.
 */
#include "../lib/churn.h"
#include <sys/resource.h>

int main(int count, char **arguments)
{
    struct rlimit limit = {100 * MIB, 100 * MIB};
    if (count == 1) {
        char *again[] = {arguments[0], "limited", NULL};
        CHECK(setrlimit(RLIMIT_DATA, &limit) == 0);
        execv(arguments[0], again);
        FAIL("exec: errno %d", errno);
    }
    churn_once(1, 2000);
    char *block = malloc(50 * MIB);
    CHECK(block);
    touch(block, 50 * MIB);
    errno = 0;
    CHECK(malloc(100 * MIB) == NULL && errno == ENOMEM);
    free(block);
    block = malloc(60 * MIB);
    CHECK(block);
    free(block);
    return 0;
}
