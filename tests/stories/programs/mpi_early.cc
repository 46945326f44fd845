// SPDX-License-Identifier: GPL-3.0-or-later
//
// MPI called before anything of tandem's has been constructed, and after MPI is over; many communicators of one group.
#include <cstdio>
#include <mpi.h>

struct early {
    int initialized = -1;
    early() { MPI_Initialized(&initialized); }
};
static early constructed;

int main(int argc, char **argv)
{
    int before = -1, after = -1, provided = -1;
    MPI_Initialized(&before);
    double start = MPI_Wtime();
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    for (int i = 0; i < 1000; i++) {
        MPI_Comm copy;
        MPI_Comm_dup(MPI_COMM_SELF, &copy);
        MPI_Comm_free(&copy);
    }
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double took = MPI_Wtime() - start;
    if (argc > 1)
        MPI_Abort(MPI_COMM_WORLD, 7);
    MPI_Finalize();
    MPI_Finalized(&after);
    std::printf("%d %d %d %d %d\n", constructed.initialized, before, after, size, took > 0.0);
    return 0;
}
