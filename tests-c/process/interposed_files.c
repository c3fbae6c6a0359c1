/*
 * A program that defines open, read, write, close and their kin, and looks names up and allocates inside them, works.
 * flags: -rdynamic
 */
#include "../lib/churn.h"
#include <dlfcn.h>
#include <stdarg.h>
#include <sys/syscall.h>

static __thread int inside;
static int calls;

static void enter(const char *name)
{
    if (inside)
        return;
    inside = 1;
    calls++;
    /* The look-up fails for some names, and then the loader allocates the message. */
    CHECK(dlsym(RTLD_NEXT, name));
    CHECK(!dlsym(RTLD_NEXT, "no_such_name"));
    free(strdup(name));
    free(calloc(1, 70000));
    inside = 0;
}

int open(const char *path, int flags, ...)
{
    va_list list;
    va_start(list, flags);
    int mode = va_arg(list, int);
    va_end(list);
    enter("open");
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int openat(int directory, const char *path, int flags, ...)
{
    va_list list;
    va_start(list, flags);
    int mode = va_arg(list, int);
    va_end(list);
    enter("openat");
    return (int)syscall(SYS_openat, directory, path, flags, mode);
}

ssize_t read(int fd, void *bytes, size_t size)
{
    enter("read");
    return syscall(SYS_read, fd, bytes, size);
}

ssize_t write(int fd, const void *bytes, size_t size)
{
    enter("write");
    return syscall(SYS_write, fd, bytes, size);
}

int close(int fd)
{
    enter("close");
    return (int)syscall(SYS_close, fd);
}

long sysconf(int name)
{
    enter("sysconf");
    return name == _SC_PAGESIZE ? 4096 : 1;
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
    enter("clock_gettime");
    return (int)syscall(SYS_clock_gettime, clock, time);
}

char *getenv(const char *name)
{
    enter("getenv");
    for (char **entry = environ; *entry; entry++)
        if (strncmp(*entry, name, strlen(name)) == 0 && (*entry)[strlen(name)] == '=')
            return *entry + strlen(name) + 1;
    return NULL;
}

static void *body(void *argument)
{
    churn_once((uint64_t)argument, 1000);
    for (size_t size = MIB; size < 100 * MIB; size *= 2)
        free(hide(malloc(size)));
    return NULL;
}

int main(void)
{
    body((void *)1);
    for (size_t i = 0; i < 4; i++)
        run_thread_body(body, (void *)i);
    CHECK(getenv("PATH"));
    int fd = open("file", O_RDWR | O_CREAT, 0600);
    CHECK(fd >= 0 && write(fd, "text", 4) == 4 && close(fd) == 0);
    CHECK(calls >= 4);
    return 0;
}
