/*
 * Constructors and destructors of C++ thread_local objects may allocate, free and hand blocks on.
 */
#include "../lib/churn.h"
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

static std::mutex mutex;
static std::vector<std::string> left;

struct Late {
    std::map<int, std::string> entries;
    Late()
    {
        for (int i = 0; i < 100; i++)
            entries[i] = std::string(100 + i, (char)(33 + i % 90));
    }
    ~Late()
    {
        for (auto &entry : entries)
            CHECK(entry.second == std::string(100 + entry.first, (char)(33 + entry.first % 90)));
        std::lock_guard<std::mutex> guard(mutex);
        left.push_back(std::move(entries[7]));
        churn_once(left.size(), 200);
    }
};

struct Early {
    std::unique_ptr<std::vector<int>> numbers;
    ~Early()
    {
        numbers.reset(new std::vector<int>(5000, 1));
        free(hide(malloc(3000)));
    }
};

static thread_local Early early;
static thread_local Late late;

int main()
{
    size_t start = 0;
    for (int turn = 0; turn < 600; turn++) {
        std::thread thread([] {
            early.numbers.reset(new std::vector<int>(100));
            CHECK(late.entries.size() == 100);
        });
        thread.join();
        if (turn == 50)
            start = resident();
    }
    CHECK(left.size() == 600);
    for (auto &text : left)
        CHECK(text == std::string(107, (char)40));
    CHECK(resident() < start + 4 * MIB);
    return 0;
}
