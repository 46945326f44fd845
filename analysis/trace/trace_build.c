/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Entries of blocks are collected in the order of pieces, and sorted by rows at the end.
 */
#include "analysis/trace/trace_build.h"

#include "analysis/base/assertion.h"
#include "analysis/base/columns.h"
#include "analysis/trace/block_merge.h"
#include "analysis/trace/trace_index.h"
#include "analysis/trace/trace_store.h"
#include "formats/plain_text.h"

#include <string.h>

/* A header with more objects than this is taken for damaged. */
#define MAX_OBJECTS (1u << 24)

struct TndTraceBuild {
    TndTrace *trace;
    TndTraceStore *store;
    GArray *blocks[TND_BLOCK_N]; /* of TndRowBlock */
    GHashTable *types;
    TndTracePiece *piece; /* of the visitor */
    guint64 n_records;
    int fd; /* of the trace that gets an index; -1: it gets none */
    TndTraceIdentity identity;
    gboolean has_header;
    const char *refusal;
};

TndTraceBuild *tnd_trace_build_new(const char *path, int fd)
{
    TndTraceBuild *build = g_new0(TndTraceBuild, 1);
    build->fd = fd >= 0 && tnd_trace_index_identify(fd, &build->identity) ? fd : -1;
    build->trace = g_new0(TndTrace, 1);
    build->trace->kept = g_malloc0_n(TND_TRACE_N_KEPT, sizeof *build->trace->kept);
    build->trace->path = g_strdup(path);
    build->trace->shown = g_strdup(path);
    tnd_plain_text_make(build->trace->shown, "");
    char *base = g_path_get_basename(path);
    for (guint i = 0; i < 2; i++) {
        static const char *const endings[] = {".gz", ".prv"};
        if (g_str_has_suffix(base, endings[i]))
            base[strlen(base) - strlen(endings[i])] = '\0';
    }
    tnd_plain_text_make(base, "");
    build->trace->name = base;
    build->trace->comments = g_ptr_array_new_with_free_func(g_free);
    build->types = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    for (guint kind = 0; kind < TND_BLOCK_N; kind++)
        build->blocks[kind] = g_array_new(FALSE, FALSE, sizeof(TndRowBlock));
    return build;
}

void tnd_trace_build_free(TndTraceBuild *build)
{
    if (!build)
        return;
    for (guint kind = 0; kind < TND_BLOCK_N; kind++)
        g_array_unref(build->blocks[kind]);
    tnd_trace_piece_free(build->piece);
    g_hash_table_unref(build->types);
    tnd_trace_store_free(build->store);
    tnd_trace_free(build->trace);
    g_free(build);
}

TndTrace *tnd_trace_build_trace(TndTraceBuild *build)
{
    return build->trace;
}

const char *tnd_trace_build_refusal(const TndTraceBuild *build)
{
    return build->refusal;
}

guint64 tnd_trace_build_n_records(const TndTraceBuild *build)
{
    return build->n_records;
}

static gboolean refuse(TndTraceBuild *build, const char *why)
{
    build->refusal = why;
    return FALSE;
}

static void copy_header(struct tnd_prv_header *to, const struct tnd_prv_header *from)
{
    *to = *from;
    to->n_cpus = g_memdup2(from->n_cpus, from->n_nodes * sizeof *from->n_cpus);
    to->applications = g_new0(struct tnd_prv_application, from->n_applications);
    for (guint a = 0; a < from->n_applications; a++) {
        const struct tnd_prv_application *application = &from->applications[a];
        to->applications[a].n_tasks = application->n_tasks;
        to->applications[a].tasks = g_memdup2(application->tasks, application->n_tasks * sizeof *application->tasks);
    }
}

static void number_cpus(TndTrace *trace)
{
    trace->first_cpu = g_new0(guint, (gsize)trace->header.n_nodes + 1);
    for (guint node = 0; node < trace->header.n_nodes; node++)
        trace->first_cpu[node + 1] = trace->first_cpu[node] + trace->header.n_cpus[node];
}

/* Numbers the rows: threads in the order of applications, tasks, threads. */
static gboolean number_rows(TndTraceBuild *build)
{
    TndTrace *trace = build->trace;
    const struct tnd_prv_header *header = &trace->header;
    guint64 n_tasks = 0, n_threads = 0;
    for (guint a = 0; a < header->n_applications; a++) {
        n_tasks += header->applications[a].n_tasks;
        for (guint t = 0; t < header->applications[a].n_tasks && n_tasks <= MAX_OBJECTS; t++)
            n_threads += header->applications[a].tasks[t].n_threads;
    }
    if (n_tasks > MAX_OBJECTS || n_threads > MAX_OBJECTS)
        return refuse(build, "its header has more threads than any machine");
    trace->n_threads = (guint)n_threads;
    trace->threads = g_new0(TndThread, n_threads + 1);
    trace->first_row = g_new0(guint, n_tasks + 1);
    trace->first_task = g_new0(guint, header->n_applications + 1);
    guint row = 0, task = 0;
    for (guint a = 0; a < header->n_applications; a++) {
        trace->first_task[a] = task;
        for (guint t = 0; t < header->applications[a].n_tasks; t++) {
            trace->first_row[task++] = row;
            for (guint h = 0; h < header->applications[a].tasks[t].n_threads; h++, row++)
                trace->threads[row] = (TndThread){.application = a + 1,
                                                  .task = t + 1,
                                                  .thread = h + 1,
                                                  .node = header->applications[a].tasks[t].node};
        }
    }
    trace->first_task[header->n_applications] = task;
    trace->first_row[task] = row;
    return TRUE;
}

static bool visit_header(void *self, const struct tnd_prv_header *header)
{
    TndTraceBuild *build = self;
    if (build->has_header)
        return refuse(build, "it has two headers");
    copy_header(&build->trace->header, header);
    build->has_header = TRUE;
    number_cpus(build->trace);
    if (!number_rows(build))
        return false;
    build->piece = tnd_trace_piece_new(build->trace);
    build->trace->end_ns = tnd_trace_piece_to_ns(build->piece, header->end_time);
    static const char *const nowhere[] = {NULL};
    char **paths = build->fd >= 0 ? tnd_trace_index_paths(build->trace->path) : NULL;
    build->store = tnd_trace_store_new(paths ? (const char *const *)paths : nowhere, tnd_trace_index_head_bytes());
    g_strfreev(paths);
    return true;
}

/* Functions of the visitor, which pass a record on to the piece of the build. */
#define PASS_ON(name, type)                                                                                            \
    static bool pass_##name(void *self, const type *record)                                                            \
    {                                                                                                                  \
        return tnd_trace_piece_visitor.name(((TndTraceBuild *)self)->piece, record);                                   \
    }
PASS_ON(state, struct tnd_prv_state)
PASS_ON(event, struct tnd_prv_event)
PASS_ON(message, struct tnd_prv_message)

static bool pass_comment(void *self, const char *line, size_t length)
{
    return tnd_trace_piece_visitor.comment(((TndTraceBuild *)self)->piece, line, length);
}

const struct tnd_prv_visitor tnd_trace_build_visitor = {
    .header = visit_header,
    .state = pass_state,
    .event = pass_event,
    .message = pass_message,
    .comment = pass_comment,
};

gboolean tnd_trace_build_find_index(TndTraceBuild *build)
{
    return build->fd >= 0 && tnd_trace_index_open(build->trace, build->fd, &build->identity);
}

static void take_types(TndTraceBuild *build, GHashTable *types)
{
    GHashTableIter iter;
    gpointer type;
    g_hash_table_iter_init(&iter, types);
    while (g_hash_table_iter_next(&iter, NULL, &type))
        tnd_trace_piece_count(build->types, ((const TndTraceType *)type)->type, ((const TndTraceType *)type)->n_events);
}

/* Adds the bytes of blocks and the slack behind them to the store.  Returns their offset. */
static guint64 add_bytes(TndTraceBuild *build, const GByteArray *bytes)
{
    static const guint8 slack[TND_COLUMNS_SLACK];
    guint64 offset = tnd_trace_store_add(build->store, bytes->data, bytes->len);
    tnd_trace_store_add(build->store, slack, sizeof slack);
    return offset;
}

/* Adds the offset of their bytes to the entries from `first` on. */
static void place(TndTraceBuild *build, TndBlockKind kind, guint first, guint64 offset)
{
    for (guint i = first; i < build->blocks[kind]->len; i++)
        g_array_index(build->blocks[kind], TndRowBlock, i).block.offset += offset;
}

void tnd_trace_build_take(TndTraceBuild *build, const TndPieceResult *piece, guint64 n_lines_before)
{
    TndTrace *trace = build->trace;
    guint64 offset = add_bytes(build, piece->bytes);
    for (guint kind = 0; kind < TND_BLOCK_N; kind++) {
        guint first = build->blocks[kind]->len;
        g_array_append_vals(build->blocks[kind], piece->blocks[kind]->data, piece->blocks[kind]->len);
        place(build, kind, first, offset);
    }
    take_types(build, piece->types);
    for (guint i = 0; i < piece->comments->len && trace->comments->len < TND_TRACE_PIECE_COMMENTS; i++)
        g_ptr_array_add(trace->comments, g_strdup(piece->comments->pdata[i]));
    trace->end_ns = MAX(trace->end_ns, piece->end_ns);
    build->n_records += piece->n_records;
    if (piece->n_faults && trace->n_faults == 0)
        trace->fault = g_strdup_printf("line %" G_GUINT64_FORMAT ": %s", n_lines_before + piece->first_fault_line,
                                       piece->first_fault);
    trace->n_faults += piece->n_faults;
}

/* Sorts the entries by rows, stably; blocks without records are left out. */
static void group(TndTraceBuild *build, TndBlockKind kind)
{
    const TndRowBlock *all = (const TndRowBlock *)(const void *)build->blocks[kind]->data;
    guint n_rows = kind == TND_BLOCK_MESSAGES ? 1 : build->trace->n_threads, n = build->blocks[kind]->len;
    guint64 *first = g_new0(guint64, n_rows + 2); /* first[row + 1]: where the next entry of the row goes */
    TndBlock *blocks = g_new(TndBlock, n + 1);
    for (guint i = 0; i < n; i++)
        first[all[i].row + 2] += all[i].block.n_records > 0;
    for (guint row = 0; row < n_rows; row++)
        first[row + 2] += first[row + 1];
    for (guint i = 0; i < n; i++)
        if (all[i].block.n_records > 0)
            blocks[first[all[i].row + 1]++] = all[i].block;
    g_free((gpointer)build->trace->blocks[kind].blocks);
    g_free((gpointer)build->trace->blocks[kind].first);
    build->trace->blocks[kind] = (TndTraceBlocks){blocks, first};
}

/* Whether a row's blocks are in the order of time, and no state is open. */
static gboolean is_in_order(const TndTraceBlocks *blocks, TndBlockKind kind, guint row)
{
    for (guint64 i = blocks->first[row]; i < blocks->first[row + 1]; i++) {
        const TndBlock *block = &blocks->blocks[i];
        if ((i > blocks->first[row] && block->first_ns < block[-1].last_ns) ||
            (kind == TND_BLOCK_STATES && block->end_ns == G_MAXUINT64))
            return FALSE;
    }
    return TRUE;
}

/* How many records the blocks of a kind have. */
static guint64 count_records(const TndTraceBuild *build, TndBlockKind kind)
{
    guint64 n = 0;
    for (guint i = 0; i < build->blocks[kind]->len; i++)
        n += g_array_index(build->blocks[kind], TndRowBlock, i).block.n_records;
    return n;
}

/* For assertions: whether the blocks of a kind are sorted by rows and times, have n_records, and their bytes are in the
 * store. */
static gboolean is_whole(const TndTraceBuild *build, TndBlockKind kind, guint64 n_records)
{
    const TndTraceBlocks *blocks = &build->trace->blocks[kind];
    guint n_rows = kind == TND_BLOCK_MESSAGES ? 1 : build->trace->n_threads;
    guint64 n_bytes = tnd_trace_store_size(build->store), n = 0;
    for (guint row = 0; row < n_rows; row++)
        if (blocks->first[row] > blocks->first[row + 1] || !is_in_order(blocks, kind, row))
            return FALSE;
    for (guint64 i = 0; i < blocks->first[n_rows]; i++) {
        const TndBlock *block = &blocks->blocks[i];
        if (block->offset > n_bytes || block->n_bytes + TND_COLUMNS_SLACK > n_bytes - block->offset)
            return FALSE;
        n += block->n_records;
    }
    return blocks->first[0] == 0 && n == n_records;
}

/* A row that is written a second time, a block at a time. */
typedef struct {
    TndTraceBuild *build;
    TndBlockKind kind;
    guint row;
    guint8 *records;
    gsize n;
    GByteArray *bytes;
} Anew;

static void write_block(Anew *anew)
{
    guint first = anew->build->blocks[anew->kind]->len;
    g_byte_array_set_size(anew->bytes, 0);
    tnd_trace_piece_write(anew->kind, anew->row, anew->records, anew->n, anew->bytes, anew->build->blocks[anew->kind]);
    place(anew->build, anew->kind, first, add_bytes(anew->build, anew->bytes));
    anew->n = 0;
}

/* Ends the last state, if it is open: it lasts until the next one begins, or the trace ends. */
static void close_last(Anew *anew, guint64 end_ns)
{
    TndState *last = (TndState *)(void *)anew->records + anew->n - 1;
    if (anew->kind == TND_BLOCK_STATES && anew->n > 0 && last->end_ns == G_MAXUINT64)
        last->end_ns = end_ns;
}

static void take_record(gpointer self, gconstpointer record)
{
    Anew *anew = self;
    gsize size = tnd_blocks_record_bytes[anew->kind];
    if (anew->kind == TND_BLOCK_STATES)
        close_last(anew, ((const TndState *)record)->begin_ns);
    if (anew->n == TND_BLOCKS_RECORDS)
        write_block(anew);
    memcpy(anew->records + anew->n++ * size, record, size);
}

static void write_anew(TndTraceBuild *build, TndBlockKind kind, guint row)
{
    const TndTraceBlocks *blocks = &build->trace->blocks[kind];
    Anew anew = {
        build, kind, row, g_malloc_n(TND_BLOCKS_RECORDS, tnd_blocks_record_bytes[kind]), 0, g_byte_array_new()};
    tnd_block_merge(kind, blocks->blocks + blocks->first[row], blocks->first[row + 1] - blocks->first[row],
                    build->store, take_record, &anew);
    close_last(&anew, build->trace->end_ns);
    write_block(&anew);
    g_byte_array_unref(anew.bytes);
    g_free(anew.records);
}

/* Writes the rows that are not in the order of time a second time, behind all others. */
static void order(TndTraceBuild *build, TndBlockKind kind)
{
    guint n_rows = kind == TND_BLOCK_MESSAGES ? 1 : build->trace->n_threads, n_blocks = build->blocks[kind]->len;
    gboolean *is_anew = g_new0(gboolean, n_rows + 1), any = FALSE;
    const guint64 n_records = count_records(build, kind);
    group(build, kind);
    for (guint row = 0; row < n_rows; row++) {
        is_anew[row] = !is_in_order(&build->trace->blocks[kind], kind, row);
        any |= is_anew[row];
        if (is_anew[row])
            write_anew(build, kind, row);
    }
    for (guint i = 0; any && i < n_blocks; i++) {
        TndRowBlock *old = &g_array_index(build->blocks[kind], TndRowBlock, i);
        if (is_anew[old->row])
            old->block.n_records = 0;
    }
    if (any)
        group(build, kind);
    tnd_assert(is_whole(build, kind, n_records));
    g_free(is_anew);
}

static int compare_types(gconstpointer a, gconstpointer b)
{
    guint32 x = ((const TndTraceType *)a)->type, y = ((const TndTraceType *)b)->type;
    return (x > y) - (x < y);
}

static void list_types(TndTraceBuild *build)
{
    TndTrace *trace = build->trace;
    trace->types = g_new(TndTraceType, g_hash_table_size(build->types) + 1);
    GHashTableIter iter;
    gpointer total;
    g_hash_table_iter_init(&iter, build->types);
    while (g_hash_table_iter_next(&iter, NULL, &total))
        trace->types[trace->n_types++] = *(TndTraceType *)total;
    qsort(trace->types, trace->n_types, sizeof *trace->types, compare_types);
}

static guint64 count_events(const TndTrace *trace)
{
    guint64 n = 0;
    for (guint i = 0; i < trace->n_types; i++)
        n += trace->types[i].n_events;
    return n;
}

/* Sets what the entries of its blocks say about a thread. */
static void describe_thread(TndTrace *trace, guint row)
{
    TndThread *thread = &trace->threads[row];
    const TndTraceBlocks *states = &trace->blocks[TND_BLOCK_STATES], *events = &trace->blocks[TND_BLOCK_EVENTS];
    for (guint64 i = events->first[row]; i < events->first[row + 1]; i++)
        thread->n_events += events->blocks[i].n_records;
    for (guint64 i = states->first[row]; i < states->first[row + 1]; i++) {
        thread->n_states += states->blocks[i].n_records;
        thread->end_ns = MAX(thread->end_ns, states->blocks[i].end_ns);
    }
    if (thread->n_states)
        thread->begin_ns = states->blocks[states->first[row]].first_ns;
}

/* Makes the trace of the pieces' blocks, types and texts, and writes an index if it is large. */
static void join_pieces(TndTraceBuild *build)
{
    TndTrace *trace = build->trace;
    for (guint kind = 0; kind < TND_BLOCK_N; kind++)
        order(build, kind);
    for (guint64 i = 0; i < trace->blocks[TND_BLOCK_MESSAGES].first[1]; i++)
        trace->n_messages += trace->blocks[TND_BLOCK_MESSAGES].blocks[i].n_records;
    list_types(build);
    tnd_assert(count_events(trace) == count_records(build, TND_BLOCK_EVENTS));
    if (tnd_trace_store_has_file(build->store))
        tnd_trace_index_write(trace, build->store, build->fd, &build->identity);
    trace->bytes = tnd_trace_store_bytes(build->store);
    trace->store = g_steal_pointer(&build->store);
}

/* Names in a .row may be any bytes; names in a trace are UTF-8. */
static void name_threads(TndTrace *trace)
{
    char made[64];
    trace->names = g_string_chunk_new(4096);
    for (guint i = 0; i < trace->n_threads; i++) {
        TndThread *thread = &trace->threads[i];
        const char *name = tnd_row_name(trace->row, TND_ROW_THREAD, i);
        char *valid = name ? g_utf8_make_valid(name, -1) : NULL;
        if (!valid)
            g_snprintf(made, sizeof made, "THREAD %u.%u.%u", thread->application, thread->task, thread->thread);
        thread->name = g_string_chunk_insert(trace->names, valid ? valid : made);
        g_free(valid);
    }
}

TndTrace *tnd_trace_build_finish(TndTraceBuild *build, struct tnd_pcf *pcf, struct tnd_row *row)
{
    TndTrace *trace = build->trace;
    trace->pcf = pcf ? pcf : tnd_pcf_new();
    trace->row = row;
    if (build->piece && !trace->index) {
        tnd_trace_build_take(build, tnd_trace_piece_finish(build->piece), 0);
        join_pieces(build);
    }
    if (!build->piece || !(trace->index || trace->bytes)) {
        tnd_trace_build_free(build);
        return NULL;
    }
    for (guint i = 0; i < trace->n_threads; i++)
        describe_thread(trace, i);
    name_threads(trace);
    g_ptr_array_add(trace->comments, NULL);
    build->trace = NULL;
    tnd_trace_build_free(build);
    return trace;
}
