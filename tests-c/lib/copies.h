/*
 * Whether the kernel gives a copy of the process zeroes where it was asked to: older kernels do
 * not, and some emulators say that they do.
 */
#ifndef COPIES_H
#define COPIES_H
#include "test.h"

#define NEED_WIPED_COPIES()                                                    \
    do {                                                                       \
        if (!wipes_in_copies())                                                \
            SKIP("this kernel wipes no memory in copies of a process");        \
    } while (0)

static int wipes_in_copies(void)
{
    char *page = (char *)own_memory(64 * KIB);
    int status;
    *page = 1;
    if (madvise(page, 64 * KIB, MADV_WIPEONFORK) != 0)
        return 0;
    pid_t child = fork();
    if (child == 0)
        _exit(*page);
    CHECK(waitpid(child, &status, 0) == child);
    munmap(page, 64 * KIB);
    return status == 0;
}

#endif
