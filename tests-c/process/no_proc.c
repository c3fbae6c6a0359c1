/*
 * A process in an empty root directory, without /proc, /dev and files, allocates as any other.
 */
#include "../lib/churn.h"
#include <sys/stat.h>

static void *body(void *argument)
{
    churn_once((uint64_t)argument, 1000);
    return NULL;
}

int main(void)
{
    CHECK(mkdir("root", 0700) == 0);
    /* The first allocation of this process comes after that. */
    if (chroot("root") != 0)
        SKIP("chroot is refused here");
    CHECK(chdir("/") == 0 && access("/proc", F_OK) != 0);
    churn_once(1, 3000);
    for (size_t i = 0; i < 20; i++)
        run_thread_body(body, (void *)i);
    pid_t child = fork();
    if (child == 0) {
        run_thread_body(body, NULL);
        exit(0);
    }
    check_child(child);
    char *block = malloc(100 * MIB);
    CHECK(block);
    touch(block, 100 * MIB);
    CHECK(block = realloc(block, 200 * MIB));
    free(block);
    malloc_trim(0);
    CHECK(mallinfo2().uordblks < 100 * MIB);
    return 0;
}
