/*
 * What is no model, or a damaged one, is refused, and the program goes on as before.
 * only: lohalloc
 */
#include "../lib/bursts.h"
#include <sys/stat.h>

static unsigned char text[1 << 20];

static void write_all(const char *path, const unsigned char *bytes, size_t size)
{
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    CHECK(file >= 0 && write(file, bytes, size) == (ssize_t)size);
    close(file);
}

static void refused(const char *path, int error)
{
    errno = 0;
    int got = lohalloc_model_load(path);
    if (got == 0 || got != errno || (error && got != error))
        FAIL("%s: answered %d, expected %d", path, got, error);
    CHECK(lohalloc_mode() == UNTRAINED);
}

int main(void)
{
    const char *good = model_path("good"), *bad = model_path("bad");
    CHECK(lohalloc_train_start() == 0);
    serve(3, 1);
    CHECK(lohalloc_model_save(good) == 0);
    CHECK(lohalloc_train_stop() == 0);
    size_t size = read_file(good, (char *)text, sizeof text);
    CHECK(size > 200);

    refused(NULL, EINVAL);
    refused(model_path("none"), ENOENT);
    refused(model_dir, EINVAL);
    refused("/dev/zero", EINVAL);
    CHECK(mkfifo(model_path("pipe"), 0600) == 0);
    refused(model_path("pipe"), EINVAL);
    write_all(bad, text, size);
    CHECK(truncate(bad, (off_t)3 << 30) == 0);
    refused(bad, EFBIG);
    uint64_t random = 7;
    for (int i = 0; i < 300; i++) {
        write_all(bad, text, (random_next(&random) >> 20) % size);
        refused(bad, EBADMSG);
    }
    for (int i = 0; i < 3000; i++) {
        size_t bit = (random_next(&random) >> 20) % (size * 8);
        text[bit / 8] ^= (unsigned char)(1 << bit % 8);
        write_all(bad, text, size);
        refused(bad, 0);
        text[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
    /* What is no model is not written over either. */
    const unsigned char other[] = "something else";
    write_all(bad, other, sizeof other);
    CHECK(lohalloc_model_save(bad) == EEXIST);
    CHECK(read_file(bad, (char *)text, sizeof text) == sizeof other && !memcmp(text, other, sizeof other));
    CHECK(lohalloc_model_save("/dev/null") == EINVAL);
    CHECK(lohalloc_model_save(model_path("pipe")) == EINVAL);
    CHECK(lohalloc_model_load(good) == 0 && lohalloc_mode() == INFERENCE);
    serve(2, 2);
    end_sessions();
    return 0;
}
