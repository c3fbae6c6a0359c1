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

#endif
