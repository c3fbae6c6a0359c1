/*
 * Destructors of static objects, of those made in them, and of local statics may allocate and free.
 */
#include "../lib/churn.h"
#include <map>
#include <string>
#include <vector>

static std::vector<std::string> *shared;

struct Last {
    ~Last()
    {
        for (auto &text : *shared)
            CHECK(text.size() >= 100);
        delete shared;
        churn_once(1, 300);
    }
};

struct Item {
    std::map<int, std::string> entries;
    explicit Item(int seed)
    {
        for (int i = 0; i < 200; i++)
            entries[i] = std::string((size_t)(100 + i + seed), 'x');
    }
    ~Item()
    {
        for (auto &entry : entries)
            shared->push_back(std::move(entry.second));
        /* Made while others are already gone, and destroyed at once after this. */
        static std::string late(5000, 'l');
        CHECK(late[4999] == 'l');
    }
};

static Last last;
static Item first(1), second(2);

static Item &local()
{
    static Item item(3);
    return item;
}

int main()
{
    shared = new std::vector<std::string>;
    CHECK(local().entries.size() == 200);
    first.entries.swap(second.entries);
    return 0;
}
