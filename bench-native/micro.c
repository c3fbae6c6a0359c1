/* Measures one row of the micro benchmark in a process of its own.
 *
 *   micro --list             the rows: name, unit and title, by tabs
 *   micro ROW REPS           best and median ns per operation, as one JSON line
 *   micro --loop ROW REPS    the same loop without malloc and free
 *   micro --count ROW N      N turns after a fixed warm-up, for counting instructions
 *   micro --count-loop ROW N
 *   micro --step ROW N       as --count, with the N turns between two SIGSTOPs
 *
 * Each line ends with the proof of service: the library that `malloc` resolves
 * to and, where the library has lohalloc_owns, its answer for a block. */
#define _GNU_SOURCE
#include "micro.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

/* Shorter than a time slice, so that the best repetition was not interrupted. */
#define REP_NS 1e6
#define WARM_UP 50000

static const struct loop_row *find_loop(const char *name) {
    for (const struct loop_row *row = loop_rows; row->name; row++)
        if (!strcmp(row->name, name))
            return row;
    return NULL;
}

static const struct heap_row *find_heap(const char *name) {
    for (const struct heap_row *row = heap_rows; row->name; row++)
        if (!strcmp(row->name, name))
            return row;
    return NULL;
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* As many turns as take REP_NS, so that fast and slow arms cost the same time. */
static uint64_t calibrate(void (*run)(uint64_t)) {
    for (uint64_t n = 16;; n *= 2) {
        double start = now_ns();
        run(n);
        double taken = now_ns() - start;
        if (taken >= REP_NS / 2) {
            uint64_t turns = (uint64_t)((double)n * REP_NS / taken);
            return turns ? turns : 1;
        }
    }
}

static void print_proof(size_t block) {
    Dl_info info = {0};
    dladdr(dlsym(RTLD_DEFAULT, "malloc"), &info);
    printf(",\"malloc\":\"%s\"", info.dli_fname ? info.dli_fname : "?");
    int (*owns)(const void *) = (int (*)(const void *))dlsym(RTLD_DEFAULT, "lohalloc_owns");
    if (owns) {
        void *p = touched(malloc(block));
        printf(",\"owns\":%d", owns(p));
        free(p);
    }
    printf("}\n");
}

static void measure_loop(const struct loop_row *row, bool real, int reps) {
    static double taken[1000];
    void (*run)(uint64_t) = real ? row->real : row->loop;
    run(1); /* the first turn also fills what the row keeps */
    uint64_t n = calibrate(run);
    for (int i = 0; i < reps; i++) {
        double start = now_ns();
        run(n);
        taken[i] = (now_ns() - start) / ((double)n * row->operations);
    }
    qsort(taken, (size_t)reps, sizeof taken[0], ascending);
    printf("{\"row\":\"%s\",\"unit\":\"ns\",\"best\":%.3f,\"median\":%.3f,\"reps\":%d", row->name,
           taken[0], taken[reps / 2], reps);
    print_proof(row->block);
}

static void measure_heap(const struct heap_row *row, int reps) {
    struct figures f = row->measure(reps);
    printf("{\"row\":\"%s\",\"unit\":\"%s\",\"best\":%.3f,\"median\":%.3f,\"reps\":1", row->name,
           row->unit, f.value, f.value);
    if (f.control >= 0)
        printf(",\"control\":%.3f", f.control);
    print_proof(row->block);
}

static int usage(void) {
    fprintf(stderr, "usage: micro --list | [--loop] ROW REPS | --count[-loop] ROW N | --step ROW N\n");
    return 2;
}

int main(int argc, char **argv) {
    if (argc == 2 && !strcmp(argv[1], "--list")) {
        for (const struct loop_row *row = loop_rows; row->name; row++)
            printf("%s\tns\t%s\n", row->name, row->title);
        for (const struct heap_row *row = heap_rows; row->name; row++)
            printf("%s\t%s\t%s\n", row->name, row->unit, row->title);
        return 0;
    }
    const char *mode = argc == 4 ? argv[1] : "";
    if (argc != 3 && argc != 4)
        return usage();
    const char *name = argv[argc - 2];
    long number = strtol(argv[argc - 1], NULL, 10);
    const struct loop_row *loop = find_loop(name);
    const struct heap_row *heap = find_heap(name);
    if (number < 1)
        return usage();
    if (loop && (!strncmp(mode, "--count", 7) || !strncmp(mode, "--step", 6))) {
        bool stepped = mode[2] == 's';
        void (*run)(uint64_t) = strstr(mode, "-loop") ? loop->loop : loop->real;
        run(WARM_UP / (uint64_t)loop->operations);
        if (stepped)
            raise(SIGSTOP);
        run((uint64_t)number);
        if (stepped)
            raise(SIGSTOP);
        printf("{\"row\":\"%s\"", loop->name);
        print_proof(loop->block);
    } else if (loop && (!*mode || !strcmp(mode, "--loop"))) {
        measure_loop(loop, !*mode, number > 1000 ? 1000 : (int)number);
    } else if (heap && !*mode) {
        measure_heap(heap, (int)number);
    } else {
        return usage();
    }
    return 0;
}
