/* SPDX-License-Identifier: Apache-2.0
 *
 * Worlds that meet: what MPI_Comm_spawn must hand to the children so that they are recorded in the same run and known
 * as these children, and the keys by which both sides of a connection find each other afterwards.  Nothing
 * communicates: children get a few variables in their environment, through the `info` of the call, where the library
 * can do that.
 *
 * Context: the program's calls of MPI; not for handlers.
 */
#ifndef TND_MPI_SPAWN_H
#define TND_MPI_SPAWN_H

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

/* A spawning call of this process's. */
struct tnd_mpi_spawn {
    uint64_t key; /* 0: the children will not know it */
    int n;
    MPI_Info *made;         /* what the library gets for the program's; NULL: that is to be left as it is */
    MPI_Fint *made_fortran; /* the same in Fortran's handles, if it was begun so */
    MPI_Info few;
    MPI_Fint few_fortran;
};

/* For n commands; infos are looked at only if rank `root` of comm is this process. */
void tnd_mpi_spawn_begin(struct tnd_mpi_spawn *spawn, int n, const MPI_Info infos[], int root, MPI_Comm comm);
void tnd_mpi_spawn_begin_fortran(struct tnd_mpi_spawn *spawn, int n, const MPI_Fint infos[], int root, MPI_Comm comm);
/* intercomm: what was made, COMM_NULL if nothing. */
void tnd_mpi_spawn_end(struct tnd_mpi_spawn *spawn, MPI_Comm intercomm);

/* At start: keeps what children will need; the key of the call that spawned this process, 0 if none did. */
uint64_t tnd_mpi_spawn_start(void);

/* Key of a text that both sides know, at most n characters and up to a blank (a port's name, a job); never 0. */
uint64_t tnd_mpi_spawn_hash(const char *text, size_t n);
/* That of a port, if rank `root` of comm, whose argument it is, is this process; else 0. */
uint64_t tnd_mpi_spawn_port(const char *port, size_t n, int root, MPI_Comm comm);
/* That of a connected socket; 0 if its ends have no addresses. */
uint64_t tnd_mpi_spawn_socket(int fd);

#endif
