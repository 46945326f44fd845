/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The bytes of a trace file, read with large read() calls.  A compressed file may be several members one after another.
 */
#include "analysis/trace/prv_file.h"

#include "analysis/base/gunzip.h"
#include "run/rundir.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* How many bytes the decompressor gets at once. */
#define FEED_BYTES ((gsize)256 << 10)
/* How many bytes at the end of a file are searched for comments. */
#define COMMENTS_BYTES ((gsize)16 << 20)

struct TndPrvFile {
    int fd;
    guint64 size_bytes, read_bytes; /* on the disk */
    TndGunzip *gunzip;              /* NULL: plain */
    gboolean at_end;                /* a compressed file has been read to its end */
    gboolean member_ended;
    char *feed;
    gsize feed_from, feed_to;
    GError *error;
};

char *tnd_prv_file_stem(const char *path)
{
    static const char *const endings[] = {".prv", ".prv.gz"};
    for (guint i = 0; i < G_N_ELEMENTS(endings); i++)
        if (g_str_has_suffix(path, endings[i]))
            return g_strndup(path, strlen(path) - strlen(endings[i]));
    return NULL;
}

char *tnd_prv_file_companion(const char *path, const char *ending)
{
    char *stem = tnd_prv_file_stem(path);
    char *companion = stem ? g_strconcat(stem, ending, NULL) : NULL;
    g_free(stem);
    return companion;
}

static gboolean is_gzip(int fd)
{
    unsigned char magic[2];
    return pread(fd, magic, sizeof magic, 0) == sizeof magic && magic[0] == 0x1f && magic[1] == 0x8b;
}

static void set_errno_error(GError **error, const char *path, int number)
{
    g_set_error(error, G_IO_ERROR, g_io_error_from_errno(number), "%s: %s", path, g_strerror(number));
}

/* Opens the file; -1 and error: it is not a regular file, or its name is not that of a trace. */
static int open_trace(const char *path, struct stat *status, GError **error)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    char *stem = tnd_prv_file_stem(path);
    gboolean is_trace = FALSE;
    if (fd < 0 || fstat(fd, status) != 0)
        set_errno_error(error, path, errno);
    else if (S_ISDIR(status->st_mode) && g_str_has_suffix(path, TND_RUNDIR_ENDING))
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_IS_DIRECTORY,
                    "%s: a run directory: `tandem merge` makes the trace of it", path);
    else if (S_ISDIR(status->st_mode))
        set_errno_error(error, path, EISDIR);
    else if (!stem)
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_FILENAME,
                    "%s: not a trace: its name ends neither in .prv nor in .prv.gz (`tandem convert` makes traces of "
                    "what some other tools recorded)",
                    path);
    else
        is_trace = TRUE;
    g_free(stem);
    if (!is_trace && fd >= 0)
        close(fd);
    return is_trace ? fd : -1;
}

TndPrvFile *tnd_prv_file_open(const char *path, GError **error)
{
    struct stat status;
    int fd = open_trace(path, &status, error);
    if (fd < 0)
        return NULL;
    (void)posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    TndPrvFile *file = g_new0(TndPrvFile, 1);
    file->fd = fd;
    file->size_bytes = (guint64)status.st_size;
    if (is_gzip(fd)) {
        file->gunzip = tnd_gunzip_new();
        file->feed = g_malloc(FEED_BYTES);
    }
    return file;
}

void tnd_prv_file_close(TndPrvFile *file)
{
    if (!file)
        return;
    close(file->fd);
    tnd_gunzip_free(file->gunzip);
    g_free(file->feed);
    g_clear_error(&file->error);
    g_free(file);
}

int tnd_prv_file_descriptor(const TndPrvFile *file)
{
    return file->fd;
}

static ssize_t read_disk(TndPrvFile *file, char *buffer, size_t size)
{
    ssize_t n;
    do
        n = read(file->fd, buffer, size);
    while (n < 0 && errno == EINTR);
    if (n > 0)
        file->read_bytes += (guint64)n;
    return n;
}

/* Refills the decompressor's input; FALSE on an error of the disk. */
static gboolean feed(TndPrvFile *file)
{
    memmove(file->feed, file->feed + file->feed_from, file->feed_to - file->feed_from);
    file->feed_to -= file->feed_from;
    file->feed_from = 0;
    ssize_t n = read_disk(file, file->feed + file->feed_to, FEED_BYTES - file->feed_to);
    if (n < 0)
        return FALSE;
    file->at_end = n == 0;
    file->feed_to += (gsize)n;
    return TRUE;
}

static ssize_t fail_reading(TndPrvFile *file, GIOErrorEnum code, const char *what)
{
    g_set_error_literal(&file->error, G_IO_ERROR, (gint)code, what);
    errno = EIO;
    return -1;
}

static ssize_t read_compressed(TndPrvFile *file, char *buffer, size_t size)
{
    for (;;) {
        if (!file->at_end && file->feed_to - file->feed_from < FEED_BYTES / 2 && !feed(file))
            return -1;
        if (file->at_end && file->feed_from == file->feed_to && file->member_ended)
            return 0;
        gsize consumed, written;
        TndGunzipResult result = tnd_gunzip_convert(file->gunzip, file->feed + file->feed_from,
                                                    file->feed_to - file->feed_from, buffer, size, &consumed, &written);
        if (result == TND_GUNZIP_DAMAGED)
            return fail_reading(file, G_IO_ERROR_INVALID_DATA, "the compressed file is damaged");
        file->feed_from += consumed;
        file->member_ended = result == TND_GUNZIP_MEMBER_ENDED;
        if (written > 0)
            return (ssize_t)written;
        if (file->at_end && consumed == 0 && !file->member_ended)
            return fail_reading(file, G_IO_ERROR_PARTIAL_INPUT, "the compressed file ends in the middle");
    }
}

ssize_t tnd_prv_file_read(void *source, char *buffer, size_t size)
{
    TndPrvFile *file = source;
    if (file->error) {
        errno = EIO;
        return -1;
    }
    ssize_t n = file->gunzip ? read_compressed(file, buffer, size) : read_disk(file, buffer, size);
    if (n < 0 && !file->error)
        set_errno_error(&file->error, "read", errno);
    return n;
}

/* The index of the line feed before the comments at the end of a text; n: it does not end in comments. */
static gsize find_comments(const char *text, gsize n)
{
    gsize found = n;
    for (gsize end = n; end > 0;) {
        const char *feed = memrchr(text, '\n', end - 1);
        if (!feed || (feed[1] != '#' && feed + 1 < text + n))
            break;
        found = end = (gsize)(feed - text);
    }
    return found;
}

void tnd_prv_file_skip_to_comments(TndPrvFile *file)
{
    off_t here = file->gunzip ? -1 : lseek(file->fd, 0, SEEK_CUR);
    if (here < 0 || (guint64)here >= file->size_bytes)
        return;
    gsize n = MIN(file->size_bytes - (guint64)here, COMMENTS_BYTES);
    off_t from = (off_t)(file->size_bytes - n);
    char *text = g_malloc(n);
    if (pread(file->fd, text, n, from) == (ssize_t)n) {
        off_t to = from + (off_t)find_comments(text, n);
        if (lseek(file->fd, to, SEEK_SET) == to)
            file->read_bytes = (guint64)to;
    }
    g_free(text);
}

const GError *tnd_prv_file_error(const TndPrvFile *file)
{
    return file->error;
}

double tnd_prv_file_fraction(const TndPrvFile *file)
{
    return file->size_bytes ? MIN(1.0, (double)file->read_bytes / (double)file->size_bytes) : 1.0;
}
