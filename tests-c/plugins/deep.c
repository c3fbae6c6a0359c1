/* A library with a name that its host has, too. */
int plugin_number(void)
{
    return 2;
}

int plugin_ask(void)
{
    return plugin_number();
}
