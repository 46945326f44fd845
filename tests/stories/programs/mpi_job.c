/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A rank in one of the ways in which a job may go; every rank sends to the next one message of tag 1 to 3 before that.
 *   level N      MPI_Init_thread of that level, which the events say it got
 *   after        after MPI_Finalize: events, CPU time, a child that makes an event, exit status 3
 *   abort        rank 1 calls MPI_Abort(5)
 *   leave        rank 1 calls _exit(6) before MPI_Finalize
 *   children     two children make an event each, one by exec of this program ("child") */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <tandem.h>
#include <time.h>
#include <unistd.h>

enum { LEVEL = 10, AFTER = 11, CHILD = 12 };

static void exchange(int rank, int size)
{
    for (int tag = 1; tag <= 3; tag++)
        MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, tag, &(int){0}, 1, MPI_INT, (rank + size - 1) % size, tag,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static int child(const char *program)
{
    pid_t pid = fork();
    if (pid == 0) {
        if (program)
            execl(program, program, "child", (char *)NULL);
        tandem_event(CHILD, 1);
        _exit(0);
    }
    int status = -1;
    waitpid(pid, &status, 0);
    return status;
}

static int after(void)
{
    for (int i = 1; i <= 100; i++)
        tandem_event(AFTER, i);
    clock_t end = clock() + CLOCKS_PER_SEC / 10;
    /* Of the program's, not the kernel's; and so much of it that a host that stands still meanwhile, which looks like
     * CPU time, is not all there is. */
    for (int n = 0; clock() < end || n < 1000; n++)
        for (volatile int i = 0; i < 20000; i++)
            ;
    return child(NULL) == 0 ? 3 : 4;
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "";
    int rank, size, level = -1;
    if (strcmp(mode, "child") == 0) {
        tandem_event(CHILD, 2);
        return 0;
    }
    if (strcmp(mode, "level") == 0)
        MPI_Init_thread(&argc, &argv, atoi(argv[2]), &level);
    else
        MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (level >= 0)
        tandem_event(LEVEL, level + 1);
    exchange(rank, size);
    if (strcmp(mode, "children") == 0 && (child(NULL) || child(argv[0])))
        return 1;
    if (strcmp(mode, "abort") == 0 || strcmp(mode, "leave") == 0)
        MPI_Barrier(MPI_COMM_WORLD); /* all have received all */
    if (strcmp(mode, "abort") == 0 && rank == 1)
        MPI_Abort(MPI_COMM_WORLD, 5);
    if (strcmp(mode, "leave") == 0 && rank == 1)
        _exit(6);
    MPI_Finalize();
    return strcmp(mode, "after") == 0 ? after() : 0;
}
