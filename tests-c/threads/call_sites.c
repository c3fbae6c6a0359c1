/*
 * Code that is made at run time calls malloc from 20,000 places, is unmapped and made anew, and memory stays flat.
 */
#include "../lib/test.h"

enum { SITES = 20000, STUB = 32 };
typedef void *call(size_t);

#if defined(__x86_64__)
/* sub $8, %rsp; mov $target, %rax; call *%rax; add $8, %rsp; ret */
static void make_stub(unsigned char *code, uintptr_t target)
{
    memcpy(code, "\x48\x83\xec\x08\x48\xb8", 6);
    memcpy(code + 6, &target, 8);
    memcpy(code + 14, "\xff\xd0\x48\x83\xc4\x08\xc3", 7);
}
#elif defined(__aarch64__)
/* stp x29, x30, [sp, #-16]!; ldr x9, target; blr x9; ldp x29, x30, [sp], #16; ret; target */
static void make_stub(unsigned char *code, uintptr_t target)
{
    const uint32_t words[] = {0xa9bf7bfd, 0x580000a9, 0xd63f0120, 0xa8c17bfd, 0xd65f03c0, 0xd503201f};
    memcpy(code, words, sizeof words);
    memcpy(code + 24, &target, 8);
}
#endif

static unsigned char *make_code(void)
{
    size_t size = (size_t)SITES * STUB;
    unsigned char *code = own_memory(size);
    for (size_t i = 0; i < SITES; i++)
        make_stub(code + i * STUB, (uintptr_t)malloc);
    if (mprotect(code, size, PROT_READ | PROT_EXEC) != 0)
        SKIP("code made at run time is refused here");
    __builtin___clear_cache((char *)code, (char *)code + size);
    return code;
}

static void *body(void *argument)
{
    enum { KEPT = 500 };
    static _Thread_local char *kept[KEPT];
    static _Thread_local size_t sizes[KEPT];
    unsigned char *code = argument;
    for (size_t i = 0; i < SITES; i++) {
        size_t at = i % KEPT, size = 1 + i * 7 % 2000;
        if (kept[at])
            CHECK(kept[at][0] == (char)at && kept[at][sizes[at] - 1] == (char)at);
        free(kept[at]);
        CHECK(kept[at] = ((call *)(uintptr_t)(code + i * STUB))(size));
        memset(kept[at], (int)at, size);
        sizes[at] = size;
    }
    for (size_t at = 0; at < KEPT; at++) {
        free(kept[at]);
        kept[at] = NULL;
    }
    return NULL;
}

int main(void)
{
    size_t start = 0;
    for (int turn = 0; turn < 20; turn++) {
        unsigned char *code = make_code();
        pthread_t thread;
        CHECK(pthread_create(&thread, NULL, body, code) == 0);
        body(code);
        pthread_join(thread, NULL);
        munmap(code, (size_t)SITES * STUB);
        if (turn == 3)
            start = resident();
    }
    if (resident() > start + 4 * MIB)
        FAIL("resident %zu KiB after 3 turns, %zu KiB at the end", start / KIB, resident() / KIB);
    return 0;
}
