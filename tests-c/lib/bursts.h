/*
 * A server with bursts: requests of mixed sizes from several functions, freed in no order at
 * the burst's end; of each burst a few blocks stay in a table of sessions.
 */
#ifndef BURSTS_H
#define BURSTS_H
#include "learning.h"

enum { REQUESTS = 60000, SESSIONS = 2000 };

static struct {
    uint64_t random;
    char **requests;
    char *sessions[SESSIONS][2];
} server;

/* A call from a site of its own. */
#define SITE(name, mark, allocate)                                             \
    __attribute__((noinline)) static char *name(size_t size)                   \
    {                                                                          \
        char *block = (char *)allocate;                                        \
        CHECK(block);                                                          \
        memset(block, mark, size);                                             \
        return (char *)hide(block);                                            \
    }

/* Most programs allocate through a function of their own: only who calls it tells. */
SITE(checked, 1, malloc(size))
SITE(header, 2, malloc(size))
SITE(body, 3, checked(size))
SITE(session, 4, calloc(1, size))
SITE(session_name, 5, checked(size))

static size_t request_size(void)
{
    return 16 + (random_next(&server.random) >> 20) % 800;
}

static void burst(void)
{
    for (int i = 0; i < REQUESTS; i++) {
        size_t size = request_size();
        server.requests[i] = random_next(&server.random) & 1024 ? header(size) : body(size);
        if (i % 200 == 0) {
            size_t s = (random_next(&server.random) >> 20) % SESSIONS;
            free(server.sessions[s][0]);
            free(server.sessions[s][1]);
            server.sessions[s][0] = session(request_size());
            server.sessions[s][1] = session_name(request_size());
        }
    }
    for (int i = REQUESTS - 1; i > 0; i--) {
        int other = (int)((random_next(&server.random) >> 20) % (uint64_t)(i + 1));
        char *request = server.requests[i];
        server.requests[i] = server.requests[other];
        server.requests[other] = request;
    }
    for (int i = 0; i < REQUESTS; i++)
        free(server.requests[i]);
}

static void serve(int bursts, uint64_t seed)
{
    if (!server.requests)
        server.requests = own_memory(REQUESTS * sizeof *server.requests);
    server.random = seed * 0x9e3779b97f4a7c15u + 1;
    for (int i = 0; i < bursts; i++)
        burst();
}

static inline void end_sessions(void)
{
    for (int i = 0; i < SESSIONS; i++) {
        free(server.sessions[i][0]);
        free(server.sessions[i][1]);
        server.sessions[i][0] = server.sessions[i][1] = NULL;
    }
}

#endif
