/*
 * Threads that give the kernel a robust list of their own, and end by the raw system call, leave their blocks whole.
 * only: lohalloc
 */
#include "../lib/churn.h"
#include <linux/futex.h>
#include <sys/syscall.h>

static struct slot slots[50];

static void *body(void *argument)
{
    static struct robust_list_head head;
    head.list.next = &head.list;
    if ((size_t)argument % 2)
        CHECK(syscall(SYS_set_robust_list, &head, sizeof head) == 0);
    churn(slots, 50, 64 * KIB, 400, (uint64_t)argument);
    if ((size_t)argument % 2 == 0)
        CHECK(syscall(SYS_set_robust_list, &head, sizeof head) == 0);
    syscall(SYS_exit, 0);
    return NULL;
}

int main(void)
{
    for (size_t turn = 0; turn < 100; turn++) {
        run_thread_body(body, (void *)turn);
        churn(slots, 50, 64 * KIB, 200, turn);
    }
    churn_end(slots, 50);
    return 0;
}
