/* SPDX-License-Identifier: GPL-3.0-or-later
 * Calls the functions of debugged.cc. */
#include "debugged.h"

int main()
{
    static Object object(-70);
    int referred = 170;
    deep::pair({1, 2}, 11, 1.5);
    deep::floats({1, 2, 3}, 2.5, -12);
    deep::mixed({{1, 2}, 3}, -3.5, 13);
    deep::large({{1, 2, 3}}, 14, 4.5);
    deep::bits({1, 2}, 15);
    deep::either({1}, 16, 5.5);
    deep::copied(Copied(1), 17);
    deep::holds({Copied(1), ""}, 18);
    deep::by_template(Template(1.5), 19);
    deep::text("one", 20, "two", 21);
    deep::owned(std::make_unique<int>(1), 22);
    deep::array({1, 2}, 6.5, 23);
    deep::spilled(1, 2, 3, 4, 5, {{6, 7, 8}}, {9, 10}, 24, 25, {26, 27}, 28);
    deep::tiny(Small::minus, true, referred);
    deep::gives_large(31);
    deep::gives_pair(32);
    deep::gives_text(33);
    object.Object::method({1, 2}, -71);
    return (int)Object::make(5000000000) == 0;
}
