/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Three phases, whose numbers of iterations are arguments: an exchange along a ring in three steps, whose ranks compute
 * unequally long; a solver, each of whose iterations has as many inner ones as chance says, and a rare output; and
 * collectives.  Each is begun and ended by calls that do not repeat.  Rank 0 prints when each begins and ends, in
 * seconds since MPI_Init ended.
 *
 * With `random`, as many calls as the first argument says, in an order of chance.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, size;
static double begin_s;

static void compute(double s)
{
    for (double end = MPI_Wtime() + s; MPI_Wtime() < end;)
        ;
}

static void tell(const char *phase, int iterations, double from_s)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("%s %d %.6f %.6f\n", phase, iterations, from_s - begin_s, MPI_Wtime() - begin_s);
}

static void ring(int iterations)
{
    double from_s = MPI_Wtime();
    for (int i = 0; i < iterations; i++) {
        int got, sent = i;
        usleep(1000 * (rank + 1));
        for (int step = 0; step < 3; step++) {
            MPI_Request requests[2];
            MPI_Irecv(&got, 1, MPI_INT, (rank + size - 1) % size, step, MPI_COMM_WORLD, &requests[0]);
            MPI_Isend(&sent, 1, MPI_INT, (rank + 1) % size, step, MPI_COMM_WORLD, &requests[1]);
            MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        }
        MPI_Allreduce(&sent, &got, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    tell("ring", iterations, from_s);
}

static void solver(int iterations)
{
    double from_s = MPI_Wtime();
    for (int i = 0; i < iterations; i++) {
        int got, sent = i;
        MPI_Bcast(&sent, 1, MPI_INT, 0, MPI_COMM_WORLD);
        for (int inner = 0, n = 2 + rand() % 5; inner < n; inner++) {
            usleep(500);
            MPI_Sendrecv(&sent, 1, MPI_INT, (rank + 1) % size, 9, &got, 1, MPI_INT, (rank + size - 1) % size, 9,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Allreduce(&sent, &got, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        }
    }
    tell("solver", iterations, from_s);
}

static void collectives(int iterations)
{
    double from_s = MPI_Wtime();
    int *many = calloc((size_t)size * 2, sizeof *many);
    for (int i = 0; i < iterations; i++) {
        usleep(1500);
        MPI_Alltoall(many, 1, MPI_INT, many + size, 1, MPI_INT, MPI_COMM_WORLD);
        MPI_Reduce(&i, many, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
        MPI_Scan(&i, many, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    free(many);
    tell("collectives", iterations, from_s);
}

static void by_chance(int calls)
{
    for (int i = 0; i < calls; i++) {
        int got, sent = i;
        switch (rand() % 5) {
        case 0:
            MPI_Bcast(&sent, 1, MPI_INT, 0, MPI_COMM_WORLD);
            break;
        case 1:
            MPI_Allreduce(&sent, &got, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
            break;
        case 2:
            MPI_Reduce(&sent, &got, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
            break;
        case 3:
            MPI_Scan(&sent, &got, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
            break;
        default:
            MPI_Barrier(MPI_COMM_WORLD);
        }
        compute(1e-4);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    srand((unsigned)atoi(argc > 4 ? argv[4] : "7"));
    MPI_Barrier(MPI_COMM_WORLD);
    begin_s = MPI_Wtime();
    if (argc > 2 && strcmp(argv[1], "random") == 0) {
        by_chance(atoi(argv[2]));
    } else if (argc > 3) {
        compute(0.1);
        ring(atoi(argv[1]));
        usleep(30000);
        solver(atoi(argv[2]));
        usleep(30000);
        collectives(atoi(argv[3]));
    }
    MPI_Finalize();
    return 0;
}
