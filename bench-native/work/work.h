/* What the workloads share: each is a file with a main() of its own that does a fixed amount of
 * work, once, and ends with work_end(). Times and memory are taken from outside
 * (launch.c); the one line that work_end() prints tells who served the process and, with
 * WORK_IDLE=1, what is resident a second after the end of the work. */
#ifndef WORK_H
#define WORK_H
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define KIB ((size_t)1 << 10)
#define MIB ((size_t)1 << 20)

static inline uint64_t next_random(uint64_t *state) { /* xorshift64, G. Marsaglia 2003 */
    uint64_t x = *state;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    return *state = x;
}

/* A random number below `bound`. */
static inline size_t below(uint64_t *state, size_t bound) {
    return (size_t)((unsigned __int128)next_random(state) * bound >> 64);
}

/* A random number from `least` to `most`. */
static inline size_t between(uint64_t *state, size_t least, size_t most) {
    return least + below(state, most - least + 1);
}

/* A block with its first and last byte, and each OS page between them, written to. */
static inline void *take(size_t size) {
    volatile char *p = malloc(size);
    if (!p) {
        fprintf(stderr, "out of memory at %zu bytes\n", size);
        exit(1);
    }
    for (size_t at = 0; at < size; at += 4096)
        p[at] = 1;
    if (size)
        p[size - 1] = 1;
    return (void *)p;
}

/* Memory that no allocator counts. */
static inline void *own_memory(size_t size) {
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        exit(1);
    return p;
}

static inline void start_thread(pthread_t *thread, void *(*body)(void *), void *argument) {
    if (pthread_create(thread, NULL, body, argument)) {
        fprintf(stderr, "no thread\n");
        exit(1);
    }
}

/* Runs `body` in threads 0 to count - 1 and waits for all. */
static inline void in_threads(int count, void *(*body)(void *)) {
    pthread_t threads[64];
    for (int i = 0; i < count; i++)
        start_thread(&threads[i], body, (void *)(intptr_t)i);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
}

/* The n-th argument as a number, or what stands for it. */
static inline long argument(int argc, char **argv, int n, long otherwise) {
    return n < argc ? atol(argv[n]) : otherwise;
}

static inline long resident_kib(void) {
    long total, pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f && fscanf(f, "%ld %ld", &total, &pages) != 2)
        pages = 0;
    if (f)
        fclose(f);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

/* The last thing that main() does. */
static inline int work_end(void) {
    long after = -1;
    if (getenv("WORK_IDLE")) {
        nanosleep(&(struct timespec){1, 0}, NULL);
        after = resident_kib();
    }
    Dl_info info = {0};
    dladdr(dlsym(RTLD_DEFAULT, "malloc"), &info);
    printf("{\"after_kib\":%ld,\"malloc\":\"%s\"", after, info.dli_fname ? info.dli_fname : "?");
    int (*owns)(const void *) = (int (*)(const void *))dlsym(RTLD_DEFAULT, "lohalloc_owns");
    if (owns) {
        void *p = take(100);
        printf(",\"owns\":%d", owns(p));
        free(p);
    }
    printf("}\n");
    return 0;
}

#endif
