/*
 * What scandir, glob and get_current_dir_name return is freed by free.
 */
#include "../lib/test.h"
#include <dirent.h>
#include <glob.h>
#include <sys/stat.h>

int main(void)
{
    size_t start;
    for (int i = 0; i < 300; i++) {
        char name[32];
        snprintf(name, sizeof name, "file_%d", i);
        int file = open(name, O_CREAT | O_WRONLY, 0600);
        CHECK(file >= 0 && close(file) == 0);
    }
    free(malloc(1));
    start = mallinfo2().uordblks;
    for (int turn = 0; turn < 20; turn++) {
        struct dirent **entries;
        int count = scandir(".", &entries, NULL, alphasort);
        CHECK(count == 302);
        for (int i = 0; i < count; i++) {
            CHECK(malloc_usable_size(entries[i]) >= strlen(entries[i]->d_name));
            free(entries[i]);
        }
        free(entries);
        glob_t found;
        CHECK(glob("file_*", 0, NULL, &found) == 0 && found.gl_pathc == 300);
        CHECK(malloc_usable_size(found.gl_pathv) >= 300 * sizeof(char *));
        globfree(&found);
        char *name = get_current_dir_name();
        CHECK(name && malloc_usable_size(name) > strlen(name));
        free(realloc(name, 10000));
        DIR *directory = opendir(".");
        CHECK(directory && readdir(directory) && closedir(directory) == 0);
    }
    CHECK(mallinfo2().uordblks < start + 64 * KIB);
    return 0;
}
