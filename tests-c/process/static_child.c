/*
 * A static program that inherits LD_PRELOAD runs as ever, and says what it says without.
 */
#include "../lib/churn.h"
#include <elf.h>

/* Debian's loader cache tool is linked all static. */
static const char *const programs[] = {"/sbin/ldconfig", "/sbin/ldconfig.real", "/usr/sbin/ldconfig", "/bin/busybox"};

static int is_static(const char *path)
{
    Elf64_Ehdr header;
    Elf64_Phdr part;
    int fd = open(path, O_RDONLY), answer = 1;
    if (fd < 0)
        return 0;
    if (read(fd, &header, sizeof header) != sizeof header || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
        answer = 0;
    for (int i = 0; answer && i < header.e_phnum; i++) {
        off_t at = (off_t)(header.e_phoff + (size_t)i * header.e_phentsize);
        CHECK(pread(fd, &part, sizeof part, at) == sizeof part);
        if (part.p_type == PT_INTERP)
            answer = 0;
    }
    close(fd);
    return answer;
}

static void ask(const char *path, char *text, size_t size)
{
    char command[256];
    snprintf(command, sizeof command, "%s --help 2>&1", path);
    FILE *pipe = popen(command, "r");
    CHECK(pipe);
    size_t got = fread(text, 1, size - 1, pipe);
    text[got] = 0;
    CHECK(pclose(pipe) == 0);
}

int main(void)
{
    static char with[20000], without[20000];
    for (size_t i = 0; i < COUNT(programs); i++) {
        if (!is_static(programs[i]))
            continue;
        ask(programs[i], with, sizeof with);
        unsetenv("LD_PRELOAD");
        ask(programs[i], without, sizeof without);
        CHECK(with[0] && strcmp(with, without) == 0);
        return 0;
    }
    SKIP("no static program here");
}
