/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Calls wrapped_cxx.h, with exceptions through wrapped functions in every way, and prints what comes back. */
#include "wrapped_cxx.h"

#include <cstdio>
#include <memory>
#include <thread>

using namespace wrapped;

static std::string caught(const std::function<int()> &call)
{
    try {
        return std::to_string(call());
    } catch (const Error &error) {
        return std::string("Error ") + error.what();
    } catch (const std::exception &error) {
        return std::string("exception ") + error.what();
    } catch (int number) {
        return "int " + std::to_string(number);
    }
}

static int deep(int depth)
{
    return through(2, [=]() -> int {
        if (!depth)
            throws("deep");
        return rethrows([=] { return deep(depth - 1); });
    });
}

static void exceptions()
{
    int cleaned = 0;
    std::printf("%s\n", caught([] { return through(5, [] { return 1; }); }).c_str());
    std::printf("%s\n", caught([] { return through(5, []() -> int { throw 42; }); }).c_str());
    std::printf("%s\n", caught([] { return deep(4); }).c_str());
    std::printf("%d\n", catches(3, []() -> int { throws("four"); }));
    std::printf("%s\n", caught([&] { return cleans([&] { return cleans([]() -> int { throws("x"); }, cleaned); }, cleaned); }).c_str());
    std::printf("%s %s\n", caught([] { return Base(-1).value(); }).c_str(), caught([] { return Derived("no").value(); }).c_str());
    std::printf("%d %d\n", cleaned, Base::alive);
    int sum = 0;
    for (int i = 0; i < 300; i++)
        sum += catches(i % 11, [=]() -> int { return i % 3 ? through(i % 5, []() -> int { throw Error("loop"); }) : over(i); });
    std::printf("%d\n", sum);
    std::exception_ptr kept;
    try {
        through(3, []() -> int { throws("kept"); });
    } catch (...) {
        kept = std::current_exception();
    }
    std::thread other([=] { std::printf("%s\n", caught([=]() -> int { return through(2, [=]() -> int { std::rethrow_exception(kept); }); }).c_str()); });
    other.join();
}

int main()
{
    std::unique_ptr<Base> base(new Derived("four"));
    std::string text = repeat("ab", 40), converted = *base;
    std::vector<double> all = squares(10);
    std::complex<double> product = times({1, 2}, {3, 4});
    std::printf("%d %d %s %s %g %g %g\n", base->value(), base->doubled(), converted.c_str(), text.c_str(), all[9], product.real(), product.imag());
    std::printf("%d %g %s %d\n", over(1), over(1.5), over("x", 3).c_str(), largest(3, 4));
    exceptions();
    base.reset();
    std::printf("%d\n", Base::alive);
    return 0;
}
