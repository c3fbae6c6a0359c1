/*
 * A seccomp filter that lets only the classic memory calls through does not disturb the allocator.
 */
#include "../lib/churn.h"
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#define ALLOW(number)                                                          \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1),                         \
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

static void *body(void *argument)
{
    static struct slot slots[200];
    churn(slots, 200, 8 * MIB, 5000, 1);
    churn_end(slots, 200);
    for (size_t size = MIB; size < 256 * MIB; size *= 2) {
        char *block = malloc(size);
        CHECK(block);
        touch(block, size);
        block = realloc(block, size * 2);
        CHECK(block);
        free(block);
    }
    return argument;
}

int main(void)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        ALLOW(SYS_mmap), ALLOW(SYS_munmap), ALLOW(SYS_mremap), ALLOW(SYS_mprotect),
        ALLOW(SYS_madvise), ALLOW(SYS_brk), ALLOW(SYS_futex), ALLOW(SYS_write),
        ALLOW(SYS_exit_group), ALLOW(SYS_exit), ALLOW(SYS_rt_sigprocmask),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
    };
    struct sock_fprog program = {COUNT(filter), filter};
    free(malloc(1));
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
        SKIP("this kernel has no seccomp filters");
    body(NULL);
    _exit(0);
}
