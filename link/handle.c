/* The C library asks every shared library for this name, to know whose fork handlers to drop at an
 * unload. Null is an owner that is never unloaded, as the program itself. The compiler's start
 * files, which define it otherwise, stay out: they drop the handlers at exit already, while other
 * libraries may fork. */
__attribute__((visibility("hidden"))) void *__dso_handle = 0;
