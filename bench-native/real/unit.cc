// What a compiler meets in C++: templates of the standard library, instantiated.
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

template <int N> struct Step {
    std::map<std::string, std::vector<std::shared_ptr<int>>> kept;
    std::unordered_map<int, std::function<int(int)>> actions;
    int run() {
        kept["step" + std::to_string(N)].push_back(std::make_shared<int>(N));
        actions[N] = [this](int n) { return n + (int)kept.size(); };
        std::vector<std::pair<int, std::string>> order;
        for (auto &[name, list] : kept)
            order.emplace_back((int)list.size(), name);
        std::sort(order.begin(), order.end());
        return actions[N](order.front().first) + Step<N - 1>().run();
    }
};
template <> struct Step<0> {
    int run() { return 0; }
};
int main() { return Step<6>().run(); }
