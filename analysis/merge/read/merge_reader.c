/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Opens streams and closes them.  Where there are more than may be open at one time, their readers hold no files.
 */
#include "analysis/merge/read/merge_reader.h"
#include "analysis/merge/base/merge_progress.h"
#include "analysis/merge/base/merge_ticks.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <sys/resource.h>
#include <unistd.h>

#define N_READERS 2                       /* of a stream at one time: one for events, one for states */
#define N_FILES 2                         /* that a reader has open */
#define N_OTHER_FILES 256                 /* that this program may have open besides those */
#define ALL_BYTES ((gsize)128 << 20)      /* of all buffers together, if that leaves each */
#define MIN_BUFFER_BYTES ((gsize)4 << 10) /* at least */
#define MAX_BUFFER_BYTES ((gsize)32 << 10)

guint64 tnd_merge_reader_part_time(TndMergeReader *reader)
{
    for (; reader->part < reader->row->parts->len; reader->part++) {
        const TndMergePart *part = &g_array_index(reader->row->parts, TndMergePart, reader->part);
        int index = part->streams[reader->which];
        if (index < 0)
            continue;
        const TndMergeStream *stream = &g_array_index(part->process->streams, TndMergeStream, index);
        return MAX(tnd_merge_ticks_time(part->process->clock, stream->first_ticks), reader->last_ns);
    }
    return G_MAXUINT64;
}

void tnd_merge_reader_prepare(TndMerge *merge)
{
    guint64 n_streams = 0;
    for (guint i = 0; i < merge->processes->len; i++)
        n_streams += ((TndMergeProcess *)merge->processes->pdata[i])->streams->len;
    struct rlimit limit;
    gboolean are_few =
        getrlimit(RLIMIT_NOFILE, &limit) == 0 && n_streams * N_READERS * N_FILES + N_OTHER_FILES < limit.rlim_cur;
    for (guint i = 0; i < merge->processes->len; i++)
        ((TndMergeProcess *)merge->processes->pdata[i])->buffer_bytes =
            are_few ? 0 : CLAMP(ALL_BYTES / (N_READERS * n_streams), MIN_BUFFER_BYTES, MAX_BUFFER_BYTES);
}

/* Opens a stream whose reader holds its files open, or does not. */
static struct tnd_stream_reader *open_stream(const TndMergeProcess *process, const char *name, const char **fault)
{
    struct tnd_stream_reader *stream;
    if (process->buffer_bytes) {
        char *path = g_build_filename(process->files->path, name, NULL);
        stream = tnd_stream_open_path(path, process->buffer_bytes, fault);
        g_free(path);
        return stream;
    }
    int directory = open(process->files->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    stream = tnd_stream_open(directory, name, fault);
    int reason = errno;
    if (directory >= 0)
        close(directory);
    errno = reason;
    return stream;
}

/* Takes the stream that was opened for this reader when the other one opened its own; NULL: there is none. */
static struct tnd_stream_reader *take_kept(TndMergeReader *reader)
{
    TndMergeReader *other = reader->other;
    return other && other->kept && other->kept_part == reader->part ? g_steal_pointer(&other->kept) : NULL;
}

static void keep_for_other(TndMergeReader *reader)
{
    tnd_stream_close(reader->kept);
    reader->kept = tnd_stream_share(reader->stream);
    reader->kept_part = reader->part;
}

gboolean tnd_merge_reader_open_part(TndMergeReader *reader, GError **error)
{
    const TndMergePart *part = &g_array_index(reader->row->parts, TndMergePart, reader->part);
    const char *path = part->process->files->path, *fault = "cannot be opened";
    const char *name = g_array_index(part->process->streams, TndMergeStream, part->streams[reader->which]).file->name;
    reader->stream = take_kept(reader);
    if (!reader->stream) {
        reader->stream = open_stream(part->process, name, &fault);
        if (reader->stream && reader->other)
            keep_for_other(reader);
    }
    if (reader->stream) {
        reader->at = part;
        reader->clock = part->process->clock;
        return TRUE;
    }
    g_set_error(error, G_IO_ERROR, (gint)g_io_error_from_errno(errno), "%s/%s: %s: %s", path, name, fault,
                g_strerror(errno));
    return FALSE;
}

gboolean tnd_merge_reader_tell(TndMergeReader *reader, TndMerge *merge, TndMergePass pass, GError **error)
{
    guint64 n_bytes = tnd_stream_position(reader->stream) - reader->told_bytes;
    reader->told_bytes += n_bytes;
    reader->n_steps = 0;
    return tnd_merge_progress_advance(merge, pass, n_bytes, error);
}

void tnd_merge_reader_share(TndMergeReader *a, TndMergeReader *b)
{
    a->other = b;
    b->other = a;
}

void tnd_merge_reader_end(TndMergeReader *reader)
{
    tnd_merge_reader_close_part(reader);
    tnd_stream_close(g_steal_pointer(&reader->kept));
}

void tnd_merge_reader_close_part(TndMergeReader *reader)
{
    if (reader->stream)
        tnd_stream_close(reader->stream);
    reader->stream = NULL;
    if (reader->at)
        reader->part++;
    reader->at = NULL;
    reader->told_bytes = 0;
}
