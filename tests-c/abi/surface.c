/*
 * No name of the malloc family is left to another library: all lie where malloc does.
 * only: lohalloc
 * flags: -rdynamic
 */
#include "../lib/test.h"
#include <dlfcn.h>

static const char *const names[] = {
    "malloc", "free", "calloc", "realloc", "reallocarray", "posix_memalign", "aligned_alloc",
    "memalign", "valloc", "pvalloc", "malloc_usable_size", "cfree", "free_sized",
    "free_aligned_sized", "malloc_size", "malloc_good_size", "malloc_trim", "mallopt", "mallinfo",
    "mallinfo2", "malloc_info", "malloc_stats", "__libc_malloc", "__libc_free", "__libc_calloc",
    "__libc_realloc", "__libc_memalign", "__libc_valloc", "__libc_pvalloc", "__libc_mallinfo",
    "__libc_mallopt", "_Znwm", "_Znam", "_ZdlPv", "_ZdaPv", "_ZnwmRKSt9nothrow_t",
    "_ZnamRKSt9nothrow_t", "_ZdlPvRKSt9nothrow_t", "_ZdaPvRKSt9nothrow_t", "_ZdlPvm", "_ZdaPvm",
    "_ZnwmSt11align_val_t", "_ZnamSt11align_val_t", "_ZnwmSt11align_val_tRKSt9nothrow_t",
    "_ZnamSt11align_val_tRKSt9nothrow_t", "_ZdlPvSt11align_val_t", "_ZdaPvSt11align_val_t",
    "_ZdlPvSt11align_val_tRKSt9nothrow_t", "_ZdaPvSt11align_val_tRKSt9nothrow_t",
    "_ZdlPvmSt11align_val_t", "_ZdaPvmSt11align_val_t", "_ZdlPvmRKSt9nothrow_t",
    "_ZdaPvmRKSt9nothrow_t",
};

/* In the static library only what a program asks for itself is linked of these. */
static const char *const hints[] = {
    "_Znwm12__hot_cold_t", "_Znam12__hot_cold_t",
    "_ZnwmRKSt9nothrow_t12__hot_cold_t", "_ZnamRKSt9nothrow_t12__hot_cold_t",
    "_ZnwmSt11align_val_t12__hot_cold_t", "_ZnamSt11align_val_t12__hot_cold_t",
    "_ZnwmSt11align_val_tRKSt9nothrow_t12__hot_cold_t",
    "_ZnamSt11align_val_tRKSt9nothrow_t12__hot_cold_t", "__size_returning_new",
    "__size_returning_new_aligned", "__size_returning_new_hot_cold",
    "__size_returning_new_aligned_hot_cold",
};

static void lie_together(const char *const *list, size_t count)
{
    Dl_info home, info;
    void *found = dlsym(RTLD_DEFAULT, "malloc");
    CHECK(found && dladdr(found, &home));
    for (size_t i = 0; i < count; i++) {
        found = dlsym(RTLD_DEFAULT, list[i]);
        if (!found || !dladdr(found, &info))
            FAIL("no %s", list[i]);
        if (info.dli_fbase != home.dli_fbase)
            FAIL("%s is that of %s", list[i], info.dli_fname);
    }
}

int main(void)
{
    free(malloc(1));
    lie_together(names, COUNT(names));
    if (strcmp(getenv("TEST_WAY"), "a") != 0)
        lie_together(hints, COUNT(hints));
    return 0;
}
