/* SPDX-License-Identifier: Apache-2.0
 *
 * The launchers' variables.  Numbers of jobs come back (Open MPI's are 16 bits of a hash), so what else is the same in
 * all processes of one job and different in the next goes into the key too.
 *
 * Context: as job.h says.
 */
#include "formats/job.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

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
static const char *const ranks[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"};

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
