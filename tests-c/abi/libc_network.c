/*
 * What getaddrinfo, getifaddrs and if_nameindex return comes from the heap and goes back to it.
 */
#include "../lib/test.h"
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>

int main(void)
{
    size_t start = 0;
    for (int turn = 0; turn < 50; turn++) {
        struct addrinfo hints = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV}, *list;
        CHECK(getaddrinfo("127.0.0.1", "80", &hints, &list) == 0);
        CHECK(list && malloc_usable_size(list) >= sizeof *list);
        freeaddrinfo(list);
        struct ifaddrs *interfaces = NULL;
        if (getifaddrs(&interfaces) == 0 && interfaces) {
            CHECK(malloc_usable_size(interfaces) >= sizeof *interfaces);
            freeifaddrs(interfaces);
        }
        struct if_nameindex *names = if_nameindex();
        if (names) {
            CHECK(malloc_usable_size(names) >= sizeof *names);
            if_freenameindex(names);
        }
        if (turn == 0)
            start = mallinfo2().uordblks;
    }
    CHECK(mallinfo2().uordblks < start + 64 * KIB);
    return 0;
}
