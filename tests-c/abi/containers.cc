/*
 * The containers, strings, streams and shared pointers of C++ work, also across threads.
 */
#include "../lib/test.h"
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

struct alignas(64) Line {
    double values[8];
};

static void work(unsigned seed, std::map<int, std::shared_ptr<std::string>> *out)
{
    std::unordered_map<std::string, std::vector<int>> table;
    std::deque<std::string> queue;
    std::list<Line> lines;
    std::set<std::string> names;
    for (unsigned i = 0; i < 20000; i++) {
        std::ostringstream stream;
        stream << "key " << (i * 7919 + seed) % 3000;
        table[stream.str()].push_back((int)i);
        queue.push_back(stream.str());
        if (queue.size() > 500)
            queue.pop_front();
        if (i % 10 == 0) {
            lines.push_back(Line());
            CHECK((uintptr_t)&lines.back().values % 64 == 0);
            names.insert(stream.str());
        }
    }
    size_t total = 0;
    for (auto &entry : table)
        total += entry.second.size();
    CHECK(total == 20000 && table.size() == 3000);
    for (int i = 0; i < 1000; i++)
        (*out)[i] = std::make_shared<std::string>((size_t)i, (char)65);
}

int main()
{
    std::map<int, std::shared_ptr<std::string>> results[4];
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < 4; i++)
        threads.emplace_back(work, i, &results[i]);
    for (auto &thread : threads)
        thread.join();
    for (auto &result : results)
        for (auto &entry : result)
            CHECK(*entry.second == std::string((size_t)entry.first, (char)65));
    return 0;
}
