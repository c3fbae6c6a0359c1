/* What does each pattern of a public comparison of allocators cost a C program, by malloc and free?
 *
 *   full-c ROW [THREADS]
 *
 * full.cc and full.rs ask the same of C++ and of Rust. The work of the rows with threads is the same
 * whatever their number. */
#include "work.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static size_t threads = 1;

static void replace(void **at, size_t size) {
    free(*at);
    *at = take(size);
}

static void free_all(void **blocks, size_t count) {
    for (size_t i = 0; i < count; i++)
        free(blocks[i]);
}

/* Blocks of 208 bytes, each freed after 64 others. */
static void slab(size_t turns) {
    void *window[64] = {0};
    for (size_t i = 0; i < turns; i++)
        replace(&window[i % COUNT(window)], 208);
    free_all(window, COUNT(window));
}

static void whole_slab(void) { slab(12000000); }

/* Bursts of 500 small blocks that are freed together. */
static void arena(void) {
    uint64_t random = 1;
    for (int burst = 0; burst < 20000; burst++) {
        void *blocks[500];
        for (size_t i = 0; i < COUNT(blocks); i++)
            blocks[i] = take(between(&random, 16, 256));
        free_all(blocks, COUNT(blocks));
    }
}

/* Blocks of 32 to 256 KiB that live shortly, and one of 100 that stays. */
static void buddy(void) {
    static void *window[16], *live[1000];
    uint64_t random = 1;
    for (size_t i = 0; i < 100 * COUNT(live); i++) {
        size_t size = between(&random, 32 * KIB, 256 * KIB);
        replace(i % 100 ? &window[i % COUNT(window)] : &live[i / 100], size);
    }
    free_all(window, COUNT(window));
    free_all(live, COUNT(live));
}

/* Blocks of 2 and of 8 MiB, written to from end to end. */
static void system_blocks(void) {
    void *window[4] = {0};
    for (size_t i = 0; i < 1000; i++) {
        size_t size = i % 3 ? 2 * MIB : 8 * MIB;
        replace(&window[i % COUNT(window)], size);
        memset(window[i % COUNT(window)], 1, size);
    }
    free_all(window, COUNT(window));
}

/* Blocks of many lengths that are replaced at random. */
static void mixed(size_t turns, size_t least, size_t most, uint64_t random) {
    void *slots[256] = {0};
    for (size_t i = 0; i < turns; i++)
        replace(&slots[below(&random, COUNT(slots))], between(&random, least, most));
    free_all(slots, COUNT(slots));
}

static void adv_mixed(void) { mixed(2000000, KIB, 64 * KIB, 1); }

/* Twenty small blocks and two larger ones for each request. */
static void request_loop(void) {
    uint64_t random = 1;
    for (int request = 0; request < 500000; request++) {
        void *blocks[22];
        for (size_t i = 0; i < COUNT(blocks); i++)
            blocks[i] = take(i < 20 ? between(&random, 16, 256) : between(&random, 4 * KIB, 64 * KIB));
        free_all(blocks, COUNT(blocks));
    }
}

struct node {
    char *key;
    struct node **members;
    size_t count;
};

static struct node *build(uint64_t *random, int depth) {
    struct node *n = take(sizeof *n);
    *n = (struct node){.key = take(between(random, 8, 80))};
    size_t room = 0, members = depth ? 7 : 0;
    while (n->count < members) {
        if (n->count == room) {
            room = room ? 2 * room : 4;
            n->members = realloc(n->members, room * sizeof *n->members);
            if (!n->members)
                exit(1);
        }
        n->members[n->count++] = build(random, depth - 1);
    }
    return n;
}

static void destroy(struct node *n) {
    for (size_t i = 0; i < n->count; i++)
        destroy(n->members[i]);
    free(n->members);
    free(n->key);
    free(n);
}

/* Trees of 19,608 nodes, with a key each and lists of members that grow, built and freed. */
static void json_tree(void) {
    uint64_t random = 1;
    for (int tree = 0; tree < 100; tree++)
        destroy(build(&random, 5));
}

/* 16,384 values of 8 to 512 bytes, replaced at random. */
static void kv_store(void) {
    static void *slots[16384];
    uint64_t random = 1;
    for (int i = 0; i < 4000000; i++)
        replace(&slots[below(&random, COUNT(slots))], between(&random, 8, 512));
    free_all(slots, COUNT(slots));
}

static void *slab_thread(void *unused) {
    (void)unused;
    slab(12000000 / threads);
    return NULL;
}

static void *mixed_thread(void *me) {
    mixed(4000000 / threads, 16, 4 * KIB, 1 + (uintptr_t)me);
    return NULL;
}

#define PASSED 1000
static void *boxes[64][2][PASSED];
static pthread_barrier_t all;

/* Each thread frees what its neighbour allocated, while that allocates the next. */
static void *xfree_thread(void *argument) {
    size_t me = (uintptr_t)argument, neighbour = (me + 1) % threads;
    uint64_t random = 1 + me;
    for (size_t round = 0; round < 6000 / threads; round++) {
        for (size_t i = 0; i < PASSED; i++)
            boxes[me][round % 2][i] = take(between(&random, 16, 512));
        pthread_barrier_wait(&all);
        free_all(boxes[neighbour][round % 2], PASSED);
    }
    return NULL;
}

/* One thread takes large blocks, the others small ones. */
static void *interfere_thread(void *argument) {
    uintptr_t me = (uintptr_t)argument;
    if (me == 0)
        mixed(20000, 64 * KIB, MIB, 1);
    else
        mixed(6000000 / (threads - 1), 16, 256, 1 + me);
    return NULL;
}

static void mt_slab(void) { in_threads((int)threads, slab_thread); }
static void mt_mixed(void) { in_threads((int)threads, mixed_thread); }
static void mt_interfere(void) { in_threads((int)threads, interfere_thread); }
static void mt_xfree(void) {
    pthread_barrier_init(&all, NULL, (unsigned)threads);
    in_threads((int)threads, xfree_thread);
}

static const struct {
    const char *name;
    void (*run)(void);
} rows[] = {
    {"slab", whole_slab},
    {"arena", arena},
    {"buddy", buddy},
    {"system", system_blocks},
    {"adv-mixed", adv_mixed},
    {"request-loop", request_loop},
    {"json-tree", json_tree},
    {"kv-store", kv_store},
    {"mt-slab", mt_slab},
    {"mt-mixed", mt_mixed},
    {"mt-xfree", mt_xfree},
    {"mt-interfere", mt_interfere},
};

int main(int argc, char **argv) {
    threads = (size_t)argument(argc, argv, 2, 1);
    for (size_t i = 0; i < COUNT(rows); i++)
        if (argc > 1 && !strcmp(rows[i].name, argv[1])) {
            rows[i].run();
            return work_end();
        }
    fprintf(stderr, "full-c: no such row\n");
    return 2;
}
