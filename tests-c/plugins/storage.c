/*
 * A library that takes most of what the loader keeps for thread storage of late libraries.
 * flags: -ftls-model=initial-exec
 */
static __thread char bytes[1024] = {1};

int plugin_first(void)
{
    return bytes[0]++;
}
