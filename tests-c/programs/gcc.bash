# Compile C and C++ with optimisation and debug data, link, archive and run.
# needs: gcc g++ ar
cat >queens.c <<'X'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int solve(int n, int row, unsigned a, unsigned b, unsigned c)
{
    int sum = 0;
    if (row == n)
        return 1;
    for (unsigned free = ~(a | b | c) & ((1u << n) - 1); free; free &= free - 1) {
        unsigned bit = free & -free;
        sum += solve(n, row + 1, a | bit, (b | bit) << 1, (c | bit) >> 1);
    }
    return sum;
}
int main(void)
{
    for (int i = 4; i < 10; i++)
        printf("%d %d\n", i, solve(i, 0, 0, 0, 0));
    return 0;
}
X
cat >words.cc <<'X'
#include <algorithm>
#include <iostream>
#include <map>
#include <string>
#include <vector>
int main()
{
    std::map<std::string, std::vector<int>> table;
    for (int i = 0; i < 500; i++)
        table["word" + std::to_string(i % 37)].push_back(i);
    for (auto &entry : table)
        std::cout << entry.first << ' ' << entry.second.size() << '\n';
}
X
run gcc -O2 -g -Wall -c queens.c -o queens.o
run gcc -O3 -S -fverbose-asm queens.c -o - | cksum
run g++ -O2 -std=c++17 -c words.cc -o words.o
run ar rcsD libwords.a words.o
run gcc queens.o -o queens
run g++ libwords.a -o words
run ld -r -o both.o words.o
run gcc -O1 -flto=2 queens.c -o queens-lto
run nm words.o | cksum
run objdump -d queens.o | cksum
cksum <queens.o
cksum <words.o
cksum <words
./queens
./words | cksum
cksum <both.o
./queens-lto | cksum
echo 'int main(void) { return missing; }' | run gcc -x c - 2>&1 | grep -o 'error: .*'
