/* SPDX-License-Identifier: GPL-3.0-or-later
 * Functions of C++ with arguments behind structures of every class of the calling convention. */
#include <array>
#include <memory>
#include <string>

struct Pair {
    int a;
    float b;
};
struct Floats {
    float a, b, c;
};
struct Mixed : Pair {
    double c;
};
struct Large {
    long a[3];
};
struct Bits {
    unsigned a : 3, b : 29;
};
union Either {
    double a;
    long b;
};
struct Copied {
    int a;
    Copied(int n) : a(n) {}
    Copied(const Copied &other);
};
struct Holds {
    Copied held;
    char more[200];
};
struct Template {
    int a;
    Template(const Template &) = default;
    template <typename T>
    Template(T n) : a((int)n)
    {
    }
};
enum class Small : signed char { minus = -3 };

namespace deep
{
void pair(Pair, int n, double x);
void floats(Floats, double x, int n);
void mixed(Mixed, double x, int n);
void large(Large, int n, double x);
void bits(Bits, int n);
void either(Either, int n, double x);
void copied(Copied, int n);
void holds(Holds, int n);
void by_template(Template, int n);
void text(std::string, int n, const std::string &, int m);
void owned(std::unique_ptr<int>, int n);
void array(std::array<double, 2>, double x, int n);
void spilled(long, long, long, long, long, Large, std::array<long, 2>, int n, int m, std::array<long, 2>, int k);
void tiny(Small, bool, const int &n);
Large gives_large(int n);
Pair gives_pair(int n);
std::string gives_text(int n);
} // namespace deep

class Object
{
  public:
    Object(int n);
    virtual ~Object();
    virtual Large method(Pair, short n) const;
    static long make(long n);

  private:
    int own;
};
