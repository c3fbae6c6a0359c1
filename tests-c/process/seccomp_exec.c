/*
 * A program starts, and its threads allocate, under a filter like that of man, which kills for any other system call.
 */
#include "../lib/churn.h"
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
    churn_once((uint64_t)argument, 2000);
    for (size_t size = MIB; size < 100 * MIB; size *= 2)
        free(realloc(hide(malloc(size)), size * 2));
    return NULL;
}

int main(int count, char **arguments)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        /* The start of a process, files, and threads. */
        ALLOW(SYS_execve), ALLOW(SYS_exit), ALLOW(SYS_exit_group), ALLOW(SYS_read), ALLOW(SYS_write),
        ALLOW(SYS_openat), ALLOW(SYS_close), ALLOW(SYS_newfstatat), ALLOW(SYS_fstat), ALLOW(SYS_lseek),
        ALLOW(SYS_pread64), ALLOW(SYS_faccessat), ALLOW(SYS_readlinkat), ALLOW(SYS_fcntl),
#ifdef SYS_access
        ALLOW(SYS_access), ALLOW(SYS_readlink), ALLOW(SYS_stat), ALLOW(SYS_arch_prctl),
#endif
        ALLOW(SYS_set_tid_address), ALLOW(SYS_set_robust_list), ALLOW(SYS_rseq), ALLOW(SYS_prlimit64),
        ALLOW(SYS_getrandom), ALLOW(SYS_clone), ALLOW(SYS_clone3), ALLOW(SYS_rt_sigaction),
        ALLOW(SYS_rt_sigprocmask), ALLOW(SYS_sched_getaffinity), ALLOW(SYS_getpid), ALLOW(SYS_gettid),
        ALLOW(SYS_tgkill), ALLOW(SYS_uname),
        /* Memory. */
        ALLOW(SYS_brk), ALLOW(SYS_mmap), ALLOW(SYS_munmap), ALLOW(SYS_mremap), ALLOW(SYS_mprotect),
        ALLOW(SYS_madvise), ALLOW(SYS_futex),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
    };
    struct sock_fprog program = {COUNT(filter), filter};
    if (count == 1) {
        char *again[] = {arguments[0], "filtered", NULL};
        if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
            prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
            SKIP("this kernel has no seccomp filters");
        execv(arguments[0], again);
        FAIL("exec: errno %d", errno);
    }
    body((void *)1);
    for (size_t i = 0; i < 3; i++)
        run_thread_body(body, (void *)i);
    return 0;
}
