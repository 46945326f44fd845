/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A C++ library to be wrapped: wrapped_cxx.h. */
#include "wrapped_cxx.h"

namespace wrapped {
int Base::alive;
Base::Base(int n) : n_(n)
{
    if (n < 0)
        throw Error("negative");
    alive++;
}
Base::~Base() { alive--; }
int Base::value() const { return n_; }
int Base::doubled() const { return 2 * value(); }
Base::operator std::string() const { return "Base " + std::to_string(n_); }
Derived::Derived(const std::string &text) : Base((int)text.size())
{
    if (text == "no")
        throw Error("derived");
}
Derived::~Derived() {}
int Derived::value() const { return n_ + 100; }

std::string repeat(const std::string &text, int n)
{
    std::string all;
    while (n-- > 0)
        all += text;
    return all;
}
std::vector<double> squares(int n)
{
    std::vector<double> all;
    for (int i = 0; i < n; i++)
        all.push_back(i * i);
    return all;
}
std::complex<double> times(std::complex<double> a, std::complex<double> b) { return a * b; }
int over(int a) { return a + 1; }
double over(double a) { return a + 0.5; }
std::string over(const char *a, int n) { return repeat(a, n); }
int through(int depth, const std::function<int()> &call) { return depth ? through(depth - 1, call) + 1 : call(); }
int catches(int depth, const std::function<int()> &call)
{
    try {
        return through(depth, call);
    } catch (const std::exception &error) {
        return 1000 + (int)std::string(error.what()).size();
    }
}
void throws(const std::string &text) { throw Error(text); }
int rethrows(const std::function<int()> &call)
{
    try {
        return call();
    } catch (...) {
        throw;
    }
}
struct Cleaner {
    int &cleaned;
    ~Cleaner() { cleaned = over(cleaned); }
};
int cleans(const std::function<int()> &call, int &cleaned)
{
    Cleaner cleaner{cleaned};
    return call();
}
template <typename T> T largest(T a, T b) { return a > b ? a : b; }
template int largest<int>(int, int);
} // namespace wrapped
