/*
 * Memory calls that a seccomp filter refuses with EPERM, other than mmap and munmap, are survived.
 */
#include "../lib/churn.h"
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#define REFUSE(number)                                                         \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1),                         \
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)

int main(void)
{
    static struct slot slots[200];
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        REFUSE(SYS_madvise), REFUSE(SYS_mremap), REFUSE(SYS_prctl), REFUSE(SYS_mbind),
        REFUSE(SYS_set_mempolicy), REFUSE(SYS_get_mempolicy), REFUSE(SYS_sched_getaffinity),
        REFUSE(SYS_openat), REFUSE(SYS_getrandom),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {COUNT(filter), filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
        SKIP("this kernel has no seccomp filters");
    churn(slots, 200, 8 * MIB, 5000, 1);
    churn_end(slots, 200);
    for (size_t size = MIB; size < 256 * MIB; size *= 2) {
        char *block = malloc(size);
        CHECK(block);
        fill(block, size, 3);
        block = realloc(block, size * 2);
        CHECK(block && filled_part(block, size, size, 3));
        free(block);
        block = calloc(1, size);
        CHECK(block && all_zero(block, size));
        free(block);
    }
    return 0;
}
