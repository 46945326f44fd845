/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Calls of MPI that say themselves where they stand: before each, one line "call function:line function:line ..." of
 * the frames that lead to it, innermost first, as the source has them.  Namespaces, templates, recursion, a frame of
 * variable size, a function that throws, a reduction that MPI calls back and that calls MPI, threads, and a library
 * that is loaded, called, unloaded and loaded again (argv[1]).
 */
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <stdexcept>

static char places[100][80];
static int n_places;

/* A frame of the program's: the line is where it calls on. */
struct Frame {
    Frame(const char *function, int line)
    {
        std::snprintf(places[n_places++], sizeof places[0], "%s:%d", function, line);
    }
    ~Frame() { n_places--; }
};

static void tell(const char *call)
{
    std::printf("%s", call);
    for (int i = n_places - 1; i >= 0; i--)
        std::printf(" %s", places[i]);
    std::printf("\n");
    std::fflush(stdout);
}

#define CALLING(statement)                                                                                             \
    do {                                                                                                               \
        Frame frame(__func__, __LINE__);                                                                               \
        statement;                                                                                                     \
    } while (0)
#define TELLING(call, statement) CALLING(tell(call); statement)

static void ask_rank()
{
    int rank;
    TELLING("MPI_Comm_rank", MPI_Comm_rank(MPI_COMM_WORLD, &rank));
}

namespace outer
{
namespace inner
{
template <typename T>
struct Solver {
    T value = 0;
    __attribute__((noinline)) void solve(int n)
    {
        if (n > 0)
            CALLING(solve(n - 1));
        else
            TELLING("MPI_Comm_size", MPI_Comm_size(MPI_COMM_WORLD, &size));
        value += n; /* after the call: it is none at the end */
    }
    int size = 0;
};
} // namespace inner
} // namespace outer

__attribute__((noinline)) static int in_a_frame_of_variable_size(int n)
{
    char room[n];
    std::memset(room, n, sizeof room);
    CALLING(ask_rank());
    return room[n / 2];
}

struct Guard {
    ~Guard() { CALLING(ask_rank()); }
};

__attribute__((noinline)) static void throwing(int n)
{
    Frame frame(__func__, 0); /* the line is the compiler's: that of a destructor's call */
    Guard guard;
    if (n > 0)
        throw std::runtime_error("n");
}

__attribute__((noinline)) static void catching()
{
    try {
        CALLING(throwing(n_places));
    } catch (const std::exception &) {
        CALLING(ask_rank());
    }
}

static void add(void *in, void *inout, int *n, MPI_Datatype *)
{
    int flag;
    TELLING("MPI_Initialized", MPI_Initialized(&flag));
    for (int i = 0; i < *n; i++)
        static_cast<int *>(inout)[i] += static_cast<int *>(in)[i];
}

static void reduce_with_own_operation()
{
    MPI_Op op;
    int one = 1, all;
    TELLING("MPI_Op_create", MPI_Op_create(add, 1, &op));
    TELLING("MPI_Reduce_local", MPI_Reduce_local(&one, &all, 1, MPI_INT, op));
    TELLING("MPI_Op_free", MPI_Op_free(&op));
}

static void *in_a_thread(void *)
{
    CALLING(ask_rank());
    return nullptr;
}

static void call_plugin(const char *path)
{
    for (int i = 0; i < 2; i++) {
        void *plugin = dlopen(path, RTLD_NOW);
        void (*work)(void (*)(const char *, int), void (*)(const char *)) = nullptr;
        *reinterpret_cast<void **>(&work) = dlsym(plugin, "work");
        auto enter = [](const char *function, int line) { new Frame(function, line); };
        CALLING(work(enter, tell));
        n_places = 1;
        dlclose(plugin);
    }
}

int main(int argc, char **argv)
{
    int provided;
    outer::inner::Solver<double> solver;
    pthread_t thread;
    TELLING("MPI_Init_thread", MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided));
    CALLING(ask_rank());
    CALLING(solver.solve(5));
    CALLING(in_a_frame_of_variable_size(provided + 4000));
    CALLING(catching());
    CALLING(reduce_with_own_operation());
    CALLING(call_plugin(argv[1]));
    pthread_create(&thread, nullptr, in_a_thread, nullptr);
    pthread_join(thread, nullptr);
    TELLING("MPI_Finalize", MPI_Finalize());
    return 0;
}
