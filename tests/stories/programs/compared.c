/* SPDX-License-Identifier: Apache-2.0
 *
 * A program for comparing runs.  compared ROUNDS PERCENT: in each round every rank assembles, solves, exchanges with
 * its neighbours and takes a sum; `solve`, about half of the work, is PERCENT slower than with 0.  Each rank prints the
 * CPU time of each of the three functions, in ns.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

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

static long long cpu_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

int main(int argc, char **argv)
{
    static char out[N_BYTES], in[N_BYTES];
    long long used_ns[3] = {0};
    int rank, n_ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    for (int round = 0; argc == 3 && round < atoi(argv[1]); round++) {
        double part = rank, sum;
        used_ns[0] -= cpu_ns(), assemble(), used_ns[0] += cpu_ns();
        used_ns[1] -= cpu_ns(), solve(atoi(argv[2])), used_ns[1] += cpu_ns();
        used_ns[2] -= cpu_ns(), update(), used_ns[2] += cpu_ns();
        MPI_Sendrecv(out, N_BYTES, MPI_CHAR, (rank + 1) % n_ranks, 0, in, N_BYTES, MPI_CHAR,
                     (rank + n_ranks - 1) % n_ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Allreduce(&part, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    printf("%lld %lld %lld\n", used_ns[0], used_ns[1], used_ns[2]);
    MPI_Finalize();
    return argc == 3 ? 0 : 2;
}
