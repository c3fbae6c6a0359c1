/*
 * A program that moves brk and maps memory behind it disturbs nothing, and keeps its own bytes.
 * only: lohalloc
 */
#include "../lib/churn.h"

static void *hammer(void *argument)
{
    churn_once((uint64_t)argument, 3000);
    return NULL;
}

int main(void)
{
    static struct slot slots[100];
    pthread_t thread;
    churn(slots, COUNT(slots), 256 * KIB, 1000, 1);
    CHECK(pthread_create(&thread, NULL, hammer, NULL) == 0);
    char *start = sbrk(0);
    for (uint64_t turn = 0; turn < 100; turn++) {
        size_t size = (turn % 7 + 1) * 64 * KIB + turn;
        char *mine = sbrk((intptr_t)size);
        CHECK(mine != (char *)-1);
        fill(mine, size, turn);
        churn(slots, COUNT(slots), 256 * KIB, 100, turn);
        CHECK(filled(mine, size, turn));
        if (turn % 2)
            CHECK(sbrk(-(intptr_t)size) == mine + size);
    }
    CHECK(brk(start) == 0 && sbrk(0) == start);
    /* Something else stands in the way of brk now. */
    char *behind = (char *)(((uintptr_t)start + 4095) & ~(uintptr_t)4095) + 4096;
    void *wall = mmap(behind, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    CHECK(wall == behind);
    CHECK(sbrk(MIB) == (void *)-1);
    churn(slots, COUNT(slots), MIB, 3000, 7);
    pthread_join(thread, NULL);
    churn_end(slots, COUNT(slots));
    return 0;
}
