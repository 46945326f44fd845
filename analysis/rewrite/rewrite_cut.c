/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Before the begin, only the last value of every event type and the last states of every row are remembered.  What
 * holds at the begin is written for a row before its first record within, and for all other rows before the first
 * record that is later than the begin, so that records stay in the order of time.
 */
#include "analysis/rewrite/rewrite_cut.h"

#include "analysis/rewrite/rewrite_values.h"
#include "analysis/views/views.h"
#include "formats/event_types.h"
#include "formats/fact.h"

#include <gio/gio.h>
#include <string.h>

/* Flags of a value. */
enum {
    HOLDS_BEFORE = 1, /* it holds for the time before it */
    IS_HELD = 2,      /* its event is before the begin */
    AWAITS = 4,       /* the next value, after the end, is wanted */
    HAS_COME = 8,     /* that value has come */
    AT_END = 16,      /* its event is at the end */
    IS_SHARED = 32,   /* by the rows of a process or node */
};

/* How views read an event type (views.h). */
typedef struct {
    guint32 type;
    gboolean is_known, holds_before;
    TndViewScope scope;
} Type;
#define N_TYPES 256 /* size of the cache of types, by number % N_TYPES */

typedef struct {
    /* The states that begin before the begin. */
    gint64 last_begin, last_end;
    guint32 open_state, open_cpu;
    gboolean has_open, is_last_crossing, has_crossing, has_begun;
} Row;

typedef struct {
    const TndRewriteCutOptions *options;
    TndRewrite *rewrite;
    gint64 begin, end, zero; /* zero: the time that becomes 0 in the new trace */
    gint64 *offsets;         /* of each row; NULL: no row is moved */
    guint
        *scope_rows[TND_SCOPE_TRACE + 1]; /* by scope: for each row the first row of its scope; NULL: the row itself */
    Row *rows;
    Type types[N_TYPES];
    TndRewriteValues *values;
    guint64 order;
    GArray *pairs; /* struct tnd_prv_pair, of the event that is being written */
    gboolean have_all_begun, is_past, has_ended, is_unsorted;
    guint64 last_time; /* of the record before */
    guint n_awaited;
} Cut;

static guint *first_rows(const TndRewrite *rewrite, gboolean of_node)
{
    const struct tnd_prv_header *header = tnd_rewrite_header(rewrite);
    guint *rows = g_new(guint, tnd_rewrite_n_rows(rewrite) + 1), row = 0;
    guint *of_nodes = g_new0(guint, header->n_nodes + 2); /* the first row of each node + 1 */
    for (guint a = 0; a < header->n_applications; a++)
        for (guint t = 0; t < header->applications[a].n_tasks; t++) {
            const struct tnd_prv_task *task = &header->applications[a].tasks[t];
            guint *of_this = &of_nodes[MIN(task->node, header->n_nodes + 1)];
            guint first = of_node && *of_this ? *of_this - 1 : row;
            *of_this = first + 1;
            for (guint h = 0; h < task->n_threads; h++)
                rows[row++] = first;
        }
    g_free(of_nodes);
    return rows;
}

static const Type *type_of(Cut *cut, guint32 number)
{
    Type *type = &cut->types[number % N_TYPES];
    if (G_UNLIKELY(type->type != number || !type->is_known)) {
        *type = (Type){.type = number, .is_known = TRUE};
        tnd_views_reading(number, &type->scope, &type->holds_before);
    }
    return type;
}

static inline TndRewriteValue *value_of(Cut *cut, guint row, guint32 number)
{
    const Type *type = type_of(cut, number);
    const guint *scope_rows = cut->scope_rows[type->scope];
    TndRewriteValue *value = tnd_rewrite_values_of(cut->values, scope_rows ? scope_rows[row] : row, number);
    value->flags |= (guint8)((type->holds_before ? HOLDS_BEFORE : 0) | (scope_rows ? IS_SHARED : 0));
    return value;
}

static void remember(Cut *cut, guint row, const struct tnd_prv_event *event, guint8 flag)
{
    for (size_t i = 0; i < event->n_pairs; i++) {
        TndRewriteValue *value = value_of(cut, row, event->pairs[i].type);
        value->value = event->pairs[i].value;
        value->order = ++cut->order;
        value->row = row;
        value->cpu = event->at.cpu;
        value->flags = (guint8)((value->flags & (HOLDS_BEFORE | IS_SHARED)) | flag);
    }
}

static inline gint64 moved(const Cut *cut, guint row, guint64 time_ns)
{
    gint64 time = (gint64)MIN(time_ns, (guint64)G_MAXINT64), sum;
    if (!cut->offsets)
        return time;
    return __builtin_add_overflow(time, cut->offsets[row], &sum) ? G_MAXINT64 : sum;
}

static inline guint64 new_time(const Cut *cut, gint64 time)
{
    return (guint64)(time - cut->zero);
}

static void write_state(Cut *cut, guint row, guint32 cpu, gint64 begin, gint64 end, guint32 state)
{
    tnd_rewrite_state(cut->rewrite, row,
                      &(struct tnd_prv_state){.at.cpu = cpu,
                                              .begin = new_time(cut, begin),
                                              .end = end == G_MAXINT64 ? UINT64_MAX : new_time(cut, end),
                                              .state = state});
}

/* Writes values at one time, in their order: a line for each row and CPU. */
static void write_values(Cut *cut, const GPtrArray *values, gint64 time)
{
    for (guint i = 0; i < values->len; i++) {
        const TndRewriteValue *value = values->pdata[i], *next = i + 1 < values->len ? values->pdata[i + 1] : NULL;
        const struct tnd_prv_pair pair = {value->type, value->value};
        g_array_append_val(cut->pairs, pair);
        if (next && next->row == value->row && next->cpu == value->cpu)
            continue;
        tnd_rewrite_event(cut->rewrite, value->row,
                          &(struct tnd_prv_event){.at.cpu = value->cpu,
                                                  .time = new_time(cut, time),
                                                  .n_pairs = cut->pairs->len,
                                                  .pairs = (const struct tnd_prv_pair *)(void *)cut->pairs->data});
        g_array_set_size(cut->pairs, 0);
    }
}

static int compare_orders(gconstpointer a, gconstpointer b)
{
    guint64 x = (*(TndRewriteValue *const *)a)->order, y = (*(TndRewriteValue *const *)b)->order;
    return (x > y) - (x < y);
}

static gboolean has_type(const struct tnd_prv_event *event, guint32 type)
{
    for (size_t i = 0; event && i < event->n_pairs; i++)
        if (event->pairs[i].type == type)
            return TRUE;
    return FALSE;
}

static gboolean holds(const Cut *cut, const TndRewriteValue *value, guint8 flags)
{
    return (value->flags & (IS_HELD | HOLDS_BEFORE | IS_SHARED)) == (IS_HELD | flags) &&
           tnd_rewrite_is_chosen(cut->rewrite, value->row);
}

/* Repeats the values of a row at the begin, except those of types that the event there has.  A view of several types
 * shows the last value, so that a 0 is needed after an earlier value that is not 0; leading zeros are not. */
static void repeat_values(Cut *cut, guint row, const struct tnd_prv_event *event)
{
    GPtrArray *held = g_ptr_array_new();
    for (guint place = cut->values->firsts[row]; place; place = cut->values->values[place - 1].next) {
        TndRewriteValue *value = &cut->values->values[place - 1];
        if (holds(cut, value, 0) && !has_type(event, value->type))
            g_ptr_array_add(held, value);
    }
    g_ptr_array_sort(held, compare_orders);
    guint n_zeros = 0;
    while (n_zeros < held->len && ((const TndRewriteValue *)held->pdata[n_zeros])->value == 0)
        n_zeros++;
    if (n_zeros)
        g_ptr_array_remove_range(held, 0, n_zeros);
    write_values(cut, held, cut->begin);
    g_ptr_array_unref(held);
}

/* Writes what holds at the begin in a row.  event: its event at the begin, or NULL; is_state: its first record within
 * is a state at the begin. */
static void begin_row(Cut *cut, guint index, const struct tnd_prv_event *event, gboolean is_state)
{
    Row *row = &cut->rows[index];
    row->has_begun = TRUE;
    gboolean is_shown = row->is_last_crossing && row->last_end <= row->last_begin;
    if (row->has_open && !is_state)
        write_state(cut, index, row->open_cpu, cut->begin, G_MAXINT64, row->open_state);
    else if (row->has_crossing &&
             !is_shown) /* a state within the crossing one has ended: Paraver shows idle until a state begins */
        write_state(cut, index, 0, cut->begin, cut->begin, TND_STATE_IDLE);
    repeat_values(cut, index, event);
}

/* Writes what holds at the begin in all rows that have not begun, and then shared values, because now it is known that
 * no row has them at the begin itself. */
static void begin_all(Cut *cut)
{
    for (guint row = 0; row < tnd_rewrite_n_rows(cut->rewrite); row++)
        if (!cut->rows[row].has_begun)
            begin_row(cut, row, NULL, FALSE);
    GPtrArray *held = g_ptr_array_new();
    for (guint i = 0; i < cut->values->n_values; i++)
        if (holds(cut, &cut->values->values[i], IS_SHARED))
            g_ptr_array_add(held, &cut->values->values[i]);
    g_ptr_array_sort(held, compare_orders);
    write_values(cut, held, cut->begin);
    g_ptr_array_unref(held);
    cut->have_all_begun = TRUE;
}

/* Called before a record within is written: writes what holds at the begin, unless that is done. */
static inline void begin_before(Cut *cut, guint row, gint64 time, const struct tnd_prv_event *event, gboolean is_state)
{
    if (G_LIKELY(cut->have_all_begun))
        return;
    if (time > cut->begin && !cut->offsets)
        begin_all(cut);
    else if (!cut->rows[row].has_begun)
        begin_row(cut, row, event && time == cut->begin ? event : NULL, is_state && time == cut->begin);
}

static gboolean has_zero(const Cut *cut, guint32 type)
{
    return tnd_pcf_value_label(tnd_rewrite_pcf(cut->rewrite), type, 0) || tnd_event_types_value(type, 0);
}

/* By row, the latest value first. */
static int compare_ends(gconstpointer a, gconstpointer b)
{
    const TndRewriteValue *x = *(TndRewriteValue *const *)a, *y = *(TndRewriteValue *const *)b;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    return (x->order < y->order) - (x->order > y->order);
}

/* Writes the values at the end: a 0 for what is open, if the type has a label for 0, and the awaited values, such as
 * those of counters. */
static void end_values(Cut *cut)
{
    GPtrArray *ends = g_ptr_array_new();
    for (guint i = 0; i < cut->values->n_values; i++) {
        TndRewriteValue *value = &cut->values->values[i];
        gboolean is_open = value->value && !(value->flags & HOLDS_BEFORE) && has_zero(cut, value->type);
        if (is_open)
            value->value = 0;
        if (is_open || (value->flags & HAS_COME))
            g_ptr_array_add(ends, value);
    }
    g_ptr_array_sort(ends, compare_ends);
    write_values(cut, ends, cut->end);
    g_ptr_array_unref(ends);
}

/* Stops reading after the end, if no record that comes later matters. */
static void stop_if_done(Cut *cut)
{
    if (cut->is_unsorted || cut->n_awaited || cut->has_ended)
        return;
    if (!cut->have_all_begun)
        begin_all(cut);
    end_values(cut);
    cut->has_ended = TRUE;
    tnd_rewrite_stop(cut->rewrite);
}

/* A record after the end has been read.  After the first one, the next values of types that hold before them are
 * awaited.
 */
static void pass_end(Cut *cut)
{
    for (guint i = 0; i < cut->values->n_values && !cut->is_past; i++)
        if ((cut->values->values[i].flags & (HOLDS_BEFORE | AT_END)) == HOLDS_BEFORE) {
            cut->values->values[i].flags |= AWAITS;
            cut->n_awaited++;
        }
    cut->is_past = TRUE;
    stop_if_done(cut);
}

static inline void look_at_order(Cut *cut, guint64 time)
{
    cut->is_unsorted |= time < cut->last_time;
    cut->last_time = time;
}

static void state_before(Cut *cut, guint index, guint32 cpu, gint64 begin, gint64 end, guint32 state)
{
    Row *row = &cut->rows[index];
    row->last_begin = begin;
    row->has_open = end == G_MAXINT64;
    row->is_last_crossing = end > cut->begin;
    if (row->has_open) {
        row->open_state = state;
        row->open_cpu = cpu;
    } else if (end > cut->begin) {
        row->has_crossing = TRUE;
        write_state(cut, index, cpu, cut->begin, MIN(end, cut->end), state);
    } else {
        row->last_end = MAX(row->last_end, end);
    }
}

static void on_state(gpointer self, guint row, struct tnd_prv_state *state)
{
    Cut *cut = self;
    gint64 begin = moved(cut, row, state->begin),
           end = state->end == UINT64_MAX ? G_MAXINT64 : moved(cut, row, state->end);
    look_at_order(cut, state->begin);
    if (begin > cut->end) {
        pass_end(cut);
    } else if (begin < cut->begin) {
        state_before(cut, row, state->at.cpu, begin, end, state->state);
    } else if (begin < cut->end || end == begin) {
        begin_before(cut, row, begin, NULL, TRUE);
        write_state(cut, row, state->at.cpu, begin, end == G_MAXINT64 ? end : MIN(end, cut->end), state->state);
    }
}

static void take_next(Cut *cut, guint row, const struct tnd_prv_event *event)
{
    for (size_t i = 0; i < event->n_pairs && cut->n_awaited; i++) {
        TndRewriteValue *value = value_of(cut, row, event->pairs[i].type);
        if (!(value->flags & AWAITS))
            continue;
        value->flags = (guint8)((value->flags & ~AWAITS) | HAS_COME);
        value->value = event->pairs[i].value;
        value->row = row;
        value->cpu = event->at.cpu;
        cut->n_awaited--;
    }
}

static void on_event(gpointer self, guint row, struct tnd_prv_event *event)
{
    Cut *cut = self;
    gint64 time = moved(cut, row, event->time);
    look_at_order(cut, event->time);
    if (time > cut->end) {
        if (!cut->is_past)
            pass_end(cut);
        take_next(cut, row, event);
        stop_if_done(cut);
    } else if (time < cut->begin) {
        remember(cut, row, event, IS_HELD);
    } else {
        begin_before(cut, row, time, event, FALSE);
        remember(cut, row, event, time == cut->end ? AT_END : 0);
        event->time = new_time(cut, time);
        tnd_rewrite_event(cut->rewrite, row, event);
    }
}

static void on_message(gpointer self, guint sender, guint receiver, struct tnd_prv_message *message)
{
    Cut *cut = self;
    gint64 times[] = {moved(cut, sender, message->logical_send), moved(cut, sender, message->physical_send),
                      moved(cut, receiver, message->logical_receive), moved(cut, receiver, message->physical_receive)};
    /* Some writers sort a message by its logical send, others by its physical send. */
    gboolean is_begun = message->logical_send >= cut->last_time || message->physical_send < cut->last_time;
    look_at_order(cut, is_begun ? message->logical_send : message->physical_send);
    gint64 first = times[0], last = times[0];
    for (guint i = 1; i < G_N_ELEMENTS(times); i++) {
        first = MIN(first, times[i]);
        last = MAX(last, times[i]);
    }
    if (first >= cut->begin && last <= cut->end) {
        begin_before(cut, sender, is_begun ? times[0] : times[1], NULL, FALSE);
        message->logical_send = new_time(cut, times[0]);
        message->physical_send = new_time(cut, times[1]);
        message->logical_receive = new_time(cut, times[2]);
        message->physical_receive = new_time(cut, times[3]);
        tnd_rewrite_message(cut->rewrite, sender, receiver, message);
    } else if (MIN(times[0], times[1]) > cut->end) {
        pass_end(cut);
    }
}

/* Facts about the whole run do not hold for a part of it, and are dropped; those in this list still hold. */
static gboolean keeps(gpointer self, const char *comment)
{
    static const char *const keys[] = {TND_FACT_COMMAND,
                                       TND_FACT_SAMPLING_CLOCK,
                                       TND_FACT_SAMPLING_PERIOD_NS,
                                       TND_FACT_SAMPLING_PERIOD_COUNTS,
                                       TND_FACT_CLOCK_ERROR_NS,
                                       TND_FACT_SENSOR,
                                       TND_FACT_NOTE};
    gboolean is_kept = !g_str_has_prefix(comment, TND_FACT_PREFIX);
    for (guint i = 0; i < G_N_ELEMENTS(keys) && !is_kept; i++)
        is_kept = tnd_fact_value(comment, keys[i]) != NULL;
    return is_kept;
}

static void end(gpointer self)
{
    Cut *cut = self;
    gboolean is_after_all = !cut->offsets && (guint64)cut->begin >= tnd_rewrite_end_ns(cut->rewrite);
    if (!cut->have_all_begun && !is_after_all)
        begin_all(cut);
    if (cut->is_past && !cut->has_ended)
        end_values(cut);
}

guint64 tnd_rewrite_cut_time(const TndRewriteTime *time, guint64 end_ns)
{
    return time->percent < 0 ? time->ns : (guint64)((double)end_ns * MIN(time->percent, 100) / 100 + 0.5);
}

/* Writes the comment that Paraver's cutter writes, with the original times. */
static void say_what_was_cut(Cut *cut, guint64 end_ns)
{
    GDateTime *now = g_date_time_new_now_local();
    char *date = now ? g_date_time_format(now, "%Y%m%d%H%M%S") : g_strdup("0");
    char *base = g_path_get_basename(tnd_rewrite_path(cut->rewrite));
    char *line =
        g_strdup_printf("%s:CUTTER:ORIGINAL:\"%s\":%" G_GINT64_FORMAT ":%" G_GINT64_FORMAT ":%" G_GUINT64_FORMAT, date,
                        base, cut->zero, cut->begin, end_ns);
    tnd_rewrite_comment(cut->rewrite, line);
    g_free(line);
    g_free(base);
    g_free(date);
    if (now)
        g_date_time_unref(now);
}

static gboolean begin(gpointer self, TndRewrite *rewrite, GError **error)
{
    Cut *cut = self;
    const TndRewriteCutOptions *options = cut->options;
    guint n_rows = tnd_rewrite_n_rows(rewrite);
    cut->rewrite = rewrite;
    cut->rows = g_new0(Row, n_rows + 1);
    cut->scope_rows[TND_SCOPE_PROCESS] = first_rows(rewrite, FALSE);
    cut->scope_rows[TND_SCOPE_NODE] = first_rows(rewrite, TRUE);
    for (guint row = 0; row < n_rows; row++)
        cut->rows[row].last_end = G_MININT64;
    cut->values = tnd_rewrite_values_new(n_rows);
    cut->pairs = g_array_new(FALSE, FALSE, sizeof(struct tnd_prv_pair));
    if (options->offsets) {
        cut->end = G_MAXINT64;
        cut->offsets = options->offsets(options->user_data, rewrite, error);
        return cut->offsets != NULL;
    }
    guint64 all_ns = tnd_rewrite_end_ns(rewrite), begin_ns = tnd_rewrite_cut_time(&options->begin, all_ns),
            end_ns = tnd_rewrite_cut_time(&options->end, all_ns);
    if (begin_ns >= end_ns || begin_ns > G_MAXINT64) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                    "%s: nothing is between %" G_GUINT64_FORMAT " ns and %" G_GUINT64_FORMAT " ns",
                    tnd_rewrite_path(rewrite), begin_ns, end_ns);
        return FALSE;
    }
    cut->begin = (gint64)begin_ns;
    cut->end = (gint64)MIN(end_ns, (guint64)G_MAXINT64);
    cut->zero = options->keep_times ? 0 : cut->begin;
    end_ns = MAX(MIN(end_ns, all_ns), begin_ns);
    tnd_rewrite_set_end(rewrite, end_ns - (guint64)cut->zero);
    say_what_was_cut(cut, end_ns);
    return TRUE;
}

gboolean tnd_rewrite_cut_run(const TndRewriteOptions *options, const TndRewriteCutOptions *cut_options,
                             TndRewriteResult *result, GError **error)
{
    const TndRewriteTool tool = {.name = cut_options->offsets ? "shift" : "cut",
                                 .begin = begin,
                                 .state = on_state,
                                 .event = on_event,
                                 .message = on_message,
                                 .keeps = cut_options->offsets ? NULL : keeps,
                                 .end = end};
    Cut cut = {.options = cut_options};
    gboolean done = tnd_rewrite_run(options, &tool, &cut, result, error);
    g_free(cut.rows);
    g_free(cut.offsets);
    for (guint i = 0; i < G_N_ELEMENTS(cut.scope_rows); i++)
        g_free(cut.scope_rows[i]);
    tnd_rewrite_values_free(cut.values);
    if (cut.pairs)
        g_array_unref(cut.pairs);
    return done;
}
