/*
 * After the start a program gives only the classic kinds of advice about memory: others would kill it in some filters.
 */
#include "../lib/churn.h"
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#define ADVICE(number)                                                         \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1),                         \
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

static void *body(void *argument)
{
    struct slot slots[100] = {{0}};
    churn(slots, 100, 4 * MIB, 2000, (uint64_t)argument);
    churn_end(slots, 100);
    for (int i = 0; i < 3000; i++)
        free(hide(malloc((size_t)i * 100)));
    return NULL;
}

int main(void)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_madvise, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
        ADVICE(MADV_NORMAL), ADVICE(MADV_DONTNEED), ADVICE(MADV_HUGEPAGE), ADVICE(MADV_NOHUGEPAGE),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
    };
    struct sock_fprog program = {COUNT(filter), filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
        SKIP("this kernel has no seccomp filters");
    body((void *)1);
    run_thread_body(body, (void *)2);
    static char *blocks[60000];
    for (size_t i = 0; i < COUNT(blocks); i++) {
        CHECK(blocks[i] = malloc(500));
        memset(blocks[i], 1, 500);
    }
    for (size_t i = 0; i < COUNT(blocks); i++)
        free(blocks[i]);
    pid_t child = fork();
    if (child == 0) {
        body((void *)3);
        _exit(0);
    }
    check_child(child);
    return 0;
}
