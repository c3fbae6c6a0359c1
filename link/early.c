/* A program is relocated before the loader fills thread-local storage, and resolvers of its indirect
 * functions, which run then, may allocate. This resolver runs when the library itself is relocated,
 * just before, and fills the word of the thread that there is. Only the shared library has it: in a
 * static program resolvers run before a thread has any storage. */
__attribute__((visibility("hidden"))) void lohalloc_fill_word(void);

static void nothing(void)
{
}

__attribute__((used)) static void (*resolve(void))(void)
{
    lohalloc_fill_word();
    return nothing;
}

__attribute__((visibility("hidden"), ifunc("resolve"))) void lohalloc_early(void);

/* What makes the loader call the resolver. */
__attribute__((visibility("hidden"))) void (*const lohalloc_early_use)(void) = lohalloc_early;
