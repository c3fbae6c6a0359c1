/*
 * What every test program shares: checks, patterns, random numbers and the
 * resident memory of this process. Nothing here allocates, so that a test
 * measures only what it does itself.
 */
#ifndef TEST_H
#define TEST_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define KIB ((size_t)1024)
#define MIB ((size_t)1024 * 1024)
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

__attribute__((unused, noreturn, format(printf, 3, 4)))
static void fail(const char *file, int line, const char *format, ...)
{
    char text[512];
    int n = snprintf(text, sizeof text, "%s:%d: ", file, line);
    __builtin_va_list args;
    __builtin_va_start(args, format);
    n += vsnprintf(text + n, sizeof text - (size_t)n - 1, format, args);
    __builtin_va_end(args);
    if (n > (int)sizeof text - 2)
        n = (int)sizeof text - 2;
    text[n++] = '\n';
    if (write(1, text, (size_t)n) < 0)
        _exit(2);
    _exit(1);
}

#define FAIL(...) fail(__FILE__, __LINE__, __VA_ARGS__)
#define CHECK(condition)                                                       \
    do {                                                                       \
        if (!(condition))                                                      \
            FAIL("not so: %s", #condition);                                    \
    } while (0)

/* The runner counts exit status 77 as skipped and shows the reason. */
#define SKIP(reason)                                                           \
    do {                                                                       \
        puts(reason);                                                          \
        exit(77);                                                              \
    } while (0)

/* The compiler must not see where a pointer comes from or that it is freed. */
__attribute__((unused)) static void *hide(const void *pointer)
{
    void *hidden = (void *)(uintptr_t)pointer;
    __asm__ volatile("" : "+r"(hidden) : : "memory");
    return hidden;
}

__attribute__((unused)) static size_t hide_size(size_t size)
{
    __asm__ volatile("" : "+r"(size));
    return size;
}

__attribute__((unused)) static uint64_t random_next(uint64_t *state)
{
    uint64_t x = *state;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    return *state = x;
}

/* 1 byte to about `limit`, each power of two as likely as the others. */
__attribute__((unused)) static size_t random_size(uint64_t *state, size_t limit)
{
    int bits = 64 - __builtin_clzl(limit) - 1;
    uint64_t r = random_next(state) >> 8;
    size_t top = (size_t)1 << (r % (uint64_t)(bits + 1));
    size_t size = top + ((r >> 8) & (top - 1));
    return size > limit ? limit : size;
}

static inline uint64_t pattern(uint64_t seed, size_t i)
{
    return (seed + i) * 0x9e3779b97f4a7c15u;
}

__attribute__((unused)) static void fill(void *block, size_t size, uint64_t seed)
{
    unsigned char *bytes = (unsigned char *)block;
    size_t words = size / 8;
    for (size_t i = 0; i < words; i++) {
        uint64_t word = pattern(seed, i);
        memcpy(bytes + i * 8, &word, 8);
    }
    for (size_t i = words * 8; i < size; i++)
        bytes[i] = (unsigned char)pattern(seed, i);
}

/* True if the first `part` bytes are as fill() left them in `size` bytes. */
__attribute__((unused))
static int filled_part(const void *block, size_t size, size_t part, uint64_t seed)
{
    const unsigned char *bytes = (const unsigned char *)block;
    size_t words = size / 8;
    for (size_t i = 0; i < part / 8 && i < words; i++) {
        uint64_t word = pattern(seed, i), seen;
        memcpy(&seen, bytes + i * 8, 8);
        if (seen != word)
            return 0;
    }
    for (size_t i = part / 8 * 8; i < part; i++) {
        unsigned char byte = (unsigned char)pattern(seed, i);
        if (i < words * 8) {
            uint64_t word = pattern(seed, i / 8);
            memcpy(&byte, (unsigned char *)&word + i % 8, 1);
        }
        if (bytes[i] != byte)
            return 0;
    }
    return 1;
}

__attribute__((unused))
static int filled(const void *block, size_t size, uint64_t seed)
{
    return filled_part(block, size, size, seed);
}

__attribute__((unused)) static int all_zero(const void *block, size_t size)
{
    const unsigned char *bytes = (const unsigned char *)block;
    return size == 0 || (bytes[0] == 0 && memcmp(bytes, bytes + 1, size - 1) == 0);
}

/* Write one byte in each OS page. */
__attribute__((unused)) static void touch(void *block, size_t size)
{
    volatile char *bytes = (volatile char *)block;
    for (size_t i = 0; i < size; i += 4096)
        bytes[i] = 1;
    if (size)
        bytes[size - 1] = 1;
}

__attribute__((unused)) static size_t read_file(const char *path, char *out, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    size_t n = 0;
    ssize_t got;
    if (fd < 0)
        FAIL("cannot open %s", path);
    while (n < size - 1 && (got = read(fd, out + n, size - 1 - n)) > 0)
        n += (size_t)got;
    out[n] = 0;
    close(fd);
    return n;
}

/* A field of /proc/self/status in bytes, such as "VmRSS:" or "VmHWM:". */
__attribute__((unused)) static size_t status_bytes(const char *field)
{
    char text[8192];
    read_file("/proc/self/status", text, sizeof text);
    const char *at = strstr(text, field);
    if (!at)
        FAIL("no %s", field);
    return strtoul(at + strlen(field), NULL, 10) * KIB;
}

__attribute__((unused)) static size_t resident(void)
{
    return status_bytes("VmRSS:");
}

/* Memory that is not the allocator's, for a test's own tables. */
__attribute__((unused)) static void *own_memory(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        FAIL("no memory for the test's own table");
    return memory;
}

__attribute__((unused)) static void sleep_ms(long ms)
{
    struct timespec time = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&time, NULL);
}

__attribute__((unused)) static void *run_thread_body(void *(*body)(void *), void *argument)
{
    pthread_t thread;
    void *result = NULL;
    int error = pthread_create(&thread, NULL, body, argument);
    if (error)
        FAIL("pthread_create: %d", error);
    pthread_join(thread, &result);
    return result;
}

/* Wait for a child and check that it ended with status 0. */
__attribute__((unused)) static void check_child(pid_t child)
{
    int status = 0;
    if (child < 0)
        FAIL("fork: errno %d", errno);
    if (waitpid(child, &status, 0) != child)
        FAIL("waitpid: errno %d", errno);
    if (status != 0)
        FAIL("child ended with wait status %#x", (unsigned)status);
}

#endif
