/*
 * Where no thread and no process can be made, allocation goes on as before.
 */
#include "../lib/exhaust.h"

int main(void)
{
    struct taken taken = taken_new(1000000);
    pthread_t thread;
    /* The limit does not bind root. */
    if (getuid() == 0)
        CHECK(setgid(65534) == 0 && setuid(65534) == 0);
    set_limit(RLIMIT_NPROC, 0);
    CHECK(pthread_create(&thread, NULL, touch_heap, NULL) == EAGAIN);
    CHECK(fork() == -1 && errno == EAGAIN);
    for (int way = 0; way < WAYS; way++) {
        CHECK(take(&taken, (enum way)way, 20 * MIB));
        free_taken(&taken);
    }
    CHECK(pthread_create(&thread, NULL, touch_heap, NULL) == EAGAIN);
    return 0;
}
