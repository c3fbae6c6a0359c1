/*
 * A process that was started without stdin, stdout and stderr works, and its files stay untouched.
 */
#include "../lib/churn.h"

int main(int count, char **arguments)
{
    if (count == 1) {
        pid_t child = fork();
        if (child == 0) {
            char *again[] = {arguments[0], "closed", NULL};
            close(0);
            close(1);
            close(2);
            execv(arguments[0], again);
            _exit(9);
        }
        check_child(child);
        return 0;
    }
    int fd = open("file", O_RDWR | O_CREAT | O_EXCL, 0600);
    if (fd != 0)
        _exit(10);
    churn_once(1, 5000);
    if (lseek(fd, 0, SEEK_END) != 0)
        _exit(11);
    return 0;
}
