/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Wait states made on purpose, each kind in a function of its own: one of three ranks delays the others.  Each rank
 * notes the time before its call; the program adds up from these how long ranks came too early, and prints that sum.
 * test_causes.py knows who is to blame.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RANKS = 3, MOST_TIMES = 1000 };

static int rank, n_times, value, turn;
static double delay_s;
static double called[MOST_TIMES], relayed_at[MOST_TIMES];

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

__attribute__((noinline)) static void delay(void)
{
    double begin = now(), end = begin;
    volatile double sum = 0;
    while (end < begin + delay_s) {
        for (int i = 0; i < 1000; i++)
            sum += i;
        end = now();
    }
}

static void note(void)
{
    called[turn] = now();
}

static void send(int to, int tag)
{
    MPI_Send(&value, 1, MPI_INT, to, tag, MPI_COMM_WORLD);
}

static void receive(int from, int tag)
{
    MPI_Recv(&value, 1, MPI_INT, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void late_sender(void)
{
    if (rank == 0) {
        delay();
        note();
        send(1, 1);
    } else if (rank == 1) {
        note();
        receive(0, 1);
    }
}

static void wrong_order(void)
{
    if (rank == 2) {
        send(1, 1);
        delay();
        note();
        send(1, 2);
    } else if (rank == 1) {
        note();
        receive(2, 2);
        receive(2, 1);
    }
}

static void late_receiver(void)
{
    if (rank == 0) {
        note();
        MPI_Ssend(&value, 1, MPI_INT, 2, 1, MPI_COMM_WORLD);
    } else if (rank == 2) {
        delay();
        note();
        receive(0, 1);
    }
}

static void relayed(void)
{
    if (rank == 0) {
        delay();
        note();
        send(1, 1);
    } else if (rank == 1) {
        note();
        receive(0, 1);
        relayed_at[turn] = now();
        send(2, 1);
    } else {
        note();
        receive(1, 1);
    }
}

static void late_in_waitall(void)
{
    MPI_Request requests[2];
    int values[2];
    if (rank == 1) {
        MPI_Irecv(&values[0], 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(&values[1], 1, MPI_INT, 2, 1, MPI_COMM_WORLD, &requests[1]);
        note();
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    } else {
        if (rank == 2)
            delay();
        note();
        send(1, 1);
    }
}

static void n_to_n(void)
{
    int sum;
    if (rank == 1)
        delay();
    note();
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static void one_to_n(void)
{
    if (rank == 2)
        delay();
    note();
    MPI_Bcast(&value, 1, MPI_INT, 2, MPI_COMM_WORLD);
}

static void n_to_one(void)
{
    int sum;
    if (rank == 1)
        delay();
    note();
    MPI_Reduce(&rank, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
}

static void nonblocking(void)
{
    MPI_Request request;
    if (rank == 0)
        delay();
    note();
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void barrier(void)
{
    if (rank == 2)
        delay();
    note();
    MPI_Barrier(MPI_COMM_WORLD);
}

static const struct {
    const char *name;
    void (*run)(void);
    int waiting, late; /* ranks, a bit for each */
} cases[] = {
    {"late_sender", late_sender, 2, 1},
    {"wrong_order", wrong_order, 2, 4},
    {"late_receiver", late_receiver, 1, 4},
    {"relayed", relayed, 2, 1},
    {"late_in_waitall", late_in_waitall, 2, 5},
    {"n_to_n", n_to_n, 7, 7},
    {"one_to_n", one_to_n, 3, 4},
    {"n_to_one", n_to_one, 1, 7},
    {"nonblocking", nonblocking, 7, 7},
    {"barrier", barrier, 7, 7},
};

/* How long a rank that waits came before the last one that is late. */
static double early(double (*times)[MOST_TIMES], int i, int j, int one)
{
    double last = times[one][j];
    for (int other = 0; other < RANKS; other++)
        if (cases[i].late & 1 << other && times[other][j] > last)
            last = times[other][j];
    return last - times[one][j];
}

static void print_sum(int i)
{
    static double times[RANKS][MOST_TIMES], relays[RANKS][MOST_TIMES];
    double sum = 0;
    MPI_Gather(called, MOST_TIMES, MPI_DOUBLE, times, MOST_TIMES, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Gather(relayed_at, MOST_TIMES, MPI_DOUBLE, relays, MOST_TIMES, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (rank != 0)
        return;
    for (int j = 0; j < n_times; j++) {
        for (int one = 0; one < RANKS; one++)
            sum += cases[i].waiting & 1 << one ? early(times, i, j, one) : 0;
        if (cases[i].run == relayed && relays[1][j] > times[2][j])
            sum += relays[1][j] - times[2][j];
    }
    printf("%.9f\n", sum);
}

/* wait_states CASE N SECONDS */
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    n_times = atoi(argv[2]) < MOST_TIMES ? atoi(argv[2]) : MOST_TIMES;
    delay_s = atof(argv[3]);
    for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
        if (strcmp(cases[i].name, argv[1]) != 0)
            continue;
        for (turn = 0; turn < n_times; turn++) {
            MPI_Barrier(MPI_COMM_WORLD);
            cases[i].run();
        }
        print_sum(i);
    }
    MPI_Finalize();
    return 0;
}
