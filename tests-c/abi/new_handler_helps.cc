/*
 * operator new tries again after its handler freed memory, and then succeeds.
 */
#include "../lib/test.h"
#include <new>
#include <sys/resource.h>

static void *reserve;
static int calls;

static void release()
{
    calls++;
    if (!reserve)
        throw std::bad_alloc();
    free(reserve);
    reserve = nullptr;
}

int main()
{
    size_t now = status_bytes("VmSize:");
    struct rlimit limit = {now + 300 * MIB, now + 300 * MIB};
    CHECK(setrlimit(RLIMIT_AS, &limit) == 0);
    reserve = malloc(200 * MIB);
    CHECK(reserve);
    std::set_new_handler(release);
    char *block = (char *)hide(operator new(200 * MIB));
    CHECK(calls == 1);
    block[0] = 1;
    operator delete(block);
    return 0;
}
