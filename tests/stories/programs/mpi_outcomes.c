/* SPDX-License-Identifier: Apache-2.0
 *
 * An MPI program that does what programs do beside MPI, and ends in one of several ways: mpi_outcomes
 * fine|status|abort|killed Rank 0 reads a number from its input; each rank has timers and handlers of its own, a child,
 * and a line on stderr.
 */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t n_alarms, n_profiled;

static void on_signal(int number)
{
    if (number == SIGALRM)
        n_alarms++;
    else
        n_profiled++;
}

/* Until ten ticks of each timer have come; then both are off. */
static void wait_for_timers(void)
{
    struct itimerval every = {{0, 4000}, {0, 4000}}, never = {{0, 0}, {0, 0}};
    signal(SIGALRM, on_signal);
    signal(SIGPROF, on_signal);
    setitimer(ITIMER_REAL, &every, NULL);
    setitimer(ITIMER_PROF, &every, NULL);
    while (n_alarms < 10 || n_profiled < 10) {
    }
    setitimer(ITIMER_REAL, &never, NULL);
    setitimer(ITIMER_PROF, &never, NULL);
}

/* A child that says something and has a status: which. */
static int status_of_child(int rank)
{
    int status = 0;
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0)
        execlp("sh", "sh", "-c", rank ? "echo child of one; exit 3" : "echo child of none; exit 2", (char *)NULL);
    waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "fine";
    int rank, size, number = 0, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0 && scanf("%d", &number) != 1)
        number = -1;
    MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);
    wait_for_timers();
    int status = status_of_child(rank), mine = number * (rank + 1);
    char *memory = calloc(1000000, 1);
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    printf("rank %d of %d: %d, sum %d, child %d, zero %d\n", rank, size, number, sum, status, memory[sum]);
    fprintf(stderr, "rank %d complains\n", rank);
    fflush(stdout);
    free(memory);
    MPI_Barrier(MPI_COMM_WORLD);
    sleep(strcmp(how, "abort") == 0 || strcmp(how, "killed") == 0); /* what was said reaches the launcher before */
    if (strcmp(how, "abort") == 0 && rank == 1)
        MPI_Abort(MPI_COMM_WORLD, 9);
    if (strcmp(how, "killed") == 0 && rank == 1)
        raise(SIGKILL);
    if (strcmp(how, "abort") == 0 || strcmp(how, "killed") == 0)
        pause();
    MPI_Finalize();
    return strcmp(how, "status") == 0 ? 5 : 0;
}
