/*
 * Every variable of the library is ignored in a set-uid program.
 * only: lohalloc
 * ways: a
 */
#include "../lib/churn.h"
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

int main(int count, char **arguments)
{
    struct statvfs file_system;
    struct stat status;
    char *again[] = {"./copy", "again", NULL};
    if (count == 2) {
        churn_once(1, 1000);
        return getauxval(AT_SECURE) ? 0 : 3;
    }
    if (geteuid() != 0)
        SKIP("only root can make a set-uid copy");
    CHECK(statvfs(".", &file_system) == 0);
    if (file_system.f_flag & ST_NOSUID)
        SKIP("this file system has no set-uid programs");
    int in = open(arguments[0], O_RDONLY), out = open("copy", O_WRONLY | O_CREAT, 0755);
    char bytes[65536];
    ssize_t got;
    CHECK(in >= 0 && out >= 0);
    while ((got = read(in, bytes, sizeof bytes)) > 0)
        CHECK(write(out, bytes, (size_t)got) == got);
    CHECK(fchown(out, 65534, 65534) == 0 && fchmod(out, 04755) == 0);
    close(out);
    CHECK(stat("copy", &status) == 0 && status.st_mode & S_ISUID);
    CHECK(chmod(".", 0777) == 0);
    setenv("LOHALLOC_VERBOSE", "1", 1);
    setenv("LOHALLOC_STATS", "stats.txt", 1);
    setenv("LOHALLOC_OPTIONS", "nonsense", 1);
    pid_t child = fork();
    if (child == 0) {
        execv(again[0], again);
        _exit(9);
    }
    check_child(child);
    CHECK(access("stats.txt", F_OK) != 0);
    return 0;
}
