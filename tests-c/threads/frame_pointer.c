/*
 * The frame pointer register may hold anything in a program that calls malloc, realloc and free.
 * flags: -fomit-frame-pointer
 */
#include "../lib/churn.h"

/* The calls of one turn, with `garbage` where the frame pointer usually is. */
static void *with_frame_pointer(uintptr_t garbage, void *(*call)(size_t, size_t), size_t a, size_t b)
{
    void *result;
#if defined(__x86_64__)
    /* Below the red zone, where this function may have variables. */
    __asm__ volatile("mov %%rbp, %%r12\n\t"
                     "mov %%rsp, %%rbx\n\t"
                     "sub $128, %%rsp\n\t"
                     "and $-16, %%rsp\n\t"
                     "mov %%rcx, %%rbp\n\t"
                     "call *%%rax\n\t"
                     "mov %%rbx, %%rsp\n\t"
                     "mov %%r12, %%rbp"
                     : "=a"(result), "+D"(a), "+S"(b), "+c"(garbage)
                     : "0"(call)
                     : "rbx", "rdx", "r8", "r9", "r10", "r11", "r12", "memory", "cc", "xmm0", "xmm1",
                       "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10",
                       "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
#elif defined(__aarch64__)
    register size_t first __asm__("x0") = a;
    register size_t second __asm__("x1") = b;
    register void *target __asm__("x9") = (void *)call;
    register uintptr_t frame __asm__("x10") = garbage;
    __asm__ volatile("mov x19, x29\n\t"
                     "mov x29, %[frame]\n\t"
                     "blr %[target]\n\t"
                     "mov x29, x19"
                     : "+r"(first), "+r"(second), [target] "+r"(target), [frame] "+r"(frame)
                     :
                     : "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x11", "x12", "x13", "x14", "x15",
                       "x16", "x17", "x19", "x30", "memory", "cc", "v0", "v1", "v2", "v3", "v4",
                       "v5", "v6", "v7", "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23",
                       "v24", "v25", "v26", "v27", "v28", "v29", "v30", "v31");
    result = (void *)first;
#endif
    return result;
}

static void *body(void *argument)
{
    static const uintptr_t garbage[] = {
        0, 1, 8, 4096, 0x7fffffffffff, 0x800000000000, (uintptr_t)-1, (uintptr_t)-8, 0xdeadbeefdeadbeef};
    size_t seed = (size_t)argument;
    for (size_t turn = 0; turn < 300; turn++) {
        uintptr_t frame = garbage[(turn + seed) % COUNT(garbage)];
        size_t size = 1 + turn * turn * 3;
        char *block = with_frame_pointer(frame, (void *(*)(size_t, size_t))malloc, size, 0);
        CHECK(block);
        fill(block, size, turn);
        block = with_frame_pointer(frame, (void *(*)(size_t, size_t))realloc, (size_t)block, size * 2);
        CHECK(block && filled_part(block, size, size, turn));
        with_frame_pointer(frame, (void *(*)(size_t, size_t))free, (size_t)block, 0);
        block = with_frame_pointer((uintptr_t)block, (void *(*)(size_t, size_t))calloc, 3, size);
        CHECK(block && all_zero(block, 3 * size));
        with_frame_pointer((uintptr_t)block, (void *(*)(size_t, size_t))free, (size_t)block, 0);
    }
    return NULL;
}

int main(void)
{
    body(NULL);
    for (size_t i = 0; i < 10; i++)
        run_thread_body(body, (void *)i);
    return 0;
}
