/*
 * Where madvise is refused with ENOMEM, the program goes on: every request is served, and no byte is lost.
 */
#include "../lib/refused.h"

int main(void)
{
    return goes_on_without(SYS_madvise);
}
