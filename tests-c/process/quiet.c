/*
 * A process has no descriptor, thread or output that it did not ask for.
 */
#include "../lib/churn.h"
#include <dirent.h>

static int entries(const char *path)
{
    DIR *directory = opendir(path);
    int count = 0;
    CHECK(directory);
    for (struct dirent *entry; (entry = readdir(directory));)
        count += entry->d_name[0] != 46;
    closedir(directory);
    return count;
}

static void *body(void *argument)
{
    churn_once((uint64_t)argument, 2000);
    return NULL;
}

int main(int count, char **arguments)
{
    if (count == 1) {
        /* Whoever started this may have left descriptors open. */
        char *again[] = {arguments[0], "alone", NULL};
        for (int fd = 3; fd < 1024; fd++)
            close(fd);
        execv(arguments[0], again);
        FAIL("exec: errno %d", errno);
    }
    for (size_t i = 0; i < 3; i++)
        run_thread_body(body, (void *)i);
    char *block = malloc(100 * MIB);
    CHECK(block);
    touch(block, 100 * MIB);
    free(block);
    /* stdin, stdout, stderr, and the directory that is being read */
    CHECK(entries("/proc/self/fd") == 4);
    CHECK(entries("/proc/self/task") == 1);
    return 0;
}
