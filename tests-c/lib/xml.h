/*
 * A small check that a text is well-formed XML: elements nest, attributes are quoted and unique.
 */
#ifndef XML_H
#define XML_H
#include "test.h"
#include <ctype.h>

static size_t xml_name(const char *at)
{
    size_t n = 0;
    while (isalnum((unsigned char)at[n]) || (n > 0 && strchr("-_:.", at[n]) && at[n]))
        n++;
    if (n == 0)
        FAIL("no name at: %.40s", at);
    return n;
}

static const char *xml_space(const char *at)
{
    while (isspace((unsigned char)*at))
        at++;
    return at;
}

/* The attributes up to the end of the tag. */
static const char *xml_attributes(const char *at)
{
    const char *seen[32];
    size_t count = 0;
    for (;;) {
        const char *next = xml_space(at);
        if (*next == '>' || *next == '/')
            return next;
        CHECK(next > at);
        size_t n = xml_name(next);
        for (size_t i = 0; i < count; i++)
            CHECK(xml_name(seen[i]) != n || memcmp(seen[i], next, n) != 0);
        CHECK(count < COUNT(seen));
        seen[count++] = next;
        at = next + n;
        CHECK(at[0] == '=' && at[1] == '"');
        for (at += 2; *at != '"'; at++)
            CHECK(*at && *at != '<' && *at != '&');
        at++;
    }
}

/* One element and what is in it. Returns what follows. */
static const char *xml_element(const char *at, int depth)
{
    CHECK(*at == '<' && depth < 10);
    const char *name = at + 1;
    size_t n = xml_name(name);
    at = xml_attributes(name + n);
    if (at[0] == '/') {
        CHECK(at[1] == '>');
        return at + 2;
    }
    for (at = xml_space(at + 1); at[0] != '<' || at[1] != '/'; at = xml_space(at))
        at = xml_element(at, depth + 1);
    CHECK(strncmp(at + 2, name, n) == 0 && at[2 + n] == '>');
    return at + 3 + n;
}

__attribute__((unused)) static void xml_check(const char *text)
{
    if (*xml_space(xml_element(xml_space(text), 0)))
        FAIL("more than one element");
}

/* The number in an attribute of the last element that starts with `start`. */
__attribute__((unused))
static size_t xml_last(const char *text, const char *start, const char *attribute)
{
    const char *at = NULL, *next = text;
    char wanted[64];
    while ((next = strstr(next, start)))
        at = next++;
    if (!at)
        FAIL("no %s", start);
    snprintf(wanted, sizeof wanted, " %s=\"", attribute);
    const char *value = strstr(at, wanted);
    CHECK(value && value < strchr(at, '>'));
    return strtoul(value + strlen(wanted), NULL, 10);
}
#endif
