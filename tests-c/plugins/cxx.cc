/*
 * A library in C++ with static objects, thread-local ones and exceptions, which can be unloaded.
 * flags: -fno-gnu-unique
 */
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

static std::map<int, std::string> entries = [] {
    std::map<int, std::string> made;
    for (int i = 0; i < 50; i++)
        made[i] = std::string(20 + i, 'x');
    return made;
}();

static thread_local std::vector<std::string> seen;

extern "C" std::size_t plugin_work(int turn)
{
    static std::string once(100, 'o');
    seen.push_back(entries.at(turn % 50) + once);
    try {
        entries.at(1000);
    } catch (const std::out_of_range &error) {
        seen.push_back(error.what());
    }
    return seen.size();
}
