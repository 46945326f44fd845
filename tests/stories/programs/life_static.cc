/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * C++: work in the constructor and the destructor of a static object and of a thread's.
 */
#include "runtime/tandem.h"

#include <cstdio>
#include <stdexcept>
#include <thread>

struct Worker {
    explicit Worker(int number) : n(number) { work(); }
    ~Worker() { work(); }
    void work() const
    {
        for (int i = 0; i < n; i++)
            tandem_event(1000, i);
    }
    int n;
};

static Worker at_program(100);
static thread_local Worker at_thread(10);

int main()
{
    std::thread thread([] { at_thread.work(); });
    thread.join();
    try {
        throw std::runtime_error("thrown");
    } catch (const std::exception &error) {
        std::puts(error.what());
    }
    return 0;
}
