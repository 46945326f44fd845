/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Any bytes as the index of a trace, with the sums and the identity that make a reader believe them: its directory is
 * refused, or what it says can be walked over, looked at and summed up.  To know where the sums are, the index's own
 * source is part of this.
 */
#include "analysis/trace/trace_index.c"

#include "analysis/histogram/histogram.h"
#include "analysis/trace/walk.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size);

static const char text[] = "#Paraver (01/01/2026 at 00:00):9000_ns:1(2):1:1(3:1)\n"
                           "# a comment\n"
                           "1:1:1:1:1:0:1000:1\n1:2:1:1:2:0:2000:1\n1:0:1:1:3:0:-1:3\n"
                           "2:1:1:1:1:100:50000001:31:42000050:77\n2:1:1:1:1:900:50000001:0\n"
                           "2:2:1:1:2:150:50000001:32\n2:2:1:1:2:1900:50000001:0:6000019:-5\n"
                           "3:1:1:1:1:100:120:2:1:1:2:300:280:4096:7\n"
                           "2:1:1:1:99:1:1:1\n"
                           "1:1:1:1:1:1000:9000:2\n1:2:1:1:2:2000:9000:9\n";
static char *directory, *trace_path, *index_path;

static void clear_up(void)
{
    g_remove(index_path);
    g_remove(trace_path);
    g_rmdir(directory);
}

/* With TANDEM_FUZZ_SEED=FILE, the index that the trace has is written there: an input to begin with. */
static void set_up(void)
{
    directory = g_dir_make_tmp("tandem-fuzz-XXXXXX", NULL);
    trace_path = g_build_filename(directory, "a.prv", NULL);
    index_path = g_build_filename(directory, "a.prv.tvx", NULL);
    if (!g_file_set_contents(trace_path, text, -1, NULL))
        abort();
    atexit(clear_up);
    const char *seed = g_getenv("TANDEM_FUZZ_SEED");
    tnd_trace_store_memory = seed ? 0 : G_MAXSIZE;
    tnd_trace_free(tnd_trace_open(trace_path, NULL, NULL, NULL));
    if (seed && g_rename(index_path, seed) != 0)
        abort();
    tnd_trace_store_memory = G_MAXSIZE;
}

/* Gives each block of a directory that is good the sum of its bytes. */
static void sum_blocks(const Head *head, guint8 *bytes)
{
    for (guint kind = 0; kind < TND_BLOCK_N; kind++) {
        TndBlock *blocks = (TndBlock *)(void *)(bytes + head->blocks[kind].offset);
        for (guint64 i = 0; i < head->blocks[kind].n_bytes / sizeof *blocks; i++)
            blocks[i].sum = tnd_checksum_of(bytes + sizeof *head + blocks[i].offset, blocks[i].n_bytes);
    }
}

static void seal_directory(Head *head, const guint8 *bytes)
{
    head->directory_hash = tnd_hash_add(TND_HASH_BEGIN, bytes + head->directory.offset, head->directory.n_bytes);
    head->head_hash = tnd_hash_add(TND_HASH_BEGIN, head, offsetof(Head, head_hash));
}

/* Makes the head one that is believed; FALSE: the directory is refused all the same. */
static gboolean seal(guint8 *bytes, gsize size)
{
    Head head;
    memcpy(&head, bytes, sizeof head);
    memcpy(head.magic, magic, sizeof magic);
    head.version = VERSION;
    head.byte_order = BYTE_ORDER_MARK;
    head.file_bytes = size;
    head.n_rows = 3;
    head.end_ns %= G_GUINT64_CONSTANT(1) << 63;
    head.directory.offset = MIN(head.directory.offset, size) & ~(guint64)7;
    head.directory.n_bytes = size - head.directory.offset;
    int fd = open(trace_path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || !identify(fd, &head.trace))
        abort();
    close(fd);
    seal_directory(&head, bytes);
    memcpy(bytes, &head, sizeof head);
    if (!is_directory(&head, bytes))
        return FALSE;
    sum_blocks(&head, bytes);
    seal_directory(&head, bytes);
    memcpy(bytes, &head, sizeof head);
    return is_directory(&head, bytes);
}

static void look(TndTrace *trace, const char *name)
{
    double values[16];
    TndLinePoint points[G_N_ELEMENTS(values)];
    TndView *view = tnd_view_new(trace, name, NULL);
    if (!view)
        return;
    for (guint row = 0; row < tnd_trace_n_threads(trace); row++) {
        tnd_view_columns(view, row, 0, tnd_trace_end_ns(trace), G_N_ELEMENTS(values), TND_MODE_TIME, values);
        tnd_view_columns(view, row, 100, 200, G_N_ELEMENTS(values), TND_MODE_MAXIMUM, values);
        tnd_view_line(view, row, 0, tnd_trace_end_ns(trace), G_N_ELEMENTS(points), points);
        tnd_view_line(view, row, 100, 200, G_N_ELEMENTS(points), points);
    }
    tnd_histogram_free(tnd_histogram_new(view, TND_STATISTIC_TIME, 0, 0, NULL));
    tnd_view_free(view);
}

static void look_at_all(TndTrace *trace)
{
    static const char *const views[] = {"state", "mpi-calls", "useful-duration", "counter:42000050"};
    for (guint row = 0; row < tnd_trace_n_threads(trace); row++) {
        TndWalk states = tnd_walk_states(trace, row, G_MAXUINT64), events = tnd_walk_events(trace, row, G_MAXUINT64);
        while (tnd_walk_next_state(&states) || tnd_walk_next_event(&events)) {
        }
        tnd_walk_end(&states);
        tnd_walk_end(&events);
    }
    TndWalk messages = tnd_walk_messages(trace, 0, G_MAXUINT64);
    for (const TndMessage *message; (message = tnd_walk_next_message(&messages));)
        if (message->sender >= tnd_trace_n_threads(trace) || message->receiver >= tnd_trace_n_threads(trace))
            abort();
    tnd_walk_end(&messages);
    for (guint i = 0; i < G_N_ELEMENTS(views); i++)
        look(trace, views[i]);
}

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size)
{
    if (!directory)
        set_up();
    if (size < sizeof(Head))
        return 0;
    guint8 *bytes = g_memdup2(data, size);
    gboolean is_good = seal(bytes, size);
    FILE *file = is_good ? fopen(index_path, "wb") : NULL;
    if (is_good && (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0))
        abort();
    g_free(bytes);
    if (!is_good)
        return 0;
    TndTrace *trace = tnd_trace_open(trace_path, NULL, NULL, NULL);
    if (!trace || !trace->index)
        abort();
    look_at_all(trace);
    tnd_trace_free(trace);
    return 0;
}
