/*
 * How many of random misuses are found? Each is made in a process of its own, in a heap with some
 * hundred random blocks; then the process goes on for a while. Found at once: the process was ended
 * by SIGABRT within the call; later: while it went on; crashed: it ended by another signal.
 */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum kind { DOUBLE_AT_ONCE, DOUBLE_LATER, INTERIOR, STACK, STATIC, WILD, STALE, KINDS };
static const char *const names[KINDS] = {
    "double free, at once", "double free, others between", "address inside a block",
    "address on the stack", "static data", "wild address", "stale after realloc or much work",
};
enum { BLOCKS = 400 };
static void *blocks[BLOCKS];
static size_t sizes[BLOCKS];
static char data[4096];
static uint64_t state;

static uint64_t next(void) {
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

static size_t any_size(void) {
    return 1 + next() % ((size_t)16 << next() % 14);
}

static void step(void) {
    size_t i = next() % BLOCKS;
    free(blocks[i]);
    blocks[i] = NULL;
    if (next() % 4 != 0) {
        sizes[i] = any_size();
        blocks[i] = malloc(sizes[i]);
        memset(blocks[i], (int)i, sizes[i] < 64 ? sizes[i] : 64);
    }
}

static size_t live(void) {
    size_t i;
    do {
        i = next() % BLOCKS;
    } while (blocks[i] == NULL);
    return i;
}

/* noinline: the compiler sees through a plain use after free. */
static __attribute__((noinline)) void release(void *block) {
    free(block);
}

static void misuse(enum kind kind) {
    size_t i = live();
    char *block = blocks[i], local[256];
    blocks[i] = NULL;
    switch (kind) {
    case DOUBLE_AT_ONCE:
        release(block);
        release(block);
        break;
    case DOUBLE_LATER:
        release(block);
        for (int n = (int)(next() % 10); n >= 0; n--) {
            size_t other = live();
            release(blocks[other]);
            blocks[other] = NULL;
        }
        release(block);
        break;
    case INTERIOR:
        release(block + (sizes[i] < 2 ? 1 : 1 + next() % (sizes[i] - 1)));
        break;
    case STACK:
        release(local + next() % sizeof local);
        break;
    case STATIC:
        release(data + next() % sizeof data);
        break;
    case WILD:
        release((void *)(next() >> next() % 40));
        break;
    default:
        if (next() % 2 == 0) {
            char *moved = realloc(block, sizes[i] * 3 + 5000);
            release(moved == block ? moved + 16 : block);
        } else {
            release(block);
            for (int n = 0; n < 100; n++)
                step();
            release(block);
        }
    }
}

int main(int count, char **arguments) {
    int total = count > 1 ? atoi(arguments[1]) : 10000;
    int seen[KINDS][4] = {{0}}, all[4] = {0};
    volatile char *returned = mmap(NULL, 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    for (int n = 0; n < total; n++) {
        enum kind kind = (enum kind)(n % KINDS);
        *returned = 0;
        pid_t child = fork();
        if (child == 0) {
            state = 88172645463325252u + (uint64_t)n * 0x9e3779b97f4a7c15u;
            for (int i = 0; i < 2000; i++)
                step();
            misuse(kind);
            *returned = 1;
            for (int i = 0; i < 2000; i++)
                step();
            _exit(0);
        }
        int status;
        waitpid(child, &status, 0);
        int how = WIFEXITED(status) ? 3 : WTERMSIG(status) != SIGABRT ? 2 : *returned ? 1 : 0;
        seen[kind][how]++;
        all[how]++;
    }
    printf("%-34s %8s %8s %8s %8s  of %d\n", "misuse, share in %", "at once", "later", "crashed", "missed", total);
    for (int kind = 0; kind <= KINDS; kind++) {
        const int *row = kind < KINDS ? seen[kind] : all;
        double sum = (row[0] + row[1] + row[2] + row[3]) / 100.0;
        printf("%-34s %8.1f %8.1f %8.1f %8.1f\n", kind < KINDS ? names[kind] : "all", row[0] / sum,
               row[1] / sum, row[2] / sum, row[3] / sum);
    }
    return 0;
}
