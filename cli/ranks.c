/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Launchers give a rank its number in environment variables, whose names tell which MPI it is.
 */
#include "cli/ranks.h"

#include "cli/cli.h"
#include "run/job.h"

#include <errno.h>
#include <unistd.h>

static const char *const programs[] = {
    [TND_JOB_OPEN_MPI] = "tandem-merge-openmpi", [TND_JOB_MPICH] = "tandem-merge-mpich"};

gboolean tnd_ranks_are_several(void)
{
    return tnd_job_size(g_getenv) > 1 && tnd_job_mpi(g_getenv) != TND_JOB_ANY_MPI;
}

gboolean tnd_ranks_is_first(void)
{
    return tnd_job_rank(g_getenv) == 0;
}

void tnd_ranks_become(char **words)
{
    static const char *const places[] = {"mpi", "../" TND_LIBEXECDIR "/tandem"};
    const char *name = programs[tnd_job_mpi(g_getenv)];
    char *self = g_file_read_link("/proc/self/exe", NULL);
    char *directory = g_path_get_dirname(self ? self : "");
    int reason = ENOENT;
    for (gsize i = 0; i < G_N_ELEMENTS(places) && reason == ENOENT; i++) {
        char *program = g_build_filename(directory, places[i], name, NULL);
        execv(program, words);
        reason = errno;
        g_free(program);
    }
    if (tnd_ranks_is_first())
        tnd_cli_complain("merge", "%s: %s (it merges over ranks; `tandem merge --alone` does without)", name,
                         g_strerror(reason));
    g_free(directory);
    g_free(self);
}
