/* SPDX-License-Identifier: Apache-2.0
 *
 * Connections between worlds: the variables that MPI_Comm_spawn must pass to children so that they are recorded in the
 * same run and recognized as these children, and the keys by which the merge finds both sides of a connection.  No
 * messages are sent: children get the variables in their environment, through the `info` of the call, where the library
 * can do that.
 *
 * Context: the program's calls of MPI; not for handlers.
 */
#ifndef TND_MPI_SPAWN_H
#define TND_MPI_SPAWN_H

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

/* A call that spawns processes. */
struct tnd_mpi_spawn {
    uint64_t key; /* 0: the children do not get one */
    int n;
    MPI_Info *made;         /* infos to pass instead of the program's; NULL: the program's are passed */
    MPI_Fint *made_fortran; /* the same in Fortran's handles, for a call from Fortran */
    MPI_Info few;
    MPI_Fint few_fortran;
};

/* Begins a call with n commands; infos are used only if this process is rank `root` of comm. */
void tnd_mpi_spawn_begin(struct tnd_mpi_spawn *spawn, int n, const MPI_Info infos[], int root, MPI_Comm comm);
void tnd_mpi_spawn_begin_fortran(struct tnd_mpi_spawn *spawn, int n, const MPI_Fint infos[], int root, MPI_Comm comm);
/* intercomm: the new communicator, or MPI_COMM_NULL. */
void tnd_mpi_spawn_end(struct tnd_mpi_spawn *spawn, MPI_Comm intercomm);

/* At start: keeps the variables for children.  Returns the key of the call that spawned this process, 0 if none did. */
uint64_t tnd_mpi_spawn_start(void);

/* A key made of a text that both sides know (a port's name, a job): of at most n characters, up to a blank; never 0. */
uint64_t tnd_mpi_spawn_hash(const char *text, size_t n);
/* A port's key, if this process is rank `root` of comm, for which alone the argument counts; else 0. */
uint64_t tnd_mpi_spawn_port(const char *port, size_t n, int root, MPI_Comm comm);
/* A connected socket's key; 0 if its ends have no addresses. */
uint64_t tnd_mpi_spawn_socket(int fd);

#endif
