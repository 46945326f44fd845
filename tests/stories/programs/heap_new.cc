// SPDX-License-Identifier: GPL-3.0-or-later
//
// C++'s operators: each way to new and delete once, and checkpoints as in heap.c, whose truth heap_truth.so knows.
// Prints how many of them there were; how much a block can hold depends on where it lies.
#include "runtime/tandem.h"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <memory>
#include <new>
#include <string>
#include <vector>

static long (*truth)();

static int n_seen;

static void checkpoint()
{
    tandem_event(9001, truth());
    n_seen++;
}

struct alignas(256) Wide {
    char bytes[512];
};

struct Node {
    virtual ~Node() = default;
    std::string name = "a name that is too long to stand within the string itself";
};

int main()
{
    truth = reinterpret_cast<long (*)()>(dlsym(RTLD_DEFAULT, "truth_live"));
    checkpoint();
    int *one = new int, *many = new int[1000];
    Node *nodes = new Node[50];
    Wide *wide = new Wide, *wides = new Wide[10];
    char *quiet = new (std::nothrow) char[4000];
    checkpoint();
    auto shared = std::make_shared<std::vector<double>>(10000);
    checkpoint();
    shared->resize(100000);
    checkpoint();
    delete one;
    checkpoint();
    delete[] many;
    delete[] nodes;
    checkpoint();
    delete wide;
    delete[] wides;
    delete[] quiet;
    checkpoint();
    shared.reset();
    checkpoint();
    try {
        volatile std::size_t too_much = static_cast<std::size_t>(-1) / 4;
        static char *volatile never = new char[too_much];
        std::abort();
        delete[] never;
    } catch (const std::bad_alloc &) {
        checkpoint();
    }
    std::printf("%d\n", n_seen);
    return 0;
}
