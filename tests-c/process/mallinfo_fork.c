/*
 * The child of a process with busy threads can ask mallinfo2, malloc_info and malloc_trim about its heap.
 * force: arena
 */
#include "../lib/test.h"

static int done;

static void *work(void *argument)
{
    uint64_t state = (uintptr_t)argument;
    while (!__atomic_load_n(&done, __ATOMIC_ACQUIRE)) {
        void *block = malloc(random_size(&state, 3000));
        mallinfo2();
        malloc_trim(0);
        free(block);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    void *kept[1000];
    for (int i = 0; i < 1000; i++)
        CHECK(kept[i] = malloc(1000));
    for (uintptr_t i = 0; i < 3; i++)
        CHECK(pthread_create(&threads[i], NULL, work, (void *)(i + 1)) == 0);
    for (int turn = 0; turn < 30; turn++) {
        pid_t child = fork();
        if (child == 0) {
            struct mallinfo2 info = mallinfo2();
            CHECK(info.uordblks >= 1000 * 1000 && info.uordblks <= info.arena);
            FILE *file = fopen("/dev/null", "w");
            CHECK(file && malloc_info(0, file) == 0);
            fclose(file);
            malloc_trim(0);
            for (int i = 0; i < 1000; i++)
                free(kept[i]);
            CHECK(mallinfo2().uordblks < info.uordblks - 900 * 1000);
            _exit(0);
        }
        check_child(child);
    }
    __atomic_store_n(&done, 1, __ATOMIC_RELEASE);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
