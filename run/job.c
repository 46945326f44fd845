/* SPDX-License-Identifier: Apache-2.0
 *
 * Jobs are known by the launchers' variables.  Those of MPICH's launcher do not name the job; there the arguments of
 * its proxy do: the ranks of a node descend from one proxy process, whose arguments have the address of mpiexec.
 * Numbers of jobs recur (Open MPI's are 16 bits of a hash), so other variables that are the same in all processes of a
 * job and differ in the next job are part of the key.
 *
 * Context: job.h.
 */
#include "run/job.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HYDRA_PROXY "hydra_pmi_proxy" /* starts the ranks of a node for MPICH's mpiexec */

/* The launchers and the variables that they set for a rank.  The first row whose variable is set counts: srun's
 * variables are also set where PMIx or a launcher inside its job has started the ranks. */
static const struct launcher {
    const char *programs[4]; /* names of its executable */
    enum tnd_job_mpi mpi;
    const char *job[2]; /* name the job if all of them are set */
    const char *also;   /* part of the job's name where it is set */
    const char *size, *local_size, *rank;
} launchers[] = {
    {{"orterun", "mpirun.openmpi", "mpiexec.openmpi", "orted"},
     TND_JOB_OPEN_MPI,
     {"OMPI_MCA_ess_base_jobid"},
     "OMPI_MCA_orte_precondition_transports",
     "OMPI_COMM_WORLD_SIZE",
     "OMPI_COMM_WORLD_LOCAL_SIZE",
     "OMPI_COMM_WORLD_RANK"},
    {{"prterun", "prted"}, TND_JOB_OPEN_MPI, {"PMIX_NAMESPACE"}, .rank = "PMIX_RANK"},
    {{"mpiexec.hydra", "mpiexec.gforker", "mpirun.mpich", "mpiexec.mpich"},
     TND_JOB_MPICH,
     {"PMI_JOBID"},
     "PMI_PORT",
     "PMI_SIZE",
     "MPI_LOCALNRANKS",
     "PMI_RANK"},
    {{HYDRA_PROXY}, TND_JOB_MPICH, .rank = "PMI_ID"},
    {{"srun"},
     TND_JOB_ANY_MPI,
     {"SLURM_JOB_ID", "SLURM_STEP_ID"},
     "SLURM_STEP_LAUNCHER_PORT",
     .size = "SLURM_NTASKS",
     .rank = "SLURM_PROCID"},
    {{"mpirun", "mpiexec"}, TND_JOB_ANY_MPI}, /* names that several launchers have */
};

#define N_LAUNCHERS (sizeof launchers / sizeof *launchers)
#define N_PROGRAMS (sizeof launchers->programs / sizeof *launchers->programs)

/* Options of MPICH's proxy: mpiexec's host and port; the number of the world, 0 or, for those that MPI_Comm_spawn made,
 * from 1 on. */
static const char *const hydra_options[] = {"--control-port", "--pgid"};
#define MAX_ANCESTORS 64

static const char *get(tnd_job_lookup lookup, const char *variable)
{
    const char *value = variable ? lookup(variable) : NULL;
    return value && value[0] ? value : NULL;
}

/* Appends a part.  Characters that may not stand in a line of the run file become '_'. */
static void add(char *key, const char *part)
{
    size_t n = strlen(key);
    if (n && n < TND_JOB_KEY_MAX - 1)
        key[n++] = '.';
    for (; *part && n < TND_JOB_KEY_MAX - 1; part++)
        key[n++] = *part > ' ' && *part != '=' ? *part : '_';
    key[n] = 0;
}

/* The beginning of /proc/<pid>/<name>, with a 0 after it.  Its length, 0 if there is none. */
static size_t read_process(long pid, const char *name, char *text, size_t size)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/%s", pid, name);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, text, size - 1);
    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = 0;
    return n > 0 ? (size_t)n : 0;
}

static long parent_of(long pid)
{
    char text[512];
    if (!read_process(pid, "stat", text, sizeof text))
        return 0;
    const char *end = strrchr(text, ')'); /* pid (name) state parent */
    return end && strlen(end) > 4 ? strtol(end + 4, NULL, 10) : 0;
}

/* Appends the job's name if these are the arguments of a proxy. */
static bool add_hydra(char *key, const char *words, size_t n)
{
    const char *name = strrchr(words, '/');
    if (strcmp(name ? name + 1 : words, HYDRA_PROXY) != 0)
        return false;
    add(key, "hydra");
    for (const char *word = words, *next; word < words + n; word = next) {
        next = word + strlen(word) + 1;
        for (size_t i = 0; i < sizeof hydra_options / sizeof *hydra_options; i++)
            if (next < words + n && strcmp(word, hydra_options[i]) == 0)
                add(key, next);
    }
    return true;
}

static void find_hydra(tnd_job_lookup lookup, char *key)
{
    char words[1024];
    int saved_errno = errno;
    long pid = tnd_job_mpi(lookup) == TND_JOB_MPICH ? getppid() : 0;
    for (int i = 0; i < MAX_ANCESTORS && pid > 1; i++, pid = parent_of(pid))
        if (add_hydra(key, words, read_process(pid, "cmdline", words, sizeof words)))
            break;
    errno = saved_errno;
}

void tnd_job_key(tnd_job_lookup lookup, char key[static TND_JOB_KEY_MAX])
{
    key[0] = 0;
    for (size_t i = 0; i < N_LAUNCHERS; i++) {
        const char *first = get(lookup, launchers[i].job[0]);
        const char *second = get(lookup, launchers[i].job[1]);
        if (!first || (launchers[i].job[1] && !second))
            continue;
        add(key, first);
        if (second)
            add(key, second);
        const char *also = get(lookup, launchers[i].also);
        if (also)
            add(key, also);
        return;
    }
    find_hydra(lookup, key);
}

/* The first value of a row's variable that is at this offset in struct launcher. */
static const char *first_of(tnd_job_lookup lookup, size_t offset)
{
    const char *value = NULL;
    for (size_t i = 0; i < N_LAUNCHERS && !value; i++)
        value = get(lookup, *(const char *const *)((const char *)&launchers[i] + offset));
    return value;
}

unsigned tnd_job_size(tnd_job_lookup lookup)
{
    const char *value = first_of(lookup, offsetof(struct launcher, size));
    return value ? (unsigned)strtoul(value, NULL, 10) : 0;
}

unsigned tnd_job_local_size(tnd_job_lookup lookup)
{
    const char *value = first_of(lookup, offsetof(struct launcher, local_size));
    return value ? (unsigned)strtoul(value, NULL, 10) : 0;
}

int tnd_job_rank(tnd_job_lookup lookup)
{
    const char *value = first_of(lookup, offsetof(struct launcher, rank));
    return value ? (int)strtol(value, NULL, 10) : -1;
}

enum tnd_job_mpi tnd_job_mpi(tnd_job_lookup lookup)
{
    for (size_t i = 0; i < N_LAUNCHERS; i++)
        if (get(lookup, launchers[i].rank))
            return launchers[i].mpi;
    return TND_JOB_ANY_MPI;
}

bool tnd_job_is_launcher(const char *name, enum tnd_job_mpi *mpi)
{
    for (size_t i = 0; i < N_LAUNCHERS * N_PROGRAMS; i++) {
        const struct launcher *launcher = &launchers[i / N_PROGRAMS];
        const char *program = launcher->programs[i % N_PROGRAMS];
        if (program && strcmp(name, program) == 0) {
            *mpi = launcher->mpi;
            return true;
        }
    }
    return false;
}
