/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Records are collected in the order of the file, each with its row; a counting sort puts them in the order of rows.
 */
#include "analysis/trace/trace_piece.h"

#include "analysis/base/assertion.h"
#include "analysis/trace/trace_build.h"
#include "formats/plain_text.h"

#include <string.h>

/* Records of a kind, with their rows. */
typedef struct {
    guint32 *rows;
    guint8 *records;
    gsize n, room;
} Gathered;

/* A cache of the event types that were counted last, in front of the hash table. */
#define N_RECENT 256

struct TndTracePiece {
    const TndTrace *trace;
    guint64 unit_ns;
    Gathered gathered[TND_BLOCK_N];
    TndTraceType recent[N_RECENT];
    TndPieceResult result;
};

void tnd_trace_piece_count(GHashTable *types, guint32 type, guint64 n_events)
{
    TndTraceType *total = g_hash_table_lookup(types, GUINT_TO_POINTER(type));
    if (!total) {
        total = g_new0(TndTraceType, 1);
        total->type = type;
        g_hash_table_insert(types, GUINT_TO_POINTER(type), total);
    }
    total->n_events += n_events;
}

TndTracePiece *tnd_trace_piece_new(const TndTrace *trace)
{
    TndTracePiece *piece = g_new0(TndTracePiece, 1);
    piece->trace = trace;
    piece->unit_ns = trace->header.unit_ns ? trace->header.unit_ns : 1;
    piece->result.types = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    piece->result.comments = g_ptr_array_new_with_free_func(g_free);
    return piece;
}

void tnd_trace_piece_free(TndTracePiece *piece)
{
    if (!piece)
        return;
    for (guint kind = 0; kind < TND_BLOCK_N; kind++) {
        g_free(piece->gathered[kind].rows);
        g_free(piece->gathered[kind].records);
        if (piece->result.blocks[kind])
            g_array_unref(piece->result.blocks[kind]);
    }
    if (piece->result.bytes)
        g_byte_array_unref(piece->result.bytes);
    g_hash_table_unref(piece->result.types);
    g_ptr_array_unref(piece->result.comments);
    g_free(piece->result.first_fault);
    g_free(piece);
}

guint64 tnd_trace_piece_to_ns(const TndTracePiece *piece, guint64 time)
{
    guint64 time_ns;
    return __builtin_mul_overflow(time, piece->unit_ns, &time_ns) ? G_MAXUINT64 - 1 : time_ns;
}

static inline guint row_of(const TndTracePiece *piece, const struct tnd_prv_place *at)
{
    return tnd_trace_row(piece->trace, at->application, at->task, at->thread);
}

/* Adds a record of a kind to a row.  Returns where it goes. */
static inline gpointer gather(TndTracePiece *piece, TndBlockKind kind, guint row)
{
    Gathered *gathered = &piece->gathered[kind];
    gsize size = tnd_blocks_record_bytes[kind];
    if (gathered->n == gathered->room) {
        gathered->room = gathered->room ? 2 * gathered->room : 64;
        gathered->rows = g_realloc_n(gathered->rows, gathered->room, sizeof *gathered->rows);
        gathered->records = g_realloc_n(gathered->records, gathered->room, size);
    }
    gathered->rows[gathered->n] = row;
    return gathered->records + gathered->n++ * size;
}

static void note_fault(TndTracePiece *piece, guint64 line, const char *what)
{
    if (piece->result.n_faults++ > 0)
        return;
    piece->result.first_fault_line = line;
    piece->result.first_fault = g_strdup(what);
}

static void note_moment(TndTracePiece *piece, guint64 time_ns)
{
    piece->result.end_ns = MAX(piece->result.end_ns, time_ns);
}

static bool visit_state(void *self, const struct tnd_prv_state *state)
{
    TndTracePiece *piece = self;
    guint row = row_of(piece, &state->at);
    piece->result.n_records++;
    if (row == G_MAXUINT) {
        note_fault(piece, 0, "a state of a thread that the header does not have");
        return true;
    }
    guint64 begin_ns = tnd_trace_piece_to_ns(piece, state->begin);
    gboolean is_open = state->end == G_MAXUINT64;
    guint64 end_ns = is_open ? G_MAXUINT64 : MAX(begin_ns, tnd_trace_piece_to_ns(piece, state->end));
    *(TndState *)gather(piece, TND_BLOCK_STATES, row) = (TndState){begin_ns, end_ns, state->state, state->at.cpu};
    note_moment(piece, is_open ? begin_ns : end_ns);
    return true;
}

static bool visit_event(void *self, const struct tnd_prv_event *event)
{
    TndTracePiece *piece = self;
    guint row = row_of(piece, &event->at);
    piece->result.n_records++;
    if (row == G_MAXUINT) {
        note_fault(piece, 0, "an event of a thread that the header does not have");
        return true;
    }
    guint64 time_ns = tnd_trace_piece_to_ns(piece, event->time);
    for (size_t i = 0; i < event->n_pairs; i++) {
        const struct tnd_prv_pair *pair = &event->pairs[i];
        *(TndEvent *)gather(piece, TND_BLOCK_EVENTS, row) =
            (TndEvent){.time_ns = time_ns, .type = pair->type, .cpu = event->at.cpu, .value = pair->value};
        TndTraceType *recent = &piece->recent[pair->type % N_RECENT];
        if (recent->type != pair->type) {
            if (recent->n_events)
                tnd_trace_piece_count(piece->result.types, recent->type, recent->n_events);
            *recent = (TndTraceType){.type = pair->type};
        }
        recent->n_events++;
    }
    note_moment(piece, time_ns);
    return true;
}

static bool visit_message(void *self, const struct tnd_prv_message *message)
{
    TndTracePiece *piece = self;
    guint sender = row_of(piece, &message->sender), receiver = row_of(piece, &message->receiver);
    piece->result.n_records++;
    if (sender == G_MAXUINT || receiver == G_MAXUINT) {
        note_fault(piece, 0, "a message of a thread that the header does not have");
        return true;
    }
    TndMessage *new = gather(piece, TND_BLOCK_MESSAGES, 0);
    *new = (TndMessage){.sender = sender,
                        .receiver = receiver,
                        .sender_cpu = message->sender.cpu,
                        .receiver_cpu = message->receiver.cpu,
                        .logical_send_ns = tnd_trace_piece_to_ns(piece, message->logical_send),
                        .physical_send_ns = tnd_trace_piece_to_ns(piece, message->physical_send),
                        .logical_receive_ns = tnd_trace_piece_to_ns(piece, message->logical_receive),
                        .physical_receive_ns = tnd_trace_piece_to_ns(piece, message->physical_receive),
                        .size_bytes = message->size_bytes,
                        .tag = message->tag};
    note_moment(piece, MAX(new->logical_send_ns, new->physical_send_ns));
    note_moment(piece, MAX(new->logical_receive_ns, new->physical_receive_ns));
    return true;
}

static bool visit_comment(void *self, const char *line, size_t length)
{
    TndTracePiece *piece = self;
    if (piece->result.comments->len >= TND_TRACE_PIECE_COMMENTS)
        return true;
    gsize skip = length && line[0] == '#';
    char *text = g_utf8_make_valid(line + skip, (gssize)(length - skip));
    tnd_plain_text_make(text, "\t");
    g_ptr_array_add(piece->result.comments, g_strchomp(text));
    return true;
}

static void visit_fault(void *self, enum tnd_prv_severity severity, uint64_t line_number, const char *what)
{
    if (severity != TND_PRV_NOTE)
        note_fault(self, line_number, what);
}

const struct tnd_prv_visitor tnd_trace_piece_visitor = {
    .state = visit_state,
    .event = visit_event,
    .message = visit_message,
    .comment = visit_comment,
    .fault = visit_fault,
};

static int compare_times(gconstpointer a, gconstpointer b, gpointer unused)
{
    guint64 x = tnd_blocks_time(a), y = tnd_blocks_time(b);
    return (x > y) - (x < y);
}

/* Sorts records by time; those of one time keep their order. */
static void sort(TndBlockKind kind, gpointer records, gsize n)
{
    gsize size = tnd_blocks_record_bytes[kind];
    const guint8 *all = records;
    gboolean is_sorted = TRUE;
    for (gsize i = 1; i < n && is_sorted; i++)
        is_sorted = tnd_blocks_time(all + (i - 1) * size) <= tnd_blocks_time(all + i * size);
    if (!is_sorted && n <= G_MAXINT)
        g_qsort_with_data(records, (gint)n, size, compare_times, NULL); /* a stable sort */
}

void tnd_trace_piece_write(TndBlockKind kind, guint row, gconstpointer records, gsize n, GByteArray *bytes,
                           GArray *blocks)
{
    const guint8 *all = records;
    for (gsize i = 0; i < n; i += TND_BLOCKS_RECORDS) {
        TndRowBlock made = {row, tnd_blocks_write(kind, bytes, all + i * tnd_blocks_record_bytes[kind],
                                                  MIN(n - i, TND_BLOCKS_RECORDS))};
        g_array_append_val(blocks, made);
    }
}

/* Copies a record.  The size is a constant in each case, which is faster. */
static inline void copy_record(TndBlockKind kind, guint8 *to, const guint8 *from)
{
    if (kind == TND_BLOCK_STATES)
        memcpy(to, from, sizeof(TndState));
    else if (kind == TND_BLOCK_EVENTS)
        memcpy(to, from, sizeof(TndEvent));
    else
        memcpy(to, from, sizeof(TndMessage));
}

static guint64 count_records(const GArray *blocks)
{
    guint64 n = 0;
    for (guint i = 0; i < blocks->len; i++)
        n += g_array_index(blocks, TndRowBlock, i).block.n_records;
    return n;
}

/* Writes the collected records as blocks, by rows. */
static void write_gathered(TndTracePiece *piece, TndBlockKind kind, guint n_rows)
{
    Gathered *gathered = &piece->gathered[kind];
    gsize size = tnd_blocks_record_bytes[kind];
    gsize *ends = g_new0(gsize, n_rows + 1);
    guint8 *by_rows = g_malloc_n(gathered->n + 1, size);
    for (gsize i = 0; i < gathered->n; i++)
        ends[gathered->rows[i] + 1]++;
    for (guint row = 0; row < n_rows; row++)
        ends[row + 1] += ends[row]; /* where the row begins; after the loop below, where it ends */
    for (gsize i = 0; i < gathered->n; i++)
        copy_record(kind, by_rows + ends[gathered->rows[i]]++ * size, gathered->records + i * size);
    for (guint row = 0; row < n_rows; row++) {
        gsize first = row ? ends[row - 1] : 0;
        sort(kind, by_rows + first * size, ends[row] - first);
        tnd_trace_piece_write(kind, row, by_rows + first * size, ends[row] - first, piece->result.bytes,
                              piece->result.blocks[kind]);
    }
    tnd_assert(count_records(piece->result.blocks[kind]) == gathered->n);
    g_free(by_rows);
    g_free(ends);
}

const TndPieceResult *tnd_trace_piece_finish(TndTracePiece *piece)
{
    TndPieceResult *result = &piece->result;
    result->bytes = g_byte_array_new();
    for (guint kind = 0; kind < TND_BLOCK_N; kind++) {
        result->blocks[kind] = g_array_new(FALSE, FALSE, sizeof(TndRowBlock));
        write_gathered(piece, kind, kind == TND_BLOCK_MESSAGES ? 1 : piece->trace->n_threads);
    }
    for (guint i = 0; i < N_RECENT; i++)
        if (piece->recent[i].n_events)
            tnd_trace_piece_count(result->types, piece->recent[i].type, piece->recent[i].n_events);
    return result;
}
