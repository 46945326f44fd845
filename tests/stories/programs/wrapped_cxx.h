/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the C++ library of wrapped_cxx.cc and its program wrapped_throws.cc share. */
#include <complex>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace wrapped
{
struct Error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class Base
{
  public:
    Base(int n);
    virtual ~Base();
    virtual int value() const;
    int doubled() const;
    operator std::string() const;
    static int alive;

  protected:
    int n_;
};

class Derived : public Base
{
  public:
    explicit Derived(const std::string &text);
    ~Derived() override;
    int value() const override;
};

std::string repeat(const std::string &text, int n);
std::vector<double> squares(int n);
std::complex<double> times(std::complex<double> a, std::complex<double> b);
int over(int a);
double over(double a);
std::string over(const char *a, int n);
int through(int depth, const std::function<int()> &call);
int catches(int depth, const std::function<int()> &call);
[[noreturn]] void throws(const std::string &text);
int rethrows(const std::function<int()> &call);
int cleans(const std::function<int()> &call, int &cleaned);
template <typename T>
T largest(T a, T b);
extern template int largest<int>(int, int);
} // namespace wrapped
