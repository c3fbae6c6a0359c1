/*
 * LOHALLOC_VERBOSE tells the least memory.max of the process's cgroup and those above it, and no limit where none is.
 * only: lohalloc
 */
#include "../lib/test.h"
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>

static void write_file(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    CHECK(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    close(fd);
}

/* What the program says on stderr when it starts under such files. */
static void start(const char *program, const char *group, const char *inner, const char *outer,
                  char *said, size_t most)
{
    int pipes[2], status;
    CHECK(pipe(pipes) == 0);
    pid_t child = fork();
    if (child == 0) {
        /* Mounts of this child alone: stand-ins for what the kernel shows. */
        if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
            mount("tmpfs", "/sys/fs/cgroup", "tmpfs", 0, NULL))
            _exit(77);
        CHECK(mkdir("/sys/fs/cgroup/a", 0755) == 0 && mkdir("/sys/fs/cgroup/a/b", 0755) == 0);
        write_file("/sys/fs/cgroup/a/b/memory.max", inner);
        write_file("/sys/fs/cgroup/a/memory.max", outer);
        write_file("/sys/fs/cgroup/group", group);
        char own[64];
        snprintf(own, sizeof own, "/proc/%d/cgroup", (int)getpid());
        if (mount("/sys/fs/cgroup/group", own, NULL, MS_BIND, NULL))
            _exit(77);
        CHECK(dup2(pipes[1], 2) == 2);
        setenv("LOHALLOC_VERBOSE", "1", 1);
        execl(program, program, "say", (char *)NULL);
        _exit(1);
    }
    close(pipes[1]);
    size_t n = 0;
    ssize_t got;
    while (n < most - 1 && (got = read(pipes[0], said + n, most - 1 - n)) > 0)
        n += (size_t)got;
    said[n] = 0;
    close(pipes[0]);
    CHECK(waitpid(child, &status, 0) == child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
        SKIP("no mounts of one's own here, so no stand-in for a cgroup");
    CHECK(status == 0);
}

static void expect(char **arguments, const char *group, const char *inner, const char *outer,
                   const char *words)
{
    char said[2000];
    start(arguments[0], group, inner, outer, said, sizeof said);
    CHECK(strstr(said, "limits: address space "));
    if (words ? !strstr(said, words) : strstr(said, "cgroup") != NULL)
        FAIL("%s", said);
}

int main(int count, char **arguments)
{
    if (count > 1)
        return malloc(1) == NULL;
    expect(arguments, "0::/a/b\n", "67108864\n", "max\n", ", cgroup 65536 KiB\n");
    expect(arguments, "3:cpu:/z\n0::/a/b\n", "67108864\n", "1048576\n", ", cgroup 1024 KiB\n");
    expect(arguments, "0::/a\n", "67108864\n", "max\n", NULL);
    expect(arguments, "0::/gone/away\n", "67108864\n", "1048576\n", NULL);
    expect(arguments, "3:memory:/a\n", "67108864\n", "1048576\n", NULL);
    expect(arguments, "0::/\n", "67108864\n", "1048576\n", NULL);
    return 0;
}
