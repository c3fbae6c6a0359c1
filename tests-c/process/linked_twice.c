/*
 * The library may be preloaded under a second name, or into a program that is linked with it, and one of both serves.
 * only: lohalloc
 * ways: preload so
 */
#include "../lib/churn.h"
#include <dlfcn.h>

static void *body(void *argument)
{
    free(argument);
    churn_once(7, 500);
    return strdup("from the thread");
}

int main(int count, char **arguments)
{
    if (count == 1) {
        /* A copy is another library to the loader. */
        static char bytes[65536], text[8192], path[4096];
        const char *from = getenv("LD_PRELOAD");
        ssize_t got;
        if (!from) {
            Dl_info info;
            CHECK(dladdr(hide((void *)malloc), &info));
            from = info.dli_fname;
        }
        if (!strstr(from, ".so"))
            SKIP("the library is part of the program");
        int in = open(from, O_RDONLY), out = open("copy.so", O_WRONLY | O_CREAT, 0700);
        CHECK(in >= 0 && out >= 0);
        while ((got = read(in, bytes, sizeof bytes)) > 0)
            CHECK(write(out, bytes, (size_t)got) == got);
        close(in);
        close(out);
        CHECK(getcwd(path, sizeof path - 10));
        strcat(path, "/copy.so");
        snprintf(text, sizeof text, "%s %s", path, getenv("LD_PRELOAD") ? getenv("LD_PRELOAD") : "");
        setenv("LD_PRELOAD", text, 1);
        char *again[] = {arguments[0], "again", NULL};
        execv(arguments[0], again);
        FAIL("exec: errno %d", errno);
    }
    churn_once(1, 2000);
    char *text = run_thread_body(body, strdup("to the thread"));
    CHECK(strcmp(text, "from the thread") == 0);
    free(text);
    pid_t child = fork();
    if (child == 0) {
        churn_once(2, 1000);
        exit(0);
    }
    check_child(child);
    return 0;
}
