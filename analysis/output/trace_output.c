/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The files are in the directory of the trace, so that each gets its name without a copy.  Where the file system has
 * files without a name (O_TMPFILE), they have none until then, and nothing is left of a process that is killed.
 * Elsewhere, and if other processes write to them, they have hidden names, and are locked as long as their writer
 * lives: the next one deletes what a killed one left.
 */
#include "analysis/output/trace_output.h"

#include "formats/regular_file.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#define GZIP_MODE "wb3"
#define MAX_NAMES 100000

enum { ROW, PCF, PRV, N_FILES }; /* in the order in which the files get their names */

struct TndTraceOutput {
    char *directory, *stem; /* stem: without directory and ending */
    gboolean force, is_gzip;
    char *hidden[N_FILES]; /* paths by which they can be opened; NULL: not made yet, or they have their names */
    int held[N_FILES];     /* descriptors, which keep those without a name, and locks; -1: none */
    gboolean is_unnamed[N_FILES];
    int fd; /* of the .prv, to be written; -1: closed, or owned by gzip */
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

static void set_hidden_name(GString *path, const TndTraceOutput *output, int file)
{
    g_string_printf(path, "%s/.%s%s.%08x", output->directory, output->stem, ending_of(output, file), g_random_int());
}

/* Makes a file without a name.  -1: it cannot be made, or could not get one later. */
static int make_unnamed(GString *path, const TndTraceOutput *output)
{
    int fd = open(output->directory, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    g_string_printf(path, "/proc/self/fd/%d", fd);
    if (fd < 0 || access(path->str, W_OK) == 0)
        return fd;
    close(fd);
    return -1;
}

static int make_named(GString *path, const TndTraceOutput *output, int file)
{
    int fd = -1;
    for (int attempt = 0; attempt < 100 && fd < 0; attempt++) {
        set_hidden_name(path, output, file);
        tell_keeper(path);
        fd = open(path->str, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (fd < 0 && errno != EEXIST)
            break;
    }
    if (fd >= 0)
        (void)flock(fd, LOCK_EX | LOCK_NB);
    return fd;
}

/* Makes a file; open() applies the umask.  Returns a descriptor to write to it; -1 and error: it failed. */
static int make_hidden(TndTraceOutput *output, int file, GError **error)
{
    GString *path = g_string_new(NULL);
    int held = tnd_trace_output_keeper_fd < 0 ? make_unnamed(path, output) : -1;
    output->is_unnamed[file] = held >= 0;
    if (held < 0)
        held = make_named(path, output, file);
    int fd = held >= 0 ? fcntl(held, F_DUPFD_CLOEXEC, 0) : -1;
    if (held >= 0) {
        output->held[file] = held;
        output->hidden[file] = g_strdup(path->str);
    }
    if (fd < 0)
        fail(error, output->directory, errno);
    g_string_free(path, TRUE);
    return fd;
}

static void let_go(TndTraceOutput *output, int file)
{
    if (output->held[file] >= 0)
        close(output->held[file]);
    output->held[file] = -1;
    g_clear_pointer(&output->hidden[file], g_free);
}

/* Whether a name is a hidden one of this trace. */
static gboolean is_hidden_name(const TndTraceOutput *output, const char *name)
{
    const gsize n_stem = strlen(output->stem);
    if (name[0] != '.' || strncmp(name + 1, output->stem, n_stem) != 0)
        return FALSE;
    for (int file = 0; file < N_FILES; file++) {
        const char *ending = ending_of(output, file), *rest = name + 1 + n_stem;
        if (g_str_has_prefix(rest, ending) && rest[strlen(ending)] == '.' &&
            strspn(rest + strlen(ending) + 1, "0123456789abcdef") == 8 && !rest[strlen(ending) + 9])
            return TRUE;
    }
    return FALSE;
}

/* Deletes the hidden files that killed processes left of this trace. */
static void delete_left(const TndTraceOutput *output)
{
    GDir *directory = g_dir_open(output->directory, 0, NULL);
    for (const char *name; directory && (name = g_dir_read_name(directory));) {
        if (!is_hidden_name(output, name))
            continue;
        char *path = g_build_filename(output->directory, name, NULL);
        int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0)
            unlink(path);
        if (fd >= 0)
            close(fd);
        g_free(path);
    }
    if (directory)
        g_dir_close(directory);
}

/* Gives a file a name that nothing has.  FALSE and errno: it has not got it. */
static gboolean link_to(TndTraceOutput *output, int file, const char *path)
{
    gboolean is_linked = linkat(AT_FDCWD, output->hidden[file], AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0;
    if (is_linked && !output->is_unnamed[file])
        unlink(output->hidden[file]);
    return is_linked;
}

/* Gives a file a name, which another one may have until then.  FALSE and errno: it has not got it. */
static gboolean rename_to(TndTraceOutput *output, int file, const char *path)
{
    if (!output->is_unnamed[file])
        return rename(output->hidden[file], path) == 0;
    gboolean is_named = link_to(output, file, path);
    if (is_named || errno != EEXIST)
        return is_named;
    GString *between = g_string_new(NULL);
    set_hidden_name(between, output, file);
    (void)flock(output->held[file], LOCK_EX | LOCK_NB);
    is_named = link_to(output, file, between->str);
    if (is_named && rename(between->str, path) != 0) {
        int reason = errno;
        unlink(between->str);
        errno = reason;
        is_named = FALSE;
    }
    g_string_free(between, TRUE);
    return is_named;
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
    for (int file = 0; file < N_FILES; file++)
        output->held[file] = -1;
    delete_left(output);
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
    FILE *from = tnd_regular_file_stream(path);
    if (!from)
        return errno == ENOENT || tnd_regular_file_is_other(path) || fail(error, path, errno);
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

/* Whether there is a file of that name with one of the endings; a link counts, wherever it leads. */
static gboolean has_any(const char *stem, const char *const *endings)
{
    gboolean has = FALSE;
    for (; *endings && !has; endings++) {
        char *path = g_strconcat(stem, *endings, NULL);
        has = faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
        g_free(path);
    }
    return has;
}

/* Whether the trace of that name is there: a .prv in either form, which the .pcf and .row belong to. */
static gboolean is_taken(const char *stem)
{
    return has_any(stem, (const char *const[]){".prv", ".prv.gz", NULL});
}

/* Whether none of a trace's files is there, so that all of them can have the name. */
static gboolean is_free(const char *stem)
{
    return !is_taken(stem) && !has_any(stem, (const char *const[]){".pcf", ".row", NULL});
}

/* Gives one of the files of a trace another name, unless it is not there.  Returns the name; NULL and errno. */
static char *move(const char *stem, const char *to, const char *ending)
{
    char *old_path = g_strconcat(stem, ending, NULL), *path = g_strconcat(to, ending, NULL);
    if (renameat2(AT_FDCWD, old_path, AT_FDCWD, path, RENAME_NOREPLACE) != 0 &&
        ((errno != EINVAL && errno != ENOSYS) || rename(old_path, path) != 0)) /* a file system without the flag */
        g_clear_pointer(&path, g_free);
    g_free(old_path);
    return path;
}

/* Moves the trace that has the name to the first free number.  Its path then, NULL and errno: it could not be moved. */
static char *set_aside(const char *stem)
{
    static const char *const others[] = {".pcf", ".row"};
    char *to = NULL, *path = NULL;
    for (guint n = 1; n < MAX_NAMES && !to; n++) {
        to = g_strdup_printf("%s.%u", stem, n);
        if (!is_free(to))
            g_clear_pointer(&to, g_free);
    }
    if (to && !(path = move(stem, to, ".prv")) && errno == ENOENT)
        path = move(stem, to, ".prv.gz");
    for (guint i = 0; path && i < G_N_ELEMENTS(others); i++)
        g_free(move(stem, to, others[i]));
    g_free(to);
    return path;
}

/* Gives the .prv its name, which a trace may have that is set aside then.  link() fails if the name is taken; on a file
 * system without links, another process could still take it in between. */
static gboolean take_name(TndTraceOutput *output, const char *stem, char **aside)
{
    char *path = g_strconcat(stem, ending_of(output, PRV), NULL);
    gboolean has_failed = FALSE;
    while (output->hidden[PRV] && !has_failed) {
        if (is_taken(stem)) {
            g_free(*aside);
            *aside = set_aside(stem);
            has_failed = !*aside && errno != EEXIST && errno != ENOENT;
        } else if (link_to(output, PRV, path) || (errno != EEXIST && rename_to(output, PRV, path))) {
            let_go(output, PRV);
        } else {
            has_failed = errno != EEXIST;
        }
    }
    g_free(path);
    return !has_failed;
}

/* The path of the .prv; NULL and error. */
static char *give_names(TndTraceOutput *output, char **aside, GError **error)
{
    char *stem = g_strdup_printf("%s/%s", output->directory, output->stem), *path = NULL;
    gboolean is_named = output->force || take_name(output, stem, aside) || fail(error, output->directory, errno);
    for (int file = 0; file < N_FILES && is_named; file++) {
        g_free(path);
        path = g_strconcat(stem, ending_of(output, file), NULL);
        is_named = !output->hidden[file] || rename_to(output, file, path) || fail(error, path, errno);
        if (is_named)
            let_go(output, file);
    }
    g_free(stem);
    if (!is_named)
        g_clear_pointer(&path, g_free);
    return path;
}

/* A path as a user would type it. */
static char *without_dot(char *path)
{
    char *plain = path && g_str_has_prefix(path, "./") ? g_strdup(path + 2) : g_strdup(path);
    g_free(path);
    return plain;
}

char *tnd_trace_output_finish(TndTraceOutput *output, const struct tnd_pcf *pcf, const struct tnd_row *row,
                              char **aside, GError **error)
{
    *aside = NULL;
    if (!close_prv(output)) {
        fail(error, output->directory, errno ? errno : EIO);
        return NULL;
    }
    if ((pcf && !write_small(output, PCF, pcf, error)) || (row && !write_small(output, ROW, row, error)))
        return NULL;
    char *path = without_dot(give_names(output, aside, error));
    *aside = without_dot(*aside);
    return path;
}

void tnd_trace_output_free(TndTraceOutput *output)
{
    if (!output)
        return;
    close_prv(output);
    for (int file = 0; file < N_FILES; file++) {
        if (output->hidden[file] && !output->is_unnamed[file])
            unlink(output->hidden[file]);
        let_go(output, file);
    }
    g_free(output->directory);
    g_free(output->stem);
    g_free(output);
}

void tnd_trace_output_made_clear(TndMadeTrace *made)
{
    g_free(made->output);
    g_free(made->aside);
    *made = (TndMadeTrace){0};
}
