/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The hidden files are in the directory of the trace, so that each gets its name by a rename, without a copy.
 */
#include "analysis/output/trace_output.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#define GZIP_MODE "wb3"
#define MAX_NAMES 100000

enum { ROW, PCF, PRV, N_FILES }; /* in the order in which the files get their names */

struct TndTraceOutput {
    char *directory, *stem; /* stem: without directory and ending */
    gboolean force, is_gzip;
    char *hidden[N_FILES]; /* paths; NULL: not made yet, or renamed */
    int fd;                /* of the .prv; -1: closed, or owned by gzip */
    gzFile gzip;
};

int tnd_trace_output_keeper_fd = -1;

static gboolean fail(GError **error, const char *path, int reason)
{
    g_set_error(error, G_IO_ERROR, (gint)g_io_error_from_errno(reason), "%s: %s", path, g_strerror(reason));
    return FALSE;
}

static const char *ending_of(const TndTraceOutput *output, int file)
{
    static const char *const endings[N_FILES] = {".row", ".pcf", ".prv"};
    return file == PRV && output->is_gzip ? ".prv.gz" : endings[file];
}

static void tell_keeper(const GString *path)
{
    gsize n_bytes = path->len + 1;
    if (tnd_trace_output_keeper_fd >= 0 && write(tnd_trace_output_keeper_fd, path->str, n_bytes) != (ssize_t)n_bytes)
        tnd_trace_output_keeper_fd = -1; /* that process is gone */
}

/* Makes a file with a hidden name; open() applies the umask. */
static int make_hidden(TndTraceOutput *output, int file, GError **error)
{
    GString *path = g_string_new(NULL);
    int fd = -1;
    for (int attempt = 0; attempt < 100 && fd < 0; attempt++) {
        g_string_printf(path, "%s/.%s%s.%08x", output->directory, output->stem, ending_of(output, file),
                        g_random_int());
        tell_keeper(path);
        fd = open(path->str, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (fd < 0 && errno != EEXIST)
            break;
    }
    if (fd < 0)
        fail(error, output->directory, errno);
    else
        output->hidden[file] = g_strdup(path->str);
    g_string_free(path, TRUE);
    return fd;
}

TndTraceOutput *tnd_trace_output_new(const char *path, gboolean force, GError **error)
{
    TndTraceOutput *output = g_new0(TndTraceOutput, 1);
    output->directory = g_path_get_dirname(path);
    output->stem = g_path_get_basename(path);
    output->force = force;
    output->is_gzip = g_str_has_suffix(path, ".prv.gz");
    if (output->is_gzip || g_str_has_suffix(path, ".prv"))
        output->stem[strlen(output->stem) - strlen(ending_of(output, PRV))] = 0;
    output->fd = make_hidden(output, PRV, error);
    if (output->fd >= 0 && output->is_gzip) {
        output->gzip = gzdopen(output->fd, GZIP_MODE);
        if (output->gzip)
            output->fd = -1;
        else
            fail(error, path, ENOMEM);
    }
    if (output->fd < 0 && !output->gzip)
        g_clear_pointer(&output, tnd_trace_output_free);
    return output;
}

const char *tnd_trace_output_directory(const TndTraceOutput *output)
{
    return output->directory;
}

const char *tnd_trace_output_path(const TndTraceOutput *output)
{
    return output->is_gzip ? "" : output->hidden[PRV];
}

bool tnd_trace_output_bytes(void *sink, const char *bytes, size_t size)
{
    TndTraceOutput *output = sink;
    if (!output->gzip)
        return tnd_prv_write_fd(&output->fd, bytes, size);
    errno = 0;
    return gzwrite(output->gzip, bytes, (unsigned)size) == (int)size;
}

static gboolean close_prv(TndTraceOutput *output)
{
    errno = 0;
    int status = 0;
    if (output->gzip)
        status = gzclose(g_steal_pointer(&output->gzip)) == Z_OK ? 0 : -1;
    else if (output->fd >= 0)
        status = close(output->fd);
    output->fd = -1;
    return status == 0;
}

/* Writes the .pcf or the .row. */
static gboolean write_small(TndTraceOutput *output, int which, const void *content, GError **error)
{
    int fd = make_hidden(output, which, error);
    if (fd < 0)
        return FALSE;
    FILE *file = fdopen(fd, "w");
    if (!file) {
        int reason = errno;
        close(fd);
        return fail(error, output->directory, reason);
    }
    bool written = which == PCF ? tnd_pcf_write(content, file) : tnd_row_write(content, file);
    int reason = errno;
    if (fclose(file) != 0 && written) {
        reason = errno;
        written = false;
    }
    return written || fail(error, output->directory, reason ? reason : EIO);
}

static gboolean copy_bytes(FILE *from, int to)
{
    char bytes[16384];
    size_t n;
    while ((n = fread(bytes, 1, sizeof bytes, from)) > 0)
        if (!tnd_prv_write_fd(&to, bytes, n))
            return FALSE;
    return !ferror(from);
}

/* Copies the .pcf or the .row, if it exists. */
static gboolean copy_small(TndTraceOutput *output, int which, const char *path, GError **error)
{
    FILE *from = fopen(path, "re");
    if (!from)
        return errno == ENOENT || fail(error, path, errno);
    int fd = make_hidden(output, which, error);
    gboolean copied = fd >= 0 && copy_bytes(from, fd);
    int reason = errno;
    if (fd >= 0 && close(fd) != 0 && copied) {
        copied = FALSE;
        reason = errno;
    }
    fclose(from);
    return copied || (fd < 0 ? FALSE : fail(error, path, reason ? reason : EIO));
}

gboolean tnd_trace_output_copy(TndTraceOutput *output, const char *pcf_path, const char *row_path,
                               const struct tnd_row *row, GError **error)
{
    return copy_small(output, PCF, pcf_path, error) &&
           (row ? write_small(output, ROW, row, error) : copy_small(output, ROW, row_path, error));
}

/* The n-th name of a file: x.prv, x.2.prv, ... */
static char *name_of(const TndTraceOutput *output, guint n, int file)
{
    if (n == 1)
        return g_strdup_printf("%s/%s%s", output->directory, output->stem, ending_of(output, file));
    return g_strdup_printf("%s/%s.%u%s", output->directory, output->stem, n, ending_of(output, file));
}

/* Finds the first number whose names are free for all three files.  link() fails if a name is taken; on a file system
 * without links, another process could still take a name in between. */
static guint take_name(TndTraceOutput *output)
{
    for (guint n = 1; n < MAX_NAMES; n++) {
        char *path = name_of(output, n, PRV);
        gboolean taken = link(output->hidden[PRV], path) == 0;
        if (!taken && errno != EEXIST)
            taken = access(path, F_OK) != 0 && errno == ENOENT && rename(output->hidden[PRV], path) == 0;
        else if (taken)
            unlink(output->hidden[PRV]);
        if (taken)
            g_clear_pointer(&output->hidden[PRV], g_free);
        g_free(path);
        if (taken)
            return n;
        if (errno != EEXIST && errno != ENOENT && errno != 0)
            break;
    }
    return 0;
}

static gboolean give_names(TndTraceOutput *output, guint *n, GError **error)
{
    *n = output->force ? 1 : take_name(output);
    if (!*n)
        return fail(error, output->directory, errno);
    for (int file = 0; file < N_FILES; file++) {
        char *path = name_of(output, *n, file);
        gboolean renamed = !output->hidden[file] || rename(output->hidden[file], path) == 0;
        if (!renamed)
            fail(error, path, errno);
        else
            g_clear_pointer(&output->hidden[file], g_free);
        g_free(path);
        if (!renamed)
            return FALSE;
    }
    return TRUE;
}

char *tnd_trace_output_finish(TndTraceOutput *output, const struct tnd_pcf *pcf, const struct tnd_row *row,
                              GError **error)
{
    guint n;
    if (!close_prv(output)) {
        fail(error, output->directory, errno ? errno : EIO);
        return NULL;
    }
    if ((pcf && !write_small(output, PCF, pcf, error)) || (row && !write_small(output, ROW, row, error)) ||
        !give_names(output, &n, error))
        return NULL;
    char *path = name_of(output, n, PRV);
    char *plain = g_str_has_prefix(path, "./") ? g_strdup(path + 2) : g_strdup(path);
    g_free(path);
    return plain;
}

void tnd_trace_output_free(TndTraceOutput *output)
{
    if (!output)
        return;
    close_prv(output);
    for (int file = 0; file < N_FILES; file++) {
        if (output->hidden[file])
            unlink(output->hidden[file]);
        g_free(output->hidden[file]);
    }
    g_free(output->directory);
    g_free(output->stem);
    g_free(output);
}
