/*
 * A program that becomes a daemon, twice forked and without its descriptors, goes on with its blocks and threads.
 */
#include "../lib/churn.h"

static struct slot slots[100];

static void *body(void *argument)
{
    churn(slots, 100, 256 * KIB, 1000, (uint64_t)argument);
    return NULL;
}

int main(void)
{
    int answer[2];
    char byte = 0;
    CHECK(pipe(answer) == 0);
    run_thread_body(body, (void *)1);
    pid_t child = fork();
    if (child == 0) {
        setsid();
        if (fork() != 0)
            _exit(0);
        alarm(20);
        for (int fd = 0; fd < 3; fd++)
            close(fd);
        body((void *)2);
        run_thread_body(body, (void *)3);
        churn_end(slots, 100);
        _exit(write(answer[1], "d", 1) != 1);
    }
    check_child(child);
    close(answer[1]);
    CHECK(read(answer[0], &byte, 1) == 1 && byte == 'd');
    churn_end(slots, 100);
    return 0;
}
