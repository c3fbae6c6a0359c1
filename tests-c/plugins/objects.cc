/* A C++ library with static objects, thread storage and a fork handler's worth of state. */
#include <map>
#include <string>
#include <vector>

static std::map<int, std::string> entries{{1, std::string(300, 'a')}, {2, std::string(5000, 'b')}};
static std::vector<std::string> texts(50, std::string(100, 'c'));
static thread_local std::string mine(200, 'd');

extern "C" std::size_t plugin_sum()
{
    static std::vector<int> local(1000, 1);
    mine += 'e';
    return entries[1].size() + entries[2].size() + texts.size() + local.size() + (mine.size() > 200);
}
