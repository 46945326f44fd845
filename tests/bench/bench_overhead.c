/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A known amount of work for bench_overhead.py, some seconds of it: "bench_overhead KIND".
 *
 *     computes   divisions
 *     reads      64 bytes of /dev/zero at a time
 *     sleeps     divisions for 0.3 ms, then a sleep of 10 us
 *     messages   divisions for 5 us, then a message to itself: three calls of MPI
 */
#include <fcntl.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile double sink;

__attribute__((noinline)) static void divide(int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += 1.0 / (i + 1);
    sink = sum;
}

static int computes(void)
{
    for (int i = 0; i < 2000; i++)
        divide(1000000);
    return 0;
}

static int reads(void)
{
    int zeros = open("/dev/zero", O_RDONLY);
    char block[64];
    for (int i = 0; i < 6000000; i++)
        if (read(zeros, block, sizeof block) != sizeof block)
            return 1;
    return 0;
}

static int sleeps(void)
{
    for (int i = 0; i < 6000; i++) {
        divide(300000);
        nanosleep(&(struct timespec){.tv_nsec = 10000}, NULL);
    }
    return 0;
}

static int messages(void)
{
    MPI_Init(NULL, NULL);
    for (int i = 0; i < 300000; i++) {
        int sent = i, received = 0;
        MPI_Request requests[2];
        divide(5000);
        MPI_Irecv(&received, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &requests[0]);
        MPI_Isend(&sent, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    return MPI_Finalize();
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*act)(void);
    } kinds[] = {{"computes", computes}, {"reads", reads}, {"sleeps", sleeps}, {"messages", messages}};
    for (size_t i = 0; argc == 2 && i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(argv[1], kinds[i].name) == 0)
            return kinds[i].act();
    return 2;
}
