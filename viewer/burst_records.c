/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each kind of record of each thread is walked through in the order of time: of those before the moment the last ones
 * are kept, of the others the first ones.  Then all that were kept are sorted.
 */
#include "viewer/burst_records.h"

#include "analysis/trace/row_labels.h"
#include "analysis/trace/walk.h"
#include "viewer/paint/ruler.h"

typedef struct {
    guint64 time_ns;
    guint thread, number; /* number: of those of one time, the order in which they were found */
    gboolean is_state;
    TndState state;
    TndEvent event;
} Record;

typedef struct {
    guint64 begin_ns, end_ns, at_ns;
    GArray *before, *after; /* of Record */
    guint n_found;
    TndBurstRecords *records;
} Gathering;

/* The records of one walk: of those before the moment, the last ones are in a ring. */
typedef struct {
    Record before[TND_BURST_RECORDS_BEFORE];
    guint64 n_before, n_after;
} Kept;

/* FALSE: it is after the burst, as all that follow are. */
static gboolean take(Gathering *gathering, Kept *kept, Record record)
{
    if (record.time_ns >= gathering->end_ns)
        return FALSE;
    record.number = gathering->n_found++;
    if (record.time_ns < gathering->begin_ns)
        return TRUE;
    if (record.time_ns <= gathering->at_ns)
        kept->before[kept->n_before++ % TND_BURST_RECORDS_BEFORE] = record;
    else if (kept->n_after++ < TND_BURST_RECORDS_AFTER)
        g_array_append_val(gathering->after, record);
    return TRUE;
}

static void end_walk(Gathering *gathering, TndWalk *walk, const Kept *kept)
{
    g_array_append_vals(gathering->before, kept->before, (guint)MIN(kept->n_before, TND_BURST_RECORDS_BEFORE));
    gathering->records->n_before += kept->n_before;
    gathering->records->n_after += kept->n_after;
    tnd_walk_end(walk);
}

static void gather_thread(Gathering *gathering, const TndTrace *trace, guint thread)
{
    Kept states = {0}, events = {0};
    TndWalk walk = tnd_walk_within(tnd_walk_states(trace, thread, G_MAXUINT64), gathering->begin_ns, gathering->end_ns);
    for (const TndState *state; (state = tnd_walk_next_state(&walk)) &&
                                take(gathering, &states, (Record){state->begin_ns, thread, 0, TRUE, .state = *state});)
        ;
    end_walk(gathering, &walk, &states);
    walk = tnd_walk_within(tnd_walk_events(trace, thread, G_MAXUINT64), gathering->begin_ns, gathering->end_ns);
    for (const TndEvent *event; (event = tnd_walk_next_event(&walk)) &&
                                take(gathering, &events, (Record){event->time_ns, thread, 0, FALSE, .event = *event});)
        ;
    end_walk(gathering, &walk, &events);
}

static gint by_time(gconstpointer a, gconstpointer b)
{
    const Record *record = a, *other = b;
    if (record->time_ns != other->time_ns)
        return record->time_ns < other->time_ns ? -1 : 1;
    return record->number < other->number ? -1 : record->number > other->number;
}

/* "18.32 µs  MPI Point-to-point (50000001): MPI_Send (1)". */
static char *line_of(const TndTrace *trace, const Record *record, gboolean has_thread)
{
    const struct tnd_pcf *pcf = tnd_trace_pcf(trace);
    char *time = tnd_ruler_time_text(record->time_ns, 0), *line;
    const char *where = has_thread ? tnd_row_labels_get(trace, TND_LEVEL_THREAD, record->thread) : "";
    if (record->is_state) {
        const TndState *state = &record->state;
        const char *label = tnd_pcf_state_label(pcf, state->state);
        char *took = tnd_ruler_time_text(state->end_ns - MIN(state->begin_ns, state->end_ns), 0);
        line = g_strdup_printf("%s  %s%sstate %s (%u), lasts %s", time, where, has_thread ? "  " : "",
                               label ? label : "", state->state, took);
        g_free(took);
    } else {
        const TndEvent *event = &record->event;
        const struct tnd_pcf_type *type = tnd_pcf_type(pcf, event->type);
        const char *label = tnd_pcf_value_label(pcf, event->type, event->value);
        line = g_strdup_printf("%s  %s%s%s (%u): %s%s%" G_GINT64_FORMAT "%s", time, where, has_thread ? "  " : "",
                               type && type->label ? type->label : "event", event->type, label ? label : "",
                               label ? " (" : "", event->value, label ? ")" : "");
    }
    g_free(time);
    return line;
}

static guint keep(GArray *found, guint most, gboolean are_last)
{
    g_array_sort(found, by_time);
    if (found->len <= most)
        return found->len;
    if (are_last)
        g_array_remove_range(found, 0, found->len - most);
    g_array_set_size(found, most);
    return most;
}

TndBurstRecords tnd_burst_records_new(const TndView *view, guint row, const TndBurst *burst, guint64 at_ns)
{
    const TndTrace *trace = tnd_view_trace(view);
    TndBurstRecords records = {.lines = g_ptr_array_new_with_free_func(g_free)};
    Gathering gathering = {burst->begin_ns,
                           burst->end_ns,
                           at_ns,
                           g_array_new(FALSE, FALSE, sizeof(Record)),
                           g_array_new(FALSE, FALSE, sizeof(Record)),
                           0,
                           &records};
    guint n_threads, *threads = tnd_levels_threads(trace, tnd_view_level(view), row, &n_threads);
    for (guint i = 0; i < n_threads; i++)
        gather_thread(&gathering, trace, threads[i]);
    g_free(threads);
    const guint n_before = keep(gathering.before, TND_BURST_RECORDS_BEFORE, TRUE);
    records.n_before -= n_before;
    records.n_after -= keep(gathering.after, TND_BURST_RECORDS_AFTER, FALSE);
    g_array_append_vals(gathering.before, gathering.after->data, gathering.after->len);
    for (guint i = 0; i < gathering.before->len; i++)
        g_ptr_array_add(records.lines, line_of(trace, &g_array_index(gathering.before, Record, i), n_threads > 1));
    records.here = n_before ? n_before - 1 : records.lines->len;
    g_array_unref(gathering.before);
    g_array_unref(gathering.after);
    return records;
}

void tnd_burst_records_clear(TndBurstRecords *records)
{
    if (records->lines)
        g_ptr_array_unref(records->lines);
    records->lines = NULL;
}
