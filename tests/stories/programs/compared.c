/* SPDX-License-Identifier: Apache-2.0
 *
 * A program for comparing runs.  compared ROUNDS PERCENT: in each round every rank assembles, solves, exchanges with
 * its neighbours and takes a sum; `solve`, about half of the work, is PERCENT slower than with 0.
 */
#include <mpi.h>
#include <stdlib.h>

enum { WORK = 100000, N_BYTES = 4096 };

__attribute__((noinline)) void assemble(void)
{
    for (volatile int i = 0; i < 6 * WORK; i++) {
    }
}

__attribute__((noinline)) void solve(int percent)
{
    for (volatile int i = 0; i < 10 * WORK / 100 * (100 + percent); i++) {
    }
}

__attribute__((noinline)) void update(void)
{
    for (volatile int i = 0; i < 4 * WORK; i++) {
    }
}

int main(int argc, char **argv)
{
    static char out[N_BYTES], in[N_BYTES];
    int rank, n_ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    for (int round = 0; argc == 3 && round < atoi(argv[1]); round++) {
        double part = rank, sum;
        assemble();
        solve(atoi(argv[2]));
        update();
        MPI_Sendrecv(out, N_BYTES, MPI_CHAR, (rank + 1) % n_ranks, 0, in, N_BYTES, MPI_CHAR,
                     (rank + n_ranks - 1) % n_ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Allreduce(&part, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return argc == 3 ? 0 : 2;
}
