/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Worlds that meet.  Two processes (application 1 of the trace) spawn two programs, of one and two processes (2 and 3);
 * the first of those spawns one more (4).  Messages go over the intercommunicators, over what is made of them, and over
 * a port.  Each sender prints a line a message: from, to, tag, bytes; processes are application.task.
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static char me[8];
static int got[64], data[64];

/* One write a line: the lines of several processes come through one pipe. */
static void send(MPI_Comm comm, int partner, const char *name, int tag, int n)
{
    MPI_Send(data, n, MPI_INT, partner, tag, comm);
    char line[80];
    snprintf(line, sizeof line, "%s %s %d %d\n", me, name, tag, 4 * n);
    fputs(line, stdout);
    fflush(stdout);
}

static void receive(MPI_Comm comm, int tag)
{
    MPI_Recv(got, 64, MPI_INT, MPI_ANY_SOURCE, tag, comm, MPI_STATUS_IGNORE);
}

/* Everyone of comm to the next, if it has one; names: of its members in order. */
static void pass_on(MPI_Comm comm, const char *const names[], int tag)
{
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    if (rank + 1 < size)
        send(comm, rank + 1, names[rank + 1], tag, 2);
    if (rank > 0)
        receive(comm, tag);
}

/* What parents and children do together once they know each other. */
static void together(MPI_Comm inter, int is_child, int rank)
{
    static const char *const all[] = {"1.1", "1.2", "2.1", "3.1", "3.2"};
    static const char *const halves[2][3] = {{"1.1", "2.1", "3.2"}, {"1.2", "3.1"}};
    MPI_Comm merged, copy, half;
    MPI_Intercomm_merge(inter, is_child, &merged);
    MPI_Comm_dup(merged, &copy);
    pass_on(copy, all, 200);
    pass_on(merged, all, 200);
    int place = is_child ? 2 + rank : rank;
    MPI_Comm_split(copy, place % 2, 0, &half);
    pass_on(half, halves[place % 2], 300);
    MPI_Comm_free(&half);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&merged);
}

static void parent(const char *program, int rank)
{
    char *commands[] = {(char *)program, (char *)program};
    char *first[] = {"first", NULL}, *second[] = {"second", NULL}, **arguments[] = {first, second};
    static const char *const children[] = {"2.1", "3.1", "3.2"};
    char port[MPI_MAX_PORT_NAME];
    MPI_Comm inter, caller;
    snprintf(me, sizeof me, "1.%d", rank + 1);
    MPI_Comm_spawn_multiple(2, commands, arguments, (int[]){1, 2}, (MPI_Info[]){MPI_INFO_NULL, MPI_INFO_NULL}, 0,
                            MPI_COMM_WORLD, &inter, MPI_ERRCODES_IGNORE);
    for (int i = 0; i < 3; i++)
        send(inter, i, children[i], 100 + i, rank + 1);
    together(inter, 0, rank);
    if (rank == 0) {
        MPI_Open_port(MPI_INFO_NULL, port);
        MPI_Send(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, 9, inter);
        MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &caller);
        receive(caller, 500);
        send(caller, 0, "2.1", 500, 7);
        MPI_Comm_disconnect(&caller);
    }
    MPI_Comm_disconnect(&inter);
}

static void child(const char *program, int rank, MPI_Comm inter)
{
    char port[MPI_MAX_PORT_NAME];
    MPI_Comm one_more, called;
    snprintf(me, sizeof me, "%d.%d", rank ? 3 : 2, rank ? rank : 1);
    receive(inter, 100 + rank);
    receive(inter, 100 + rank);
    together(inter, 1, rank);
    if (rank == 0) {
        MPI_Recv(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, 9, inter, MPI_STATUS_IGNORE);
        MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &called);
        send(called, 0, "1.1", 500, 6);
        receive(called, 500);
        MPI_Comm_disconnect(&called);
        char *arguments[] = {"last", NULL};
        MPI_Comm_spawn(program, arguments, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &one_more, MPI_ERRCODES_IGNORE);
        send(one_more, 0, "4.1", 400, 5);
        receive(one_more, 401);
        MPI_Comm_disconnect(&one_more);
    }
    MPI_Comm_disconnect(&inter);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm inter;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_get_parent(&inter);
    if (inter == MPI_COMM_NULL) {
        parent(argv[0], rank);
    } else if (strcmp(argv[1], "last") == 0) {
        snprintf(me, sizeof me, "4.1");
        receive(inter, 400);
        send(inter, 0, "2.1", 401, 8);
        MPI_Comm_disconnect(&inter);
    } else {
        child(argv[0], rank, inter);
    }
    MPI_Finalize();
    return 0;
}
