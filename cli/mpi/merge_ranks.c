/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `tandem merge` as a rank of an MPI job: the same command with a team that communicates through MPI and writes one
 * file through MPI-IO.  `tandem` executes this program when a launcher has started several ranks of it.
 */
#include "analysis/output/trace_output.h"
#include "cli/cli.h"
#include "cli/merge_command.h"
#include "cli/ranks.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PIECE_BYTES ((gsize)1 << 30) /* of a message: MPI's counts are int */

struct ranks {
    TndMergeTeam team;
    MPI_File file;
    guint64 *sizes; /* bytes for each rank, then bytes from each rank */
    GArray *requests;
};

/* Starts sending or receiving n_bytes in pieces, which arrive in order between two ranks. */
static void start(struct ranks *ranks, guint8 *bytes, gsize n_bytes, guint rank, gboolean is_sent)
{
    for (gsize n; n_bytes; bytes += n, n_bytes -= n) {
        MPI_Request request;
        n = MIN(n_bytes, PIECE_BYTES);
        if (is_sent)
            MPI_Isend(bytes, (int)n, MPI_BYTE, (int)rank, 0, MPI_COMM_WORLD, &request);
        else
            MPI_Irecv(bytes, (int)n, MPI_BYTE, (int)rank, 0, MPI_COMM_WORLD, &request);
        g_array_append_val(ranks->requests, request);
    }
}

/* Ends the job, because an error would have to reach all ranks before any of them goes on. */
G_NORETURN static void refuse(gsize n_bytes)
{
    tnd_cli_complain("merge",
                     "the ranks have %" G_GSIZE_FORMAT " bytes for one rank at once, more than the limit of 4 GiB "
                     "(`tandem merge --alone` does without)",
                     n_bytes);
    MPI_Abort(MPI_COMM_WORLD, TND_EXIT_INPUT);
    abort();
}

static void exchange(TndMergeTeam *team, GByteArray *const *give, GByteArray *take, gsize *begins)
{
    struct ranks *ranks = (struct ranks *)team;
    guint64 *given = ranks->sizes, *taken = ranks->sizes + team->n_ranks;
    begins[0] = 0;
    for (guint rank = 0; rank < team->n_ranks; rank++)
        given[rank] = give[rank]->len;
    MPI_Alltoall(given, 1, MPI_UINT64_T, taken, 1, MPI_UINT64_T, MPI_COMM_WORLD);
    for (guint rank = 0; rank < team->n_ranks; rank++)
        begins[rank + 1] = begins[rank] + taken[rank];
    if (begins[team->n_ranks] > G_MAXUINT)
        refuse(begins[team->n_ranks]);
    g_byte_array_set_size(take, (guint)begins[team->n_ranks]);
    g_array_set_size(ranks->requests, 0);
    for (guint i = 0; i < team->n_ranks; i++) { /* not all to the same rank at once */
        guint from = (team->rank + team->n_ranks - i) % team->n_ranks, to = (team->rank + i) % team->n_ranks;
        start(ranks, take->data + begins[from], taken[from], from, FALSE);
        start(ranks, give[to]->data, given[to], to, TRUE);
    }
    for (guint i = 0; i < ranks->requests->len; i++)
        MPI_Wait(&g_array_index(ranks->requests, MPI_Request, i), MPI_STATUS_IGNORE);
}

static gboolean fail(GError **error, const char *where, int code)
{
    char text[MPI_MAX_ERROR_STRING];
    int length;
    MPI_Error_string(code, text, &length);
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_FAILED, "%s: %s", where, text);
    return FALSE;
}

static gboolean open_file(TndMergeTeam *team, const char *path, GError **error)
{
    struct ranks *ranks = (struct ranks *)team;
    int code = MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_WRONLY, MPI_INFO_NULL, &ranks->file);
    return code == MPI_SUCCESS || fail(error, path, code);
}

static gboolean write_at(TndMergeTeam *team, const void *bytes, gsize n_bytes, guint64 offset, GError **error)
{
    struct ranks *ranks = (struct ranks *)team;
    const char *at = bytes;
    for (gsize n; n_bytes; at += n, offset += n, n_bytes -= n) {
        MPI_Status status;
        int n_written = 0;
        n = MIN(n_bytes, PIECE_BYTES);
        int code = MPI_File_write_at(ranks->file, (MPI_Offset)offset, at, (int)n, MPI_BYTE, &status);
        if (code != MPI_SUCCESS)
            return fail(error, "writing the trace", code);
        MPI_Get_count(&status, MPI_BYTE, &n_written);
        if (n_written != (int)n)
            return fail(error, "writing the trace", MPI_ERR_NO_SPACE);
    }
    return TRUE;
}

static gboolean close_file(TndMergeTeam *team, GError **error)
{
    int code = MPI_File_close(&((struct ranks *)team)->file);
    return code == MPI_SUCCESS || fail(error, "writing the trace", code);
}

/* Deletes an unfinished file, and those beside it that begin with its name: Open MPI tests locks with such a file when
 * it opens one, and leaves it if it is killed meanwhile.  A finished file has another name. */
static void delete_unfinished(const char *path)
{
    char *folder = g_path_get_dirname(path), *begin = g_path_get_basename(path);
    GDir *files = g_dir_open(folder, 0, NULL);
    for (const char *name; files && (name = g_dir_read_name(files));) {
        char *file = g_build_filename(folder, name, NULL);
        if (g_str_has_prefix(name, begin))
            unlink(file);
        g_free(file);
    }
    if (files)
        g_dir_close(files);
    g_free(begin);
    g_free(folder);
}

/* Waits until rank 0 has ended, for whatever reason, and deletes the files that are not finished. */
G_NORETURN static void keep(int pipe_fd)
{
    static char names[1 << 16];
    gsize n_read = 0;
    setsid();
    dup2(pipe_fd, 0);
    close_range(1, ~0u, 0); /* a launcher waits for all processes that hold its pipes */
    for (ssize_t n = 1; n > 0 || (n < 0 && errno == EINTR); n_read += (gsize)MAX(n, 0))
        n = read(0, names + n_read, sizeof names - 1 - n_read);
    for (const char *name = names; name < names + n_read; name += strlen(name) + 1)
        delete_unfinished(name);
    _exit(0);
}

/* Starts the process that deletes unfinished files, because launchers kill a job a moment after a signal that a rank
 * could handle.  Called before MPI_Init: a process must not fork when it has memory registered with a network. */
static void start_keeper(void)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        tnd_trace_output_keeper_fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
        return;
    }
    if (fork() == 0)
        keep(ends[0]);
    close(ends[0]);
    signal(SIGPIPE, SIG_IGN);
    tnd_trace_output_keeper_fd = ends[1];
}

int main(int argc, char **argv)
{
    int rank, n_ranks;
    if (tnd_ranks_is_first())
        start_keeper();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    struct ranks ranks = {
        .team = {(guint)rank, (guint)n_ranks, FALSE, exchange, open_file, write_at, close_file},
        .file = MPI_FILE_NULL,
        .sizes = g_new(guint64, 2 * (gsize)n_ranks),
        .requests = g_array_new(FALSE, FALSE, sizeof(MPI_Request)),
    };
    int status = tnd_merge_command_run(argc, argv, &ranks.team);
    g_array_unref(ranks.requests);
    g_free(ranks.sizes);
    fflush(stdout);
    MPI_Finalize();
    return status;
}
