/*
 * Options of 100 KB and an environment of 5000 variables do not disturb the start.
 * only: lohalloc
 * stderr: ^lohalloc: 
 */
#include "../lib/churn.h"

int main(int count, char **arguments)
{
    if (count == 1) {
        char *again[] = {arguments[0], "set", NULL};
        char *value = malloc(100000);
        memset(value, 65, 99999);
        value[99999] = 0;
        CHECK(setenv("LOHALLOC_OPTIONS", value, 1) == 0);
        for (int i = 0; i < 5000; i++) {
            char name[32];
            snprintf(name, sizeof name, "VARIABLE_%d", i);
            CHECK(setenv(name, "x", 1) == 0);
        }
        execv(arguments[0], again);
        FAIL("exec: errno %d", errno);
    }
    churn_once(1, 1000);
    return 0;
}
