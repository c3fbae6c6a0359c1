/* The calls for learning, which a preloaded program finds in the library; and names for models. */
#ifndef LEARNING_H
#define LEARNING_H
#include "test.h"

__attribute__((weak)) int lohalloc_train_start(void);
__attribute__((weak)) int lohalloc_train_stop(void);
__attribute__((weak)) int lohalloc_freeze(void);
__attribute__((weak)) void lohalloc_reset_training(void);
__attribute__((weak)) int lohalloc_model_save(const char *path);
__attribute__((weak)) int lohalloc_model_load(const char *path);
__attribute__((weak)) int lohalloc_mode(void);

enum { UNTRAINED, TRAINING, INFERENCE };

/* A directory of this process's own, removed at the end with what learning leaves in it. */
static char model_dir[64];

static inline void remove_models(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", model_dir);
    if (system(command) != 0)
        FAIL("cannot remove %s", model_dir);
}

static inline const char *model_path(const char *name)
{
    static char paths[8][128];
    static int next;
    if (!model_dir[0]) {
        strcpy(model_dir, "/tmp/lohalloc-test-XXXXXX");
        CHECK(mkdtemp(model_dir));
        atexit(remove_models);
    }
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", model_dir, name);
    return path;
}

/* Where the format has the number of runs that a model comes from. */
static inline unsigned model_runs(const char *text)
{
    unsigned runs;
    memcpy(&runs, text + 52, sizeof runs);
    return runs;
}

/* Starts this program once more, with another environment. */
static inline pid_t start_again(char **arguments, char **environment)
{
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        execve("/proc/self/exe", arguments, environment);
        _exit(1);
    }
    return child;
}

static inline int end_of(pid_t child)
{
    int status;
    CHECK(waitpid(child, &status, 0) == child);
    return status;
}

static inline int run_again(char **arguments, char **environment)
{
    return end_of(start_again(arguments, environment));
}

/* An environment in which the program learns, with one more variable or NULL. */
static inline char **learning_environment(const char *path, char *more)
{
    static char train[200], preload[1024];
    static char *environment[4];
    snprintf(train, sizeof train, "LOHALLOC_TRAIN=%s", path);
    snprintf(preload, sizeof preload, "LD_PRELOAD=%s", getenv("LD_PRELOAD"));
    environment[0] = preload;
    environment[1] = train;
    environment[2] = more;
    return environment;
}

#endif
