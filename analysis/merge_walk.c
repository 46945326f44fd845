/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Readers, frames and the tree of merge_walk.h.  The tree's nodes are keys, time and number packed into 64 bits, so
 * that a step is a few minima and maxima without a jump that could be mispredicted.
 */
#include "analysis/merge_walk.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <unistd.h>

static int stream_index(const TndMergePart *part, gboolean is_signal)
{
    return is_signal ? part->signal : part->main;
}

guint64 tnd_merge_walk_part_time(TndMergeReader *reader)
{
    for (; reader->part < reader->row->parts->len; reader->part++) {
        const TndMergePart *part = &g_array_index(reader->row->parts, TndMergePart, reader->part);
        int index = stream_index(part, reader->is_signal);
        if (index < 0)
            continue;
        const TndMergeStream *stream = &g_array_index(part->process->streams, TndMergeStream, index);
        return MAX(tnd_merge_clock_time(part->process->clock, stream->first_ticks), reader->last_ns);
    }
    return G_MAXUINT64;
}

gboolean tnd_merge_walk_open_part(TndMergeReader *reader, GError **error)
{
    const TndMergePart *part = &g_array_index(reader->row->parts, TndMergePart, reader->part);
    const char *path = part->process->files->path, *fault = "cannot be opened";
    const char *name =
        g_array_index(part->process->streams, TndMergeStream, stream_index(part, reader->is_signal)).file->name;
    int directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    reader->stream = tnd_stream_open(directory, name, &fault);
    int reason = errno;
    if (directory >= 0)
        close(directory);
    if (reader->stream) {
        reader->at = part;
        return TRUE;
    }
    g_set_error(error, G_IO_ERROR, (gint)g_io_error_from_errno(reason), "%s/%s: %s: %s", path, name, fault,
                g_strerror(reason));
    return FALSE;
}

void tnd_merge_walk_close_part(TndMergeReader *reader)
{
    if (reader->stream)
        tnd_stream_close(reader->stream);
    reader->stream = NULL;
    if (reader->at)
        reader->part++;
    reader->at = NULL;
}

const TndMergeFrame *tnd_merge_walk_find(const GArray *frames, guint32 type)
{
    for (guint i = frames->len; i-- > 0;)
        if (g_array_index(frames, TndMergeFrame, i).type == type)
            return &g_array_index(frames, TndMergeFrame, i);
    return NULL;
}

gboolean tnd_merge_walk_pop(GArray *frames, guint32 type, TndMergeFrame *frame)
{
    const TndMergeFrame *found = tnd_merge_walk_find(frames, type);
    if (!found)
        return FALSE;
    *frame = *found;
    guint index = (guint)(found - (const TndMergeFrame *)(const void *)frames->data);
    if (index == frames->len - 1)
        g_array_set_size(frames, index);
    else
        g_array_remove_index(frames, index);
    return TRUE;
}

gboolean tnd_merge_walk_plant(TndMergeTree *tree, const guint64 *times, guint n, guint64 end_ns, GError **error)
{
    *tree = (TndMergeTree){.n = n, .n_leaves = 1};
    while (tree->n_leaves < n) {
        tree->n_leaves *= 2;
        tree->n_bits++;
    }
    if (tree->n_bits > 31 || end_ns >= G_MAXUINT64 >> tree->n_bits) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                    "%u streams over %" G_GUINT64_FORMAT " s are more than one merge can order", n,
                    end_ns / 1000000000u);
        return FALSE;
    }
    tree->losers = g_new(guint64, tree->n_leaves);
    guint64 *winners = g_new(guint64, 2 * (gsize)tree->n_leaves);
    for (guint i = 0; i < tree->n_leaves; i++)
        winners[tree->n_leaves + i] = i < n && times[i] != G_MAXUINT64 ? times[i] << tree->n_bits | i : G_MAXUINT64;
    for (guint node = tree->n_leaves - 1; node >= 1; node--) {
        winners[node] = MIN(winners[2 * node], winners[2 * node + 1]);
        tree->losers[node] = MAX(winners[2 * node], winners[2 * node + 1]);
    }
    tree->losers[0] = winners[1];
    g_free(winners);
    return TRUE;
}

void tnd_merge_walk_fell(TndMergeTree *tree)
{
    g_clear_pointer(&tree->losers, g_free);
}
