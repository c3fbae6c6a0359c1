/*
 * C++ static objects may allocate, start threads and fork before main, and free after it.
 */
#include "../lib/churn.h"
#include <string>
#include <thread>
#include <vector>

struct Before {
    std::vector<std::string> texts;
    Before()
    {
        std::thread thread([this] {
            for (int i = 0; i < 1000; i++)
                texts.push_back(std::string((size_t)i, (char)(33 + i % 90)));
        });
        thread.join();
        pid_t child = fork();
        if (child == 0) {
            churn_once(1, 500);
            _exit(0);
        }
        check_child(child);
    }
    ~Before()
    {
        for (int i = 0; i < 1000; i++)
            if (texts[(size_t)i] != std::string((size_t)i, (char)(33 + i % 90)))
                FAIL("a text that was made before main changed");
        churn_once(2, 500);
    }
};

static Before before __attribute__((init_priority(101)));
static Before again;

int main()
{
    before.texts[5].swap(again.texts[5]);
    return 0;
}
