/*
 * A program that defines the functions of mutexes and keys, finds the real ones by dlsym and allocates, works.
 */
#include "../lib/churn.h"
#include <dlfcn.h>

static __thread int inside;
static unsigned long calls;

/* As lock profilers do: look up the real function, and note who called. */
static void *real(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    CHECK(found);
    if (!inside) {
        inside = 1;
        char *small = strdup(name), *large = calloc(1, 300000);
        CHECK(small && large);
        free(large);
        free(small);
        inside = 0;
    }
    __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED);
    return found;
}

int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    return ((int (*)(pthread_mutex_t *))real("pthread_mutex_lock"))(mutex);
}

int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
    return ((int (*)(pthread_mutex_t *))real("pthread_mutex_trylock"))(mutex);
}

int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    return ((int (*)(pthread_mutex_t *))real("pthread_mutex_unlock"))(mutex);
}

int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes)
{
    return ((int (*)(pthread_mutex_t *, const void *))real("pthread_mutex_init"))(mutex, attributes);
}

int pthread_key_create(pthread_key_t *key, void (*destructor)(void *))
{
    return ((int (*)(pthread_key_t *, void (*)(void *)))real("pthread_key_create"))(key, destructor);
}

int pthread_setspecific(pthread_key_t key, const void *value)
{
    return ((int (*)(pthread_key_t, const void *))real("pthread_setspecific"))(key, value);
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t key;

static void *body(void *argument)
{
    CHECK(pthread_setspecific(key, malloc(100)) == 0);
    for (uint64_t turn = 0; turn < 20; turn++) {
        pthread_mutex_lock(&mutex);
        churn_once(turn + (uint64_t)argument, 100);
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[4];
    alarm(20);
    CHECK(pthread_key_create(&key, free) == 0);
    for (int turn = 0; turn < 25; turn++) {
        for (size_t i = 0; i < COUNT(threads); i++)
            CHECK(pthread_create(&threads[i], NULL, body, (void *)i) == 0);
        if (turn % 5 == 0) {
            pid_t child = fork();
            if (child == 0) {
                alarm(20);
                churn_once(1, 200);
                exit(0);
            }
            check_child(child);
        }
        for (size_t i = 0; i < COUNT(threads); i++)
            pthread_join(threads[i], NULL);
    }
    CHECK(calls > 4000);
    return 0;
}
