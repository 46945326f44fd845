/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Opens a trace.  One thread reads the file and hands out pieces of some MB, which are whole lines.  All cores make
 * blocks of pieces, and the blocks are added in the order of the file.  If the trace has an index, only its header is
 * read.
 */
#include "analysis/trace/prv_file.h"
#include "analysis/trace/trace_build.h"
#include "formats/prv_read.h"
#include "formats/regular_file.h"

#include <gio/gio.h>
#include <stdio.h>
#include <string.h>

/* How much text a piece has: more if there are many rows, so that blocks do not get short. */
#define PIECE_BYTES ((gsize)4 << 20)
#define PIECE_BYTES_A_ROW ((gsize)32 << 10)
#define MOST_PIECE_BYTES ((gsize)64 << 20)

/* A piece: filled by the reading thread, made into blocks by another one, added by the reading one. */
typedef struct {
    char *text;
    gsize n_bytes, room;
    const struct tnd_prv_parser *parser;
    TndTracePiece *piece;
    const TndPieceResult *result;
    guint64 n_lines;
    gboolean is_done;
} Work;

typedef struct {
    TndTraceBuild *build;
    TndPrvFile *file;
    TndTraceProgress progress;
    gpointer user_data;
    gboolean cancelled, has_index, is_anew; /* is_anew: by the text, whatever index there is */
    char *fatal;                            /* the reader's message when it refused the trace; NULL: it did not */
    gsize piece_bytes;
    Work *works; /* a ring: [n_taken, n_begun) are being made into blocks, works[n_begun] is being filled */
    guint n_works, n_begun, n_taken;
    guint64 first_line, n_lines; /* the number of the first line after the header; lines taken so far */
    GThreadPool *pool;           /* NULL: there is one core */
    GMutex mutex;
    GCond done;
} Opening;

static void work_on(gpointer data, gpointer user_data)
{
    Work *work = data;
    Opening *opening = user_data;
    work->piece = tnd_trace_piece_new(tnd_trace_build_trace(opening->build));
    work->n_lines = tnd_prv_read_lines(work->parser, work->text, work->n_bytes, &tnd_trace_piece_visitor, work->piece);
    const TndPieceResult *result = tnd_trace_piece_finish(work->piece);
    g_mutex_lock(&opening->mutex);
    work->result = result;
    work->is_done = TRUE;
    g_cond_signal(&opening->done);
    g_mutex_unlock(&opening->mutex);
}

static void take_oldest(Opening *opening)
{
    Work *work = &opening->works[opening->n_taken++ % opening->n_works];
    g_mutex_lock(&opening->mutex);
    while (!work->is_done)
        g_cond_wait(&opening->done, &opening->mutex);
    g_mutex_unlock(&opening->mutex);
    tnd_trace_build_take(opening->build, work->result, opening->first_line + opening->n_lines);
    opening->n_lines += work->n_lines;
    tnd_trace_piece_free(work->piece);
    work->is_done = FALSE;
    work->n_bytes = 0;
}

/* Hands out the piece that is being filled. */
static void hand_out(Opening *opening)
{
    Work *work = &opening->works[opening->n_begun++ % opening->n_works];
    if (opening->pool)
        g_thread_pool_push(opening->pool, work, NULL);
    else
        work_on(work, opening);
    if (opening->n_begun - opening->n_taken == opening->n_works)
        take_oldest(opening);
}

static void take_all(Opening *opening)
{
    if (opening->works && opening->works[opening->n_begun % opening->n_works].n_bytes)
        hand_out(opening);
    while (opening->n_taken < opening->n_begun)
        take_oldest(opening);
}

static void start_works(Opening *opening, const struct tnd_prv_parser *parser)
{
    guint n_rows = tnd_trace_n_threads(tnd_trace_build_trace(opening->build)), n_cores = g_get_num_processors();
    opening->piece_bytes = CLAMP(n_rows * PIECE_BYTES_A_ROW, PIECE_BYTES, MOST_PIECE_BYTES);
    opening->n_works = n_cores > 1 ? 2 * n_cores : 1;
    opening->works = g_new0(Work, opening->n_works);
    if (n_cores > 1)
        opening->pool = g_thread_pool_new(work_on, opening, (gint)n_cores, FALSE, NULL);
    opening->first_line = tnd_prv_read_n_lines(parser);
}

static bool gather_lines(void *self, const struct tnd_prv_parser *parser, const char *text, size_t size)
{
    Opening *opening = self;
    if (!text) {
        take_all(opening);
        return true;
    }
    if (!opening->works)
        start_works(opening, parser);
    Work *work = &opening->works[opening->n_begun % opening->n_works];
    if (work->n_bytes && work->n_bytes + size > opening->piece_bytes) {
        hand_out(opening);
        work = &opening->works[opening->n_begun % opening->n_works];
    }
    if (work->n_bytes + size > work->room) {
        work->room = MAX(work->n_bytes + size, 2 * work->room);
        work->text = g_realloc(work->text, work->room);
    }
    memcpy(work->text + work->n_bytes, text, size);
    work->n_bytes += size;
    work->parser = parser;
    return true;
}

static bool take_header(void *self, const struct tnd_prv_header *header)
{
    Opening *opening = self;
    if (!tnd_trace_build_visitor.header(opening->build, header))
        return false;
    opening->has_index = !opening->is_anew && tnd_trace_build_find_index(opening->build);
    return !opening->has_index;
}

static void note_fault(void *self, enum tnd_prv_severity severity, uint64_t line_number, const char *what)
{
    Opening *opening = self;
    if (severity == TND_PRV_FATAL && !opening->fatal)
        opening->fatal = line_number ? g_strdup_printf("line %" G_GUINT64_FORMAT ": %s", (guint64)line_number, what)
                                     : g_strdup(what);
}

static bool report_progress(void *self, uint64_t bytes_read)
{
    Opening *opening = self;
    if (opening->progress && !opening->progress(tnd_prv_file_fraction(opening->file), opening->user_data))
        opening->cancelled = TRUE;
    return !opening->cancelled;
}

static const struct tnd_prv_visitor opening_visitor = {
    .header = take_header,
    .fault = note_fault,
    .progress = report_progress,
    .lines = gather_lines,
};

static void set_refusal(const Opening *opening, const char *path, GError **error)
{
    const GError *read_error = tnd_prv_file_error(opening->file);
    const char *why = read_error ? read_error->message : tnd_trace_build_refusal(opening->build);
    if (opening->cancelled)
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "%s: cancelled", path);
    else if (!why && !opening->fatal)
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "%s: not a trace", path);
    else
        g_set_error(error, G_IO_ERROR, read_error ? G_IO_ERROR_FAILED : G_IO_ERROR_INVALID_DATA, "%s: %s", path,
                    why ? why : opening->fatal);
}

/* Opens a file that belongs to the trace; NULL: there is none. */
static FILE *open_companion(const char *path, const char *ending)
{
    char *companion = tnd_prv_file_companion(path, ending);
    FILE *file = tnd_regular_file_stream(companion);
    g_free(companion);
    return file;
}

static TndTrace *finish(TndTraceBuild *build, const char *path)
{
    FILE *pcf_file = open_companion(path, ".pcf"), *row_file = open_companion(path, ".row");
    struct tnd_pcf *pcf = pcf_file ? tnd_pcf_read(pcf_file, NULL, NULL) : NULL;
    struct tnd_row *row = row_file ? tnd_row_read(row_file, NULL, NULL) : NULL;
    if (pcf_file)
        fclose(pcf_file);
    if (row_file)
        fclose(row_file);
    return tnd_trace_build_finish(build, pcf, row);
}

/* Reads all records into the build.  FALSE: it failed, or was cancelled. */
static gboolean read_records(Opening *opening)
{
    gboolean is_read = tnd_prv_read(tnd_prv_file_read, opening->file, &opening_visitor, opening);
    if (opening->has_index)
        return TRUE;
    if (is_read && tnd_trace_build_n_records(opening->build) == 0)
        note_fault(opening, TND_PRV_FATAL, opening->first_line + opening->n_lines, "a trace without records");
    return is_read && !opening->fatal;
}

static void clear(Opening *opening)
{
    if (opening->pool)
        g_thread_pool_free(opening->pool, FALSE, TRUE);
    for (guint i = 0; i < opening->n_works; i++)
        g_free(opening->works[i].text);
    g_free(opening->works);
    tnd_trace_build_free(opening->build);
    tnd_prv_file_close(opening->file);
    g_free(opening->fatal);
    g_mutex_clear(&opening->mutex);
    g_cond_clear(&opening->done);
}

static TndTrace *open_with(Opening opening, const char *path, GError **error)
{
    opening.file = tnd_prv_file_open(path, error);
    if (!opening.file)
        return NULL;
    g_mutex_init(&opening.mutex);
    g_cond_init(&opening.done);
    opening.build = tnd_trace_build_new(path, tnd_prv_file_descriptor(opening.file));
    TndTrace *trace = NULL;
    if (read_records(&opening))
        trace = finish(g_steal_pointer(&opening.build), path);
    else
        set_refusal(&opening, path, error);
    if (!trace && !opening.build)
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_NO_SPACE,
                    "%s: its index does not fit into the memory that this process may have (ulimit -v)", path);
    if (trace && opening.progress)
        (void)opening.progress(1.0, opening.user_data);
    clear(&opening);
    return trace;
}

TndTrace *tnd_trace_open(const char *path, TndTraceProgress progress, gpointer user_data, GError **error)
{
    return open_with((Opening){.progress = progress, .user_data = user_data}, path, error);
}

TndTrace *tnd_trace_build_anew(const char *path)
{
    return open_with((Opening){.is_anew = TRUE}, path, NULL);
}
