/*
 * After memory ran out under RLIMIT_DATA and all was freed, a thread finds room for its stack.
 * only: lohalloc
 */
#include "../lib/exhaust.h"

int main(void)
{
    for (size_t limit = 4 * MIB; limit <= 32 * MIB; limit *= 2) {
        pid_t child = fork();
        if (child == 0) {
            struct taken taken = taken_new(400000);
            set_limit(RLIMIT_DATA, status_bytes("VmData:") + limit);
            CHECK(!take(&taken, SMALL, SIZE_MAX));
            free_taken(&taken);
            check_thread(256 * KIB);
            _exit(0);
        }
        check_child(child);
    }
    return 0;
}
