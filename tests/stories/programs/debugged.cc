/* SPDX-License-Identifier: GPL-3.0-or-later
 * Each function prints what it was called with, as the trace will name it. */
#include "debugged.h"

#include <cstdio>

static void tell(const char *function, const char *argument, long value)
{
    printf("%s: %s=%ld\n", function, argument, value);
}

#define TELL(function, argument) tell(function, #argument, (long)(argument))
#define TELL_FRACTION(function, argument) tell(function, #argument " [1/1000]", (long)(1000 * (argument)))

Copied::Copied(const Copied &other) : a(other.a) {}

namespace deep
{
void pair(Pair, int n, double x)
{
    TELL("deep::pair", n), TELL_FRACTION("deep::pair", x);
}
void floats(Floats, double x, int n)
{
    TELL("deep::floats", n), TELL_FRACTION("deep::floats", x);
}
void mixed(Mixed, double x, int n)
{
    TELL("deep::mixed", n), TELL_FRACTION("deep::mixed", x);
}
void large(Large, int n, double x)
{
    TELL("deep::large", n), TELL_FRACTION("deep::large", x);
}
void bits(Bits, int n)
{
    TELL("deep::bits", n);
}
void either(Either, int n, double x)
{
    TELL("deep::either", n), TELL_FRACTION("deep::either", x);
}
void copied(Copied, int n)
{
    TELL("deep::copied", n);
}
void holds(Holds, int n)
{
    TELL("deep::holds", n);
}
void by_template(Template, int n)
{
    TELL("deep::by_template", n);
}
void text(std::string, int n, const std::string &, int m)
{
    TELL("deep::text", n), TELL("deep::text", m);
}
void owned(std::unique_ptr<int>, int n)
{
    TELL("deep::owned", n);
}
void array(std::array<double, 2>, double x, int n)
{
    TELL("deep::array", n), TELL_FRACTION("deep::array", x);
}
void spilled(long, long, long, long, long, Large, std::array<long, 2>, int n, int m, std::array<long, 2>, int k)
{
    TELL("deep::spilled", n), TELL("deep::spilled", m), TELL("deep::spilled", k);
}
void tiny(Small s, bool b, const int &n)
{
    TELL("deep::tiny", s), TELL("deep::tiny", b), TELL("deep::tiny", n);
}
Large gives_large(int n)
{
    TELL("deep::gives_large", n);
    return {};
}
Pair gives_pair(int n)
{
    TELL("deep::gives_pair", n);
    return {};
}
std::string gives_text(int n)
{
    TELL("deep::gives_text", n);
    return "text";
}
} // namespace deep

Object::Object(int n) : own(n)
{
    TELL("Object::Object", n);
}
Object::~Object() {}
Large Object::method(Pair, short n) const
{
    TELL("Object::method", n);
    return {{own, 0, 0}};
}
long Object::make(long n)
{
    TELL("Object::make", n);
    tell("Object::make", "return", -n);
    return -n;
}
