/*
 * A program starts with two megabytes of arguments and variables, and reads its own settings among them.
 */
#include "../lib/churn.h"

enum { EACH = 100 * 1024, COUNT_EACH = 8 };

int main(int count, char **arguments)
{
    if (count > 2) {
        CHECK(count == 2 + COUNT_EACH && strlen(arguments[5]) == EACH);
        CHECK(getenv("VARIABLE_3") && strlen(getenv("VARIABLE_3")) == EACH);
        churn_once(1, 2000);
        /* A program may write over what it was given. */
        for (int i = 1; i < count; i++)
            memset(arguments[i], 'x', strlen(arguments[i]));
        CHECK(setenv("VARIABLE_4", "short", 1) == 0 && unsetenv("VARIABLE_5") == 0);
        CHECK(clearenv() == 0);
        churn_once(2, 2000);
        return 0;
    }
    char *again[3 + COUNT_EACH] = {arguments[0], "huge"};
    for (int i = 0; i < COUNT_EACH; i++) {
        char name[32], *value = malloc(EACH + 1);
        CHECK(value);
        memset(value, 'a' + i, EACH);
        value[EACH] = 0;
        again[2 + i] = value;
        snprintf(name, sizeof name, "VARIABLE_%d", i);
        CHECK(setenv(name, value, 1) == 0);
    }
    execv(arguments[0], again);
    if (errno == E2BIG)
        SKIP("this system does not take as long an environment");
    FAIL("exec: errno %d", errno);
}
