/* SPDX-License-Identifier: Apache-2.0
 *
 * Launchers (mpirun, srun): their names, and which job a process belongs to, according to its environment or its
 * ancestors, so that the ranks of one job find the same run directory.
 *
 * Context: wherever `lookup` may be called; no allocation.
 */
#ifndef TND_JOB_H
#define TND_JOB_H

#include <stdbool.h>
#include <stddef.h>

#define TND_JOB_KEY_MAX 256

/* Which MPI the ranks of a launcher are linked with. */
enum tnd_job_mpi { TND_JOB_ANY_MPI, TND_JOB_OPEN_MPI, TND_JOB_MPICH };

/* Value of an environment variable, NULL or "" if not set. */
typedef const char *(*tnd_job_lookup)(const char *variable);

/* A key that all processes of one job share and no other job has; "" outside of a job. */
void tnd_job_key(tnd_job_lookup lookup, char key[static TND_JOB_KEY_MAX]);

/* How many processes the job has, 0 if it does not say. */
unsigned tnd_job_size(tnd_job_lookup lookup);

/* How many of these are on this node, 0 if it does not say. */
unsigned tnd_job_local_size(tnd_job_lookup lookup);

/* This process's number in the job, -1 if it does not say. */
int tnd_job_rank(tnd_job_lookup lookup);

/* What the launcher that made this process a rank says of its MPI. */
enum tnd_job_mpi tnd_job_mpi(tnd_job_lookup lookup);

/* Whether programs of this name are launchers, and of which MPI. */
bool tnd_job_is_launcher(const char *name, enum tnd_job_mpi *mpi);

#endif
