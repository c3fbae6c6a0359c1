/* The threads of this process. */
#ifndef TASKS_H
#define TASKS_H
#include "test.h"

/* How many there are. */
static size_t tasks(void)
{
    return status_bytes("Threads:") / KIB;
}

/* Waits until there are so many. */
__attribute__((unused)) static int tasks_become(size_t count)
{
    for (int i = 0; i < 200; i++) {
        if (tasks() == count)
            return 1;
        sleep_ms(10);
    }
    return 0;
}

#endif
