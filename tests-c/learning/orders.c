/*
 * The calls for learning answer as they say in every order, while blocks come and go.
 * only: lohalloc
 */
#include "../lib/churn.h"
#include "../lib/learning.h"

enum { START, STOP, FREEZE, RESET, SAVE, LOAD, CALLS, LENGTH = 4 };

static int learned, has_model;

static void expect(int got, int error)
{
    if (got != error || (error && errno != error))
        FAIL("answered %d with errno %d, expected %d", got, errno, error);
}

static void call(int which, const char *path)
{
    int before = lohalloc_mode();
    errno = 0;
    switch (which) {
    case START:
        expect(lohalloc_train_start(), 0);
        CHECK(lohalloc_mode() == TRAINING);
        learned = 1;
        break;
    case STOP:
        expect(lohalloc_train_stop(), before == TRAINING ? 0 : EINVAL);
        CHECK(lohalloc_mode() != TRAINING);
        CHECK(before != TRAINING || lohalloc_mode() == (has_model ? INFERENCE : UNTRAINED));
        break;
    case FREEZE:
        expect(lohalloc_freeze(), learned ? 0 : ENOMEM);
        has_model |= learned;
        CHECK(lohalloc_mode() == (learned ? INFERENCE : before));
        break;
    case RESET:
        lohalloc_reset_training();
        CHECK(lohalloc_mode() == before);
        break;
    case SAVE:
        expect(lohalloc_model_save(path), learned ? 0 : ENOMEM);
        break;
    case LOAD:
        if (access(path, R_OK) == 0) {
            expect(lohalloc_model_load(path), 0);
            CHECK(lohalloc_mode() == INFERENCE);
            has_model = 1;
        } else {
            expect(lohalloc_model_load(path), ENOENT);
            CHECK(lohalloc_mode() == before);
        }
        break;
    }
}

int main(void)
{
    const char *path = model_path("one.lohalloc");
    int sequences = 1;
    for (int i = 0; i < LENGTH; i++)
        sequences *= CALLS;
    CHECK(lohalloc_mode() == UNTRAINED);
    for (int sequence = 0; sequence < sequences; sequence++) {
        int rest = sequence;
        for (int i = 0; i < LENGTH; i++, rest /= CALLS) {
            call(rest % CALLS, path);
            churn_once(1 + (uint64_t)sequence, 20);
        }
        if (sequence % 7 == 0)
            unlink(path);
    }
    return 0;
}
