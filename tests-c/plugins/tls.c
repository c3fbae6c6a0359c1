/* A library that asks for room in the static block of thread-local memory, which is scarce at run time. */
#include <stdlib.h>

static __thread __attribute__((tls_model("initial-exec"))) char words[1000];

char *plugin_words(void)
{
    if (!words[0]) {
        char *block = calloc(1, 1000);
        words[0] = (char)(1 + block[999]);
        free(block);
    }
    return words;
}
