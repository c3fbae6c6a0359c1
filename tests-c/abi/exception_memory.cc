/*
 * Exceptions may be thrown, kept and freed in other threads, and by the thousand.
 */
#include "../lib/test.h"
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

int main()
{
    std::vector<std::exception_ptr> kept(2000);
    std::thread thread([&] {
        for (size_t i = 0; i < kept.size(); i++) {
            try {
                throw std::runtime_error("exception " + std::to_string(i) + std::string(i, (char)33));
            } catch (...) {
                kept[i] = std::current_exception();
            }
        }
    });
    thread.join();
    for (size_t i = 0; i < kept.size(); i++) {
        try {
            std::rethrow_exception(kept[i]);
        } catch (const std::runtime_error &error) {
            CHECK(("exception " + std::to_string(i) + std::string(i, (char)33)) == error.what());
        }
    }
    return 0;
}
