/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Blocks are read, changed and written again, a row at a time, on all cores.
 */
#include "analysis/trace/trace_join.h"

#include "analysis/trace/row_labels.h"
#include "analysis/trace/trace_build.h"
#include "analysis/trace/walk.h"

#include <gio/gio.h>

enum { N_PARTS = 2 };

/* How the numbers of a part change. */
typedef struct {
    const TndTrace *trace;
    guint64 delay_ns;
    guint32 first_row, first_cpu, first_node;
    GHashTable *values; /* event type to a GHashTable of gint64 to gint64: values that become others; of all others the
                         * type is missing */
} Part;

typedef struct {
    Part parts[N_PARTS];
    TndTraceBuild *build;
    TndTraceProgress progress;
    gpointer user_data;
    guint n_done, n_works;
    gboolean cancelled;
    GMutex mutex; /* of build, n_done and cancelled */
} Joining;

/* What one thread does at once: all records of a row or, if row is the number of rows, all messages. */
typedef struct {
    const Part *part;
    guint row;
} Work;

/* Labels. */

static void add_labels(struct tnd_pcf *pcf, const struct tnd_pcf_type *type)
{
    tnd_pcf_set_type(pcf, type->type, type->label);
    tnd_pcf_set_precision(pcf, type->type, type->precision);
    for (size_t i = 0; i < type->n_values; i++)
        tnd_pcf_set_value(pcf, type->type, type->values[i].value, type->values[i].label);
}

static void add_change(Part *part, guint32 type, gint64 from, gint64 to)
{
    GHashTable *changes = g_hash_table_lookup(part->values, GUINT_TO_POINTER(type));
    if (!changes) {
        changes = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
        g_hash_table_insert(part->values, GUINT_TO_POINTER(type), changes);
    }
    g_hash_table_insert(changes, g_memdup2(&from, sizeof from), g_memdup2(&to, sizeof to));
}

/* Adds the labels of a type that the first trace has as well.  Values of the second one that have other labels there
 * become those with the same label, or new ones. */
static void unite_labels(struct tnd_pcf *pcf, Part *part, const struct tnd_pcf *first,
                         const struct tnd_pcf_type *theirs)
{
    const struct tnd_pcf_type *mine = tnd_pcf_type(first, theirs->type);
    GHashTable *of_label = g_hash_table_new(g_str_hash, g_str_equal); /* to its value in `mine` */
    gint64 last = theirs->n_values ? theirs->values[theirs->n_values - 1].value : 0;
    for (size_t i = mine->n_values; i-- > 0;)
        g_hash_table_insert(of_label, mine->values[i].label, &mine->values[i].value);
    if (mine->n_values)
        last = MAX(last, mine->values[mine->n_values - 1].value);
    for (size_t i = 0; i < theirs->n_values; i++) {
        const struct tnd_pcf_value *value = &theirs->values[i];
        const gint64 *same = g_hash_table_lookup(of_label, value->label);
        const char *label = tnd_pcf_value_label(first, theirs->type, value->value);
        if (value->value == 0 || (label && !g_strcmp0(label, value->label)))
            continue;
        const gint64 to = same ? *same : label ? ++last : value->value;
        if (to != value->value)
            add_change(part, theirs->type, value->value, to);
        if (!same)
            tnd_pcf_set_value(pcf, theirs->type, to, value->label);
    }
    g_hash_table_unref(of_label);
}

static struct tnd_pcf *join_labels(Joining *joining)
{
    const struct tnd_pcf *first = joining->parts[0].trace->pcf, *second = joining->parts[1].trace->pcf;
    struct tnd_pcf *pcf = tnd_pcf_new();
    for (size_t i = 0; i < first->n_types; i++)
        add_labels(pcf, &first->types[i]);
    for (size_t i = 0; i < second->n_types; i++) {
        if (tnd_pcf_type(first, second->types[i].type))
            unite_labels(pcf, &joining->parts[1], first, &second->types[i]);
        else
            add_labels(pcf, &second->types[i]);
    }
    for (size_t i = 0; i < second->n_states; i++)
        tnd_pcf_set_state(pcf, second->states[i].value, second->states[i].label);
    for (size_t i = 0; i < first->n_states; i++)
        tnd_pcf_set_state(pcf, first->states[i].value, first->states[i].label);
    for (size_t i = 0; i < first->n_colours; i++)
        if (first->colours[i].set)
            tnd_pcf_set_colour(pcf, (uint32_t)i, first->colours[i]);
    return pcf;
}

/* Records. */

static guint32 cpu_of(const Part *part, guint32 cpu)
{
    return cpu ? cpu + part->first_cpu : 0;
}

static void change_states(const Part *part, TndState *states, gsize n)
{
    for (gsize i = 0; i < n; i++) {
        states[i].begin_ns += part->delay_ns;
        states[i].end_ns += part->delay_ns;
        states[i].cpu = cpu_of(part, states[i].cpu);
    }
}

static void change_events(const Part *part, TndEvent *events, gsize n)
{
    GHashTable *changes = NULL;
    guint32 type = 0; /* that the changes are of */
    for (gsize i = 0; i < n; i++) {
        if (events[i].type != type) {
            type = events[i].type;
            changes = g_hash_table_lookup(part->values, GUINT_TO_POINTER(type));
        }
        const gint64 *to = changes ? g_hash_table_lookup(changes, &events[i].value) : NULL;
        events[i].value = to ? *to : events[i].value;
        events[i].time_ns += part->delay_ns;
        events[i].cpu = cpu_of(part, events[i].cpu);
    }
}

static void change_messages(const Part *part, TndMessage *messages, gsize n)
{
    for (gsize i = 0; i < n; i++) {
        messages[i].logical_send_ns += part->delay_ns;
        messages[i].physical_send_ns += part->delay_ns;
        messages[i].logical_receive_ns += part->delay_ns;
        messages[i].physical_receive_ns += part->delay_ns;
        messages[i].sender += part->first_row;
        messages[i].receiver += part->first_row;
        messages[i].sender_cpu = cpu_of(part, messages[i].sender_cpu);
        messages[i].receiver_cpu = cpu_of(part, messages[i].receiver_cpu);
    }
}

static void read_records(const Part *part, TndPieceResult *piece, TndBlockKind kind, guint row, TndWalk walk)
{
    while (tnd_walk_on(&walk)) {
        if (kind == TND_BLOCK_STATES)
            change_states(part, walk.records, walk.n);
        else if (kind == TND_BLOCK_EVENTS)
            change_events(part, walk.records, walk.n);
        else
            change_messages(part, walk.records, walk.n);
        tnd_trace_piece_write(kind, row, walk.records, walk.n, piece->bytes, piece->blocks[kind]);
        piece->n_records += walk.n;
    }
    tnd_walk_end(&walk);
}

/* The piece is taken, and tells how far the work is. */
static void take(Joining *joining, const TndPieceResult *piece)
{
    g_mutex_lock(&joining->mutex);
    tnd_trace_build_take(joining->build, piece, 0);
    const double fraction = (double)++joining->n_done / joining->n_works;
    if (joining->progress && !joining->progress(fraction, joining->user_data))
        joining->cancelled = TRUE;
    g_mutex_unlock(&joining->mutex);
}

static gboolean is_cancelled(Joining *joining)
{
    g_mutex_lock(&joining->mutex);
    const gboolean is = joining->cancelled;
    g_mutex_unlock(&joining->mutex);
    return is;
}

static void work_on(gpointer data, gpointer user_data)
{
    Work *work = data;
    Joining *joining = user_data;
    const Part *part = work->part;
    TndPieceResult piece = {.bytes = g_byte_array_new(),
                            .types = g_hash_table_new_full(NULL, NULL, NULL, g_free),
                            .comments = g_ptr_array_new()};
    for (guint kind = 0; kind < TND_BLOCK_N; kind++)
        piece.blocks[kind] = g_array_new(FALSE, FALSE, sizeof(TndRowBlock));
    if (is_cancelled(joining)) {
        /* the rest is only freed */
    } else if (work->row < part->trace->n_threads) {
        const guint row = part->first_row + work->row;
        read_records(part, &piece, TND_BLOCK_STATES, row, tnd_walk_states(part->trace, work->row, G_MAXUINT64));
        read_records(part, &piece, TND_BLOCK_EVENTS, row, tnd_walk_events(part->trace, work->row, G_MAXUINT64));
    } else {
        read_records(part, &piece, TND_BLOCK_MESSAGES, 0, tnd_walk_messages(part->trace, 0, G_MAXUINT64));
        for (guint i = 0; i < part->trace->n_types; i++)
            tnd_trace_piece_count(piece.types, part->trace->types[i].type, part->trace->types[i].n_events);
    }
    take(joining, &piece);
    for (guint kind = 0; kind < TND_BLOCK_N; kind++)
        g_array_unref(piece.blocks[kind]);
    g_byte_array_unref(piece.bytes);
    g_hash_table_unref(piece.types);
    g_ptr_array_unref(piece.comments);
    g_free(work);
}

static void join_records(Joining *joining)
{
    GThreadPool *pool = g_thread_pool_new(work_on, joining, (gint)g_get_num_processors(), FALSE, NULL);
    for (guint i = 0; i < N_PARTS; i++)
        joining->n_works += joining->parts[i].trace->n_threads + 1;
    for (guint i = 0; i < N_PARTS; i++)
        for (guint row = 0; row <= joining->parts[i].trace->n_threads; row++) {
            Work *work = g_new(Work, 1);
            *work = (Work){&joining->parts[i], row};
            g_thread_pool_push(pool, work, NULL);
        }
    g_thread_pool_free(pool, FALSE, TRUE);
}

/* Objects. */

/* The header of both: nodes and applications of the second trace follow those of the first one. */
static void join_headers(Joining *joining)
{
    struct tnd_prv_header header = {.unit_ns = 1};
    const struct tnd_prv_header *of[N_PARTS];
    gboolean have_nodes = TRUE;
    for (guint i = 0; i < N_PARTS; i++) {
        of[i] = tnd_trace_header(joining->parts[i].trace);
        have_nodes &= of[i]->n_nodes > 0;
        header.n_nodes += of[i]->n_nodes;
        header.n_applications += of[i]->n_applications;
        header.end_time = MAX(header.end_time, joining->parts[i].trace->end_ns + joining->parts[i].delay_ns);
    }
    header.n_nodes = have_nodes ? header.n_nodes : 0;
    header.n_cpus = g_new0(uint32_t, header.n_nodes + 1);
    header.applications = g_new0(struct tnd_prv_application, header.n_applications + 1);
    guint application = 0, node = 0;
    for (guint i = 0; i < N_PARTS; i++) {
        joining->parts[i].first_node = node;
        for (guint n = 0; have_nodes && n < of[i]->n_nodes; n++)
            header.n_cpus[node++] = of[i]->n_cpus[n];
        for (guint a = 0; a < of[i]->n_applications; a++, application++) {
            const struct tnd_prv_application *from = &of[i]->applications[a];
            header.applications[application] = (struct tnd_prv_application){
                from->n_tasks, g_memdup2(from->tasks, from->n_tasks * sizeof *from->tasks)};
            for (guint task = 0; task < from->n_tasks; task++)
                header.applications[application].tasks[task].node =
                    have_nodes ? from->tasks[task].node + joining->parts[i].first_node : 0;
        }
    }
    tnd_trace_build_visitor.header(joining->build, &header);
    for (guint a = 0; a < header.n_applications; a++)
        g_free(header.applications[a].tasks);
    g_free(header.applications);
    g_free(header.n_cpus);
}

/* Names of threads and nodes; those of other levels follow from them. */
static struct tnd_row *join_names(const Joining *joining)
{
    struct tnd_row *row = tnd_row_new();
    for (guint i = 0; i < N_PARTS; i++) {
        const TndTrace *trace = joining->parts[i].trace;
        for (guint t = 0; t < trace->n_threads; t++) {
            char *name = g_strdup_printf("%s: %s", trace->name, trace->threads[t].name);
            tnd_row_add(row, TND_ROW_THREAD, name);
            g_free(name);
        }
        for (guint n = 0; n < trace->header.n_nodes; n++) {
            char *name = g_strdup_printf("%s: %s", trace->name, tnd_trace_node_name(trace, n + 1));
            tnd_row_add(row, TND_ROW_NODE, name);
            g_free(name);
        }
    }
    return row;
}

static void begin(Joining *joining, const TndTraceJoinPart parts[N_PARTS])
{
    for (guint i = 0; i < N_PARTS; i++)
        joining->parts[i] =
            (Part){.trace = parts[i].trace,
                   .delay_ns = parts[i].delay_ns,
                   .values = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_hash_table_unref)};
    joining->parts[1].first_row = parts[0].trace->n_threads;
    joining->parts[1].first_cpu = tnd_levels_n_rows(parts[0].trace, TND_LEVEL_CPU);
    joining->build = tnd_trace_build_new(parts[0].trace->path, -1);
    TndTrace *made = tnd_trace_build_trace(joining->build);
    g_free(made->name);
    made->name = g_strdup_printf("%s | %s", parts[0].trace->name, parts[1].trace->name);
}

TndTrace *tnd_trace_join(const TndTraceJoinPart parts[N_PARTS], const char *alignment, TndTraceProgress progress,
                         gpointer user_data, GError **error)
{
    Joining joining = {.progress = progress, .user_data = user_data};
    g_mutex_init(&joining.mutex);
    begin(&joining, parts);
    join_headers(&joining);
    struct tnd_pcf *pcf = join_labels(&joining);
    join_records(&joining);
    TndTrace *trace = NULL;
    if (joining.cancelled) {
        tnd_trace_build_free(joining.build);
        tnd_pcf_free(pcf);
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "cancelled");
    } else if (!(trace = tnd_trace_build_finish(joining.build, pcf, join_names(&joining)))) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_NO_SPACE,
                    "two traces do not fit into the memory that this process may have (ulimit -v)");
    } else {
        tnd_row_labels_join(trace, parts[0].trace, parts[1].trace);
        trace->beside = g_strdup(parts[1].trace->path);
        trace->alignment = g_strdup(alignment);
    }
    for (guint i = 0; i < N_PARTS; i++)
        g_hash_table_unref(joining.parts[i].values);
    g_mutex_clear(&joining.mutex);
    return trace;
}
