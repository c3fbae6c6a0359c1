/*
 * A child made by a raw clone system call may free and reallocate what busy threads allocated, and start threads.
 * only: lohalloc
 * force: arena
 */
#include "../lib/churn.h"
#include "../lib/copies.h"
#include <sys/syscall.h>

/* A slot is taken by an exchange, so that only one thread works on a block. */
static struct slot *shared[512];
static struct slot slots[512 + 3 * 64];
static volatile int stop;

static void turn(struct slot **mine, uint64_t *random)
{
    struct slot **own = &mine[random_next(random) % 64];
    struct slot *slot = *own;
    size_t limit = random_next(random) % 256 ? 4 * KIB : 20 * MIB;
    if (!slot->block)
        slot_new(slot, limit, random);
    else if (random_next(random) % 4 == 0)
        slot_resize(slot, limit, random);
    else
        slot_free(slot);
    *own = __atomic_exchange_n(&shared[random_next(random) % 512], slot, __ATOMIC_ACQ_REL);
}

static void *body(void *argument)
{
    size_t thread = (size_t)argument;
    uint64_t random = (thread + 1) * 77777777777u;
    struct slot *mine[64];
    for (size_t i = 0; i < 64; i++)
        mine[i] = &slots[512 + thread * 64 + i];
    while (!stop)
        turn(mine, &random);
    return NULL;
}

static void *child_thread(void *argument)
{
    struct slot **mine = argument;
    for (int i = 0; i < 32; i++)
        slot_free(mine[i]);
    churn_once(99, 300);
    return argument;
}

int main(void)
{
    pthread_t threads[2];
    struct slot *mine[64];
    uint64_t random = 5;
    NEED_WIPED_COPIES();
    for (size_t i = 0; i < 512; i++)
        shared[i] = &slots[i];
    for (size_t i = 0; i < 64; i++)
        mine[i] = &slots[512 + i];
    for (size_t i = 0; i < 2; i++)
        CHECK(pthread_create(&threads[i], NULL, body, (void *)(i + 1)) == 0);
    for (int round = 0; round < 60; round++) {
        for (int i = 0; i < 100; i++)
            turn(mine, &random);
        pid_t child = (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
        if (child == 0) {
            alarm(20);
            if (round % 3 == 0)
                run_thread_body(child_thread, mine);
            for (int i = 0; i < 64; i++) {
                slot_free(mine[i]);
                slot_new(mine[i], 64 * KIB, &random);
            }
            churn_once((uint64_t)round, 500);
            for (int i = 0; i < 64; i++)
                slot_resize(mine[i], 64 * KIB, &random);
            for (int i = 0; i < 64; i++)
                slot_free(mine[i]);
            _exit(0);
        }
        check_child(child);
    }
    stop = 1;
    for (size_t i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    churn_end(slots, COUNT(slots));
    return 0;
}
