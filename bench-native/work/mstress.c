/* How does a heap hold up whose threads come and go in rounds, keep a part of what they allocate
 * from one round to the next, and swap blocks with each other through a table, so that a block is
 * often freed by another thread, rounds after its own has ended?
 * After D. Leijen's test-stress of mimalloc (test/test-stress.c).
 *
 *   mstress THREADS */
#include "work.h"
#include <stdatomic.h>

#define ROUNDS 32
#define TASKS 32
#define BLOCKS 1500
#define SHARED 4000

struct block {
    struct block *next;
    size_t size;
};
/* What a task does in a round is the same whichever thread does it. */
static struct task {
    struct block *kept;
    uint64_t random;
} tasks[TASKS];
static _Atomic(struct block *) shared[SHARED];
static long threads, round_now;

/* 16 to 2048 bytes, each power of two as likely as the next; one in a thousand is large. */
static struct block *make_block(uint64_t *random) {
    size_t least = below(random, 1000) ? (size_t)16 << below(random, 7) : 32 * KIB;
    size_t size = between(random, least, 2 * least);
    struct block *b = take(size);
    b->size = size;
    return b;
}

static void push(struct block **list, struct block *b) {
    b->next = *list;
    *list = b;
}

static void free_list(struct block **list) {
    while (*list) {
        struct block *b = *list;
        *list = b->next;
        if (b->size < sizeof *b)
            abort();
        b->size = 0;
        free(b);
    }
}

static void work_on(struct task *t, bool forget) {
    struct block *made = NULL, *passing = NULL;
    for (int i = 0; i < BLOCKS; i++)
        push(&made, make_block(&t->random));
    while (made) {
        struct block *b = made;
        made = b->next;
        if (below(&t->random, 3) == 0)
            b = atomic_exchange(&shared[below(&t->random, SHARED)], b);
        bool keep = below(&t->random, 8) == 0;
        if (b)
            push(keep ? &t->kept : &passing, b);
    }
    free_list(&passing);
    if (forget)
        free_list(&t->kept);
}

static void *one_round(void *argument) {
    for (long i = (intptr_t)argument; i < TASKS; i += threads)
        work_on(&tasks[i], (round_now + i) % 4 == 0);
    return NULL;
}

int main(int argc, char **argv) {
    threads = argument(argc, argv, 1, 2);
    for (int i = 0; i < TASKS; i++)
        tasks[i].random = 7919 * (uint64_t)i + 1;
    for (round_now = 1; round_now <= ROUNDS; round_now++) {
        in_threads((int)threads, one_round);
        for (int i = 0; i < SHARED && round_now % 8 == 0; i++) {
            free(shared[i]);
            shared[i] = NULL;
        }
    }
    for (int i = 0; i < TASKS; i++)
        free_list(&tasks[i].kept);
    return work_end();
}
