/*
 * A system call that is refused from now on, by a filter that cannot be taken away again, and the
 * life of a program under it.
 */
#ifndef REFUSE_H
#define REFUSE_H
#include "limits.h"
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

/* From now on the call ends with ENOMEM in every thread, whatever its arguments. */
static void refuse(long number)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOMEM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {COUNT(filter), filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
        syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program))
        SKIP("this kernel has no seccomp filters");
}

struct held {
    unsigned char *block;
    size_t size;
};

static const size_t held_sizes[] = {24,        100,       1000,     5000,    30 * KIB, 100 * KIB,
                                    300 * KIB, 2 * MIB,   5 * MIB,  18 * MIB};

/* A block of each size, with bytes of its own. False if one could not be had: errno is ENOMEM then. */
__attribute__((unused)) static int hold(struct held *held, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        held[i].size = held_sizes[i % COUNT(held_sizes)] + i;
        errno = 0;
        held[i].block = (unsigned char *)malloc(held[i].size);
        if (!held[i].block) {
            CHECK(errno == ENOMEM);
            held[i].size = 0;
            return 0;
        }
        fill(held[i].block, held[i].size, i);
    }
    return 1;
}

__attribute__((unused)) static void check_held(const struct held *held, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (held[i].block && !filled(held[i].block, held[i].size, i))
            FAIL("the block of %zu bytes lost its bytes", held[i].size);
}

/* Each block becomes `percent` as long: either that, or NULL and the block is as it was. */
__attribute__((unused))
static size_t resize_held(struct held *held, size_t count, size_t percent)
{
    size_t refused = 0;
    for (size_t i = 0; i < count; i++) {
        size_t was = held[i].size, size = was / 100 * percent + 1;
        if (!held[i].block)
            continue;
        errno = 0;
        unsigned char *block = (unsigned char *)realloc(held[i].block, size);
        if (!block) {
            CHECK(errno == ENOMEM);
            refused++;
            continue;
        }
        if (!filled_part(block, was, size < was ? size : was, i))
            FAIL("realloc from %zu to %zu bytes lost bytes", was, size);
        fill(block, size, i);
        held[i].block = block;
        held[i].size = size;
    }
    return refused;
}

__attribute__((unused)) static void let_go(struct held *held, size_t count)
{
    check_held(held, count);
    for (size_t i = 0; i < count; i++) {
        free(held[i].block);
        held[i].block = NULL;
    }
}

#endif
