/* SPDX-License-Identifier: Apache-2.0
 *
 * Exceptions through frames with destructors, and sorting with a function object.  throws N
 */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

struct Owner {
    std::string text;
    explicit Owner(int length) : text(100 + length, 'x') {}
    ~Owner() { text.clear(); }
};

__attribute__((noinline)) static int descend(int depth)
{
    Owner owner(depth);
    if (depth == 0)
        throw std::runtime_error("at the bottom");
    return descend(depth - 1) + (int)owner.text.size();
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 0, n_caught = 0;
    std::vector<int> numbers(20000);
    for (int i = 0; i < n; i++) {
        for (int &number : numbers)
            number = rand();
        std::sort(numbers.begin(), numbers.end(), [](int a, int b) { return a % 1000 < b % 1000; });
        for (int k = 0; k < 200; k++)
            try {
                descend(20);
            } catch (const std::exception &) {
                n_caught++;
            }
    }
    printf("%d\n", n_caught);
    return n_caught != 200 * n;
}
