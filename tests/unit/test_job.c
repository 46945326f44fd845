/* SPDX-License-Identifier: Apache-2.0
 *
 * What launchers' variables say of a rank; each is what the launcher sets, in the order that its ranks see.
 */
#include "run/job.h"

#include <glib.h>
#include <string.h>

static const char *const *set; /* "NAME=value", NULL at the end */

static const char *lookup(const char *variable)
{
    for (const char *const *one = set; *one; one++) {
        gsize n = strlen(variable);
        if (strncmp(*one, variable, n) == 0 && (*one)[n] == '=')
            return *one + n + 1;
    }
    return NULL;
}

static const struct {
    const char *name, *variables[10], *key;
    unsigned size, local_size;
    int rank;
    enum tnd_job_mpi mpi;
} jobs[] = {
    {"none", {NULL}, "", 0, 0, -1, TND_JOB_ANY_MPI},
    {"openmpi-4",
     {"OMPI_MCA_ess_base_jobid=77", "OMPI_MCA_orte_precondition_transports=ab-cd", "PMIX_NAMESPACE=77", "PMIX_RANK=2",
      "OMPI_COMM_WORLD_SIZE=4", "OMPI_COMM_WORLD_LOCAL_SIZE=3", "OMPI_COMM_WORLD_RANK=2"},
     "77.ab-cd",
     4,
     3,
     2,
     TND_JOB_OPEN_MPI},
    {"openmpi-5",
     {"PMIX_NAMESPACE=prterun-a b@1", "PMIX_RANK=1", "OMPI_COMM_WORLD_SIZE=2", "OMPI_COMM_WORLD_RANK=1"},
     "prterun-a_b@1",
     2,
     0,
     1,
     TND_JOB_OPEN_MPI},
    {"openmpi-in-a-slurm-job",
     {"OMPI_MCA_ess_base_jobid=77", "SLURM_JOB_ID=5", "SLURM_STEP_ID=0", "SLURM_NTASKS=9", "SLURM_PROCID=0",
      "OMPI_COMM_WORLD_SIZE=4", "OMPI_COMM_WORLD_RANK=3"},
     "77",
     4,
     0,
     3,
     TND_JOB_OPEN_MPI},
    {"srun-pmix",
     {"PMIX_NAMESPACE=slurm.pmix.5.0", "PMIX_RANK=6", "SLURM_JOB_ID=5", "SLURM_STEP_ID=0", "SLURM_NTASKS=9",
      "SLURM_PROCID=6"},
     "slurm.pmix.5.0",
     9,
     0,
     6,
     TND_JOB_OPEN_MPI},
    {"srun",
     {"SLURM_JOB_ID=5", "SLURM_STEP_ID=0", "SLURM_STEP_LAUNCHER_PORT=70", "SLURM_NTASKS=9", "SLURM_PROCID=6"},
     "5.0.70",
     9,
     0,
     6,
     TND_JOB_ANY_MPI},
    {"sbatch", {"SLURM_JOB_ID=5", "SLURM_NTASKS=9"}, "", 9, 0, -1, TND_JOB_ANY_MPI},
    {"srun-pmi2",
     {"PMI_JOBID=5.0", "PMI_PORT=h:1", "PMI_SIZE=9", "PMI_RANK=6", "SLURM_NTASKS=9", "SLURM_PROCID=6"},
     "5.0.h:1",
     9,
     0,
     6,
     TND_JOB_MPICH},
    {"hydra", {"PMI_RANK=1", "PMI_SIZE=2", "MPI_LOCALNRANKS=2"}, "", 2, 2, 1, TND_JOB_MPICH},
    {"proxy", {"PMI_ID=1", "PMI_SIZE=2"}, "", 2, 0, 1, TND_JOB_MPICH},
};

static void test_ranks(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(jobs); i++) {
        char key[TND_JOB_KEY_MAX];
        g_test_message("%s", jobs[i].name);
        set = jobs[i].variables;
        tnd_job_key(lookup, key);
        g_assert_cmpstr(key, ==, jobs[i].key);
        g_assert_cmpuint(tnd_job_size(lookup), ==, jobs[i].size);
        g_assert_cmpuint(tnd_job_local_size(lookup), ==, jobs[i].local_size);
        g_assert_cmpint(tnd_job_rank(lookup), ==, jobs[i].rank);
        g_assert_cmpint(tnd_job_mpi(lookup), ==, jobs[i].mpi);
    }
}

static void test_launchers(void)
{
    static const struct {
        const char *name;
        gboolean is;
        enum tnd_job_mpi mpi;
    } names[] = {
        {"mpirun", TRUE, TND_JOB_ANY_MPI},
        {"srun", TRUE, TND_JOB_ANY_MPI},
        {"mpirun.openmpi", TRUE, TND_JOB_OPEN_MPI},
        {"prterun", TRUE, TND_JOB_OPEN_MPI},
        {"mpiexec.hydra", TRUE, TND_JOB_MPICH},
        {"mpiexec.mpich", TRUE, TND_JOB_MPICH},
        {"env", FALSE, TND_JOB_ANY_MPI},
        {"mpi", FALSE, TND_JOB_ANY_MPI},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
        enum tnd_job_mpi mpi = TND_JOB_ANY_MPI;
        g_assert_cmpint(tnd_job_is_launcher(names[i].name, &mpi), ==, names[i].is);
        g_assert_cmpint(mpi, ==, names[i].mpi);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/job/ranks", test_ranks);
    g_test_add_func("/job/launchers", test_launchers);
    return g_test_run();
}
