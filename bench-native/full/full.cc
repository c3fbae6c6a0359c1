// What does each pattern of a public comparison of allocators cost a C++ program, by new, delete and
// the containers of the standard library?
//
//   full-cpp ROW [THREADS]
//
// The rows are those of full.c, and two of vectors and strings that grow.
#include <array>
#include <barrier>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

extern "C" int full_end();

static constexpr size_t KiB = 1 << 10, MiB = 1 << 20;
static size_t threads = 1;

using Block = std::unique_ptr<char[]>;

// A block with its first and last byte, and each OS page between them, written to.
static Block take(size_t size) {
    Block block(new char[size]);
    volatile char *p = block.get();
    for (size_t at = 0; at < size; at += 4096)
        p[at] = 1;
    p[size - 1] = 1;
    return block;
}

struct Random {
    std::minstd_rand engine;
    explicit Random(size_t seed = 1) : engine(static_cast<unsigned>(seed)) {}
    size_t below(size_t bound) { return static_cast<uint64_t>(engine()) * bound >> 31; }
    size_t between(size_t least, size_t most) { return least + below(most - least + 1); }
};

// The old block goes before the new one comes, as in C.
static void replace(Block &at, size_t size) {
    at.reset();
    at = take(size);
}

static void slab(size_t turns) {
    std::vector<Block> window(64);
    for (size_t i = 0; i < turns; i++)
        replace(window[i % window.size()], 208);
}

static void arena() {
    Random random;
    for (int burst = 0; burst < 20000; burst++) {
        std::vector<Block> blocks(500);
        for (Block &block : blocks)
            block = take(random.between(16, 256));
    }
}

static void buddy() {
    Random random;
    std::vector<Block> window(16), live(1000);
    for (size_t i = 0; i < 100 * live.size(); i++) {
        size_t size = random.between(32 * KiB, 256 * KiB);
        replace(i % 100 ? window[i % window.size()] : live[i / 100], size);
    }
}

static void system_blocks() {
    std::vector<Block> window(4);
    for (size_t i = 0; i < 1000; i++) {
        size_t size = i % 3 ? 2 * MiB : 8 * MiB;
        replace(window[i % window.size()], size);
        std::memset(window[i % window.size()].get(), 1, size);
    }
}

static void mixed(size_t turns, size_t least, size_t most, size_t seed) {
    Random random(seed);
    std::vector<Block> slots(256);
    for (size_t i = 0; i < turns; i++)
        replace(slots[random.below(slots.size())], random.between(least, most));
}

static void adv_mixed() { mixed(2000000, KiB, 64 * KiB, 1); }

static void request_loop() {
    Random random;
    for (int request = 0; request < 500000; request++) {
        Block blocks[22];
        for (size_t i = 0; i < 22; i++)
            blocks[i] = take(i < 20 ? random.between(16, 256) : random.between(4 * KiB, 64 * KiB));
    }
}

struct Node {
    std::string key;
    std::vector<std::unique_ptr<Node>> members;
};

static std::unique_ptr<Node> build(Random &random, int depth) {
    auto node = std::make_unique<Node>();
    node->key.assign(random.between(8, 80), 'k');
    for (int i = 0; depth && i < 7; i++)
        node->members.push_back(build(random, depth - 1));
    return node;
}

static void json_tree() {
    Random random;
    for (int tree = 0; tree < 100; tree++)
        build(random, 5);
}

static void kv_store() {
    Random random;
    std::unordered_map<size_t, Block> store;
    for (int i = 0; i < 4000000; i++)
        replace(store[random.below(16384)], random.between(8, 512));
}

// Runs `body` in threads 0 to `threads` - 1 and waits for all.
static void in_threads(const std::function<void(size_t)> &body) {
    std::vector<std::jthread> all;
    for (size_t me = 0; me < threads; me++)
        all.emplace_back(body, me);
}

static void mt_slab() {
    in_threads([](size_t) { slab(12000000 / threads); });
}

static void mt_mixed() {
    in_threads([](size_t me) { mixed(4000000 / threads, 16, 4 * KiB, 1 + me); });
}

static void mt_xfree() {
    constexpr size_t passed = 1000;
    using Box = std::vector<Block>;
    std::vector<std::array<Box, 2>> boxes(threads);
    for (auto &pair : boxes)
        for (Box &box : pair)
            box.resize(passed);
    std::barrier all(static_cast<std::ptrdiff_t>(threads));
    in_threads([&](size_t me) {
        Random random(1 + me);
        for (size_t round = 0; round < 6000 / threads; round++) {
            for (Block &block : boxes[me][round % 2])
                block = take(random.between(16, 512));
            all.arrive_and_wait();
            for (Block &block : boxes[(me + 1) % threads][round % 2])
                block.reset();
        }
    });
}

static void mt_interfere() {
    in_threads([](size_t me) {
        if (me == 0)
            mixed(20000, 64 * KiB, MiB, 1);
        else
            mixed(6000000 / (threads - 1), 16, 256, 1 + me);
    });
}

// Vectors that grow by one number at a time, of which a hundred live.
static void vectors() {
    Random random;
    std::vector<std::vector<uint64_t>> live(100);
    for (int i = 0; i < 300000; i++) {
        std::vector<uint64_t> vector;
        for (size_t n = random.between(1, 2000); n--;)
            vector.push_back(n);
        live[random.below(live.size())] = std::move(vector);
    }
}

// Strings that are copied and appended to, of which a thousand live.
static void strings() {
    Random random;
    std::vector<std::string> live(1000, std::string(20, 'a'));
    for (int i = 0; i < 4000000; i++) {
        std::string string = live[random.below(live.size())];
        string.append(random.between(1, 60), 'b');
        if (string.size() > 200)
            string = std::string(random.between(16, 40), 'a');
        live[random.below(live.size())] = std::move(string);
    }
}

static const std::map<std::string, void (*)()> rows = {
    {"slab", [] { slab(12000000); }},
    {"arena", arena},
    {"buddy", buddy},
    {"system", system_blocks},
    {"adv-mixed", adv_mixed},
    {"request-loop", request_loop},
    {"json-tree", json_tree},
    {"kv-store", kv_store},
    {"mt-slab", mt_slab},
    {"mt-mixed", mt_mixed},
    {"mt-xfree", mt_xfree},
    {"mt-interfere", mt_interfere},
    {"vector", vectors},
    {"string", strings},
};

int main(int argc, char **argv) {
    if (argc > 2)
        threads = std::stoul(argv[2]);
    auto row = rows.find(argc > 1 ? argv[1] : "");
    if (row == rows.end()) {
        std::fprintf(stderr, "full-cpp: no such row\n");
        return 2;
    }
    row->second();
    return full_end();
}
