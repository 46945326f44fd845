/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Launchers tell a rank about itself by variables; which, tells whose MPI it is.
 */
#include "cli/ranks.h"

#include "cli/cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Of mpirun and of what else speaks PMIx (srun); of MPICH's and its kin's launchers. */
static const struct {
    const char *size, *rank, *program;
} launchers[] = {
    {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "tandem-merge-openmpi"},
    {"PMI_SIZE", "PMI_RANK", "tandem-merge-mpich"},
    {"SLURM_NTASKS", "PMIX_RANK", "tandem-merge-openmpi"},
};

/* The launcher that started us as one of several; G_N_ELEMENTS(launchers): none. */
static gsize find_launcher(void)
{
    gsize i = 0;
    for (; i < G_N_ELEMENTS(launchers); i++) {
        const char *size = getenv(launchers[i].size);
        if (size && getenv(launchers[i].rank) && strtoul(size, NULL, 10) > 1)
            break;
    }
    return i;
}

gboolean tnd_ranks_are_several(void)
{
    return find_launcher() < G_N_ELEMENTS(launchers);
}

gboolean tnd_ranks_is_first(void)
{
    gsize launcher = find_launcher();
    return launcher < G_N_ELEMENTS(launchers) && strcmp(getenv(launchers[launcher].rank), "0") == 0;
}

void tnd_ranks_become(char **words)
{
    static const char *const places[] = {"mpi", "../" TND_LIBEXECDIR "/tandem"};
    gsize launcher = find_launcher();
    char *self = g_file_read_link("/proc/self/exe", NULL);
    char *directory = g_path_get_dirname(self ? self : "");
    int reason = ENOENT;
    for (gsize i = 0; i < G_N_ELEMENTS(places) && reason == ENOENT; i++) {
        char *program = g_build_filename(directory, places[i], launchers[launcher].program, NULL);
        execv(program, words);
        reason = errno;
        g_free(program);
    }
    if (tnd_ranks_is_first())
        tnd_cli_complain("merge", "%s: %s (it merges over ranks; `tandem merge --alone` does without)",
                         launchers[launcher].program, g_strerror(reason));
    g_free(directory);
    g_free(self);
}
