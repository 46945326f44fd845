/* SPDX-License-Identifier: Apache-2.0
 *
 * The launchers' variables, and for MPICH's launcher, whose variables do not name the job, what its proxy was told:
 * each node's ranks descend from one process that has the address of mpiexec among its arguments.  Numbers of jobs come
 * back (Open MPI's are 16 bits of a hash), so what else is the same in all processes of one job and different in the
 * next goes into the key too.
 *
 * Context: as job.h says.
 */
#include "formats/job.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The first kind whose variables are all set is the job's; `also` is added where it is set. */
static const struct {
    const char *variables[2];
    const char *also;
} kinds[] = {
    {{"OMPI_MCA_ess_base_jobid"}, "OMPI_MCA_orte_precondition_transports"},
    {{"PMIX_NAMESPACE"}, NULL},
    {{"PMI_JOBID"}, "PMI_PORT"},
    {{"SLURM_JOB_ID", "SLURM_STEP_ID"}, "SLURM_STEP_LAUNCHER_PORT"},
};

static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS"};
static const char *const local_sizes[] = {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"};
static const char *const ranks[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMI_ID", "SLURM_PROCID"};

/* MPICH's: given to each rank; its proxy; the proxy's options: mpiexec's host and port, the number of the world (those
 * that MPI_Comm_spawn makes count from 1). */
static const char *const hydra_variables[] = {"PMI_RANK", "PMI_ID"};
static const char *const hydra_options[] = {"--control-port", "--pgid"};
#define HYDRA_PROXY "hydra_pmi_proxy"
#define MAX_ANCESTORS 64

static const char *get(tnd_job_lookup lookup, const char *variable)
{
    const char *value = variable ? lookup(variable) : NULL;
    return value && value[0] ? value : NULL;
}

/* Adds a part; what would break a line of the run file becomes '_'. */
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

/* Adds what names the job if these are the proxy's words. */
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
    bool is_rank = get(lookup, hydra_variables[0]) || get(lookup, hydra_variables[1]);
    long pid = is_rank ? getppid() : 0;
    for (int i = 0; i < MAX_ANCESTORS && pid > 1; i++, pid = parent_of(pid))
        if (add_hydra(key, words, read_process(pid, "cmdline", words, sizeof words)))
            break;
    errno = saved_errno;
}

void tnd_job_key(tnd_job_lookup lookup, char key[static TND_JOB_KEY_MAX])
{
    key[0] = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const char *first = get(lookup, kinds[i].variables[0]);
        const char *second = get(lookup, kinds[i].variables[1]);
        if (!first || (kinds[i].variables[1] && !second))
            continue;
        add(key, first);
        if (second)
            add(key, second);
        const char *also = get(lookup, kinds[i].also);
        if (also)
            add(key, also);
        return;
    }
    find_hydra(lookup, key);
}

static const char *first_of(tnd_job_lookup lookup, const char *const variables[], size_t n)
{
    const char *value = NULL;
    for (size_t i = 0; i < n && !value; i++)
        value = get(lookup, variables[i]);
    return value;
}

#define FIRST_OF(lookup, variables) first_of(lookup, variables, sizeof variables / sizeof *variables)

unsigned tnd_job_size(tnd_job_lookup lookup)
{
    const char *value = FIRST_OF(lookup, sizes);
    return value ? (unsigned)strtoul(value, NULL, 10) : 0;
}

unsigned tnd_job_local_size(tnd_job_lookup lookup)
{
    const char *value = FIRST_OF(lookup, local_sizes);
    return value ? (unsigned)strtoul(value, NULL, 10) : 0;
}

int tnd_job_rank(tnd_job_lookup lookup)
{
    const char *value = FIRST_OF(lookup, ranks);
    return value ? (int)strtol(value, NULL, 10) : -1;
}
