/* Runs a program under a preloaded library and tells what it cost, as one JSON line in a file.
 *
 *   launch OUT LIBRARY PROGRAM ARGUMENTS...      LIBRARY may be -
 *
 * wall_s     from exec to the end of the first thread
 * cpu_s      user and system time of the process and of the children it has waited for
 * faults     minor page faults, likewise
 * peak_kib   VmHWM as the process ends, or what the largest of its children had, if that is more
 * mapped     whether the library is mapped as it ends: it served the process
 *
 * It is small, because a process inherits the peak of the one that starts it; the end is seen by
 * ptrace, which costs the program nothing before. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double seconds(struct timeval t) { return (double)t.tv_sec + (double)t.tv_usec / 1e6; }

/* Calls `see` with each line of a file of the process until it returns true. */
static bool any_line(pid_t pid, const char *file, bool (*see)(const char *line, void *), void *with) {
    char path[64], line[4096];
    snprintf(path, sizeof path, "/proc/%d/%s", pid, file);
    FILE *f = fopen(path, "r");
    bool found = false;
    while (f && !found && fgets(line, sizeof line, f))
        found = see(line, with);
    if (f)
        fclose(f);
    return found;
}

static bool is_peak(const char *line, void *peak) { return sscanf(line, "VmHWM: %ld", (long *)peak) == 1; }

static bool has_name(const char *line, void *name) { return strstr(line, name) != NULL; }

int main(int argc, char **argv) {
    if (argc < 4) {
        fprintf(stderr, "usage: launch OUT LIBRARY PROGRAM ARGUMENTS...\n");
        return 2;
    }
    char *library = strcmp(argv[2], "-") ? argv[2] : NULL;
    pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* until PTRACE_O_EXITKILL sees to that */
        ptrace(PTRACE_TRACEME, 0, NULL, NULL);
        if (library)
            setenv("LD_PRELOAD", library, 1);
        else
            unsetenv("LD_PRELOAD");
        execvp(argv[3], argv + 3);
        fprintf(stderr, "launch: %s: %s\n", argv[3], strerror(errno));
        _exit(127);
    }
    int status;
    struct rusage usage;
    double start = 0, wall = 0;
    long peak = 0;
    bool mapped = false;
    while (wait4(child, &status, 0, &usage) == child && WIFSTOPPED(status)) {
        int signal = WSTOPSIG(status);
        if (status >> 8 == (SIGTRAP | PTRACE_EVENT_EXIT << 8)) {
            wall = now() - start;
            any_line(child, "status", is_peak, &peak);
            mapped = library && any_line(child, "maps", has_name, library);
            signal = 0;
        } else if (start == 0 && signal == SIGTRAP) {
            ptrace(PTRACE_SETOPTIONS, child, NULL, PTRACE_O_TRACEEXIT | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL);
            start = now();
            signal = 0;
        } else if (status >> 8 == (SIGTRAP | PTRACE_EVENT_EXEC << 8)) {
            signal = 0;
        }
        ptrace(PTRACE_CONT, child, NULL, signal);
    }
    if (WIFSIGNALED(status) || WEXITSTATUS(status))
        fprintf(stderr, "launch: %s ended with status %#x\n", argv[3], status);
    FILE *out = fopen(argv[1], "w");
    if (!out)
        return 1;
    fprintf(out, "{\"wall_s\":%.6f,\"cpu_s\":%.6f,\"faults\":%ld,\"peak_kib\":%ld,\"mapped\":%s}\n", wall,
            seconds(usage.ru_utime) + seconds(usage.ru_stime), usage.ru_minflt,
            peak > usage.ru_maxrss ? peak : usage.ru_maxrss, mapped ? "true" : "false");
    fclose(out);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
