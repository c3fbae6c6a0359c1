/*
 * In a root directory without /proc, /sys and /dev, and without a descriptor to spare, malloc and threads work.
 */
#include "../lib/churn.h"
#include <sched.h>
#include <sys/resource.h>

static void *body(void *argument)
{
    churn_once((uint64_t)argument, 2000);
    for (size_t size = MIB; size < 100 * MIB; size *= 2)
        free(realloc(hide(calloc(1, size)), size * 2));
    return NULL;
}

int main(void)
{
    struct rlimit none = {0, 0};
    if (geteuid() != 0 && unshare(CLONE_NEWUSER) != 0)
        SKIP("this user may not make a user namespace");
    if (chroot(".") != 0)
        SKIP("this user may not change the root directory");
    CHECK(access("/proc", F_OK) != 0 && setrlimit(RLIMIT_NOFILE, &none) == 0);
    CHECK(open("/", O_RDONLY) == -1 && errno == EMFILE);
    body((void *)1);
    for (size_t i = 0; i < 4; i++)
        run_thread_body(body, (void *)i);
    pid_t child = fork();
    if (child == 0) {
        body((void *)2);
        _exit(0);
    }
    check_child(child);
    return 0;
}
