/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Functions as stages that bursts pass through, the rows of a group as walks side by side.
 */
#include "analysis/views/window_rows.h"

#include "analysis/base/cores.h"
#include "analysis/base/time_heap.h"
#include "analysis/bursts/burst_stream.h"
#include "analysis/bursts/burst_walk.h"

#include <string.h>

typedef struct {
    TndNumbers parameters[TND_CALL_PARAMETERS];
    double defaults[TND_CALL_PARAMETERS];
    TndSemanticCall call;
} Call;

/* What the file gives, else the defaults. */
static const TndSemanticCall *make_call(Call *made, const TndWindows *windows, const TndWindow *window,
                                        const TndCall *given, const TndSemanticName *name)
{
    for (guint i = 0; i < TND_CALL_PARAMETERS; i++) {
        gboolean is_given = i < given->n_parameters;
        made->defaults[i] = name->defaults[i];
        made->parameters[i] =
            is_given ? given->parameters[i] : (TndNumbers){&made->defaults[i], i < name->n_parameters};
    }
    made->call = (TndSemanticCall){made->parameters, window->unit_ns, tnd_trace_end_ns(windows->trace)};
    return &made->call;
}

/* A function between a stream of bursts and the next one. */
typedef struct {
    TndBurstStream in;
    const TndSemanticCompose *function;
    Call call;
    TndBurstStream *out;
    GArray *all; /* of a function that looks at all bursts; NULL: it looks at each by itself */
} Stage;

static void compose_bursts(const TndBurst *bursts, gsize n, gpointer data)
{
    Stage *stage = data;
    if (stage->all) {
        g_array_append_vals(stage->all, bursts, (guint)n);
        return;
    }
    for (gsize i = 0; i < n; i++)
        tnd_burst_stream_append(stage->out, (TndBurst){bursts[i].begin_ns, bursts[i].end_ns,
                                                       stage->function->value(&bursts[i], &stage->call.call)});
}

/* Stays where it is until it ends. */
static void start_stage(Stage *stage, const TndWindows *windows, const TndWindow *window,
                        const TndSemanticCompose *function, const TndCall *given, TndBurstStream *out)
{
    stage->function = function;
    make_call(&stage->call, windows, window, given, &function->name);
    stage->out = out;
    stage->all = function->whole ? g_array_new(FALSE, FALSE, sizeof(TndBurst)) : NULL;
    tnd_burst_stream_start(&stage->in, tnd_trace_end_ns(windows->trace), compose_bursts, stage);
}

/* Takes them. */
static void append_signal(TndBurstStream *out, TndSignal signal)
{
    for (gsize i = 0; i < signal.n; i++)
        tnd_burst_stream_append(out, signal.bursts[i]);
    g_free(signal.bursts);
}

static void end_stage(Stage *stage)
{
    tnd_burst_stream_finish(&stage->in);
    if (!stage->all)
        return;
    TndSignal signal = {.n = stage->all->len};
    signal.bursts = (TndBurst *)(void *)g_array_free(stage->all, FALSE);
    stage->function->whole(&signal, &stage->call.call);
    append_signal(stage->out, signal);
}

/* Whether records look at messages: their index is made once. */
static const TndMessageIndex *messages_for(TndWindows *windows, const TndSemanticThread *function)
{
    if (!(function->needs & TND_RECORD_IS_MESSAGE))
        return NULL;
    g_mutex_lock(&windows->lock);
    if (!windows->index)
        windows->index = tnd_semantic_records_index(windows->trace);
    g_mutex_unlock(&windows->lock);
    return windows->index;
}

/* Whether what it begins with is before its first record. */
static gboolean evaluate_thread(TndWindows *windows, const TndWindow *window, guint row, TndBurstStream *out)
{
    const TndSemanticThread *function = window->thread;
    TndRecords records = tnd_semantic_records_of(windows->trace, messages_for(windows, function), window->cfg, row,
                                                 function->needs, window->unit_ns);
    Call made;
    const TndSemanticCall *call =
        make_call(&made, windows, window, &window->cfg->calls[TND_LEVEL_THREAD], &function->name);
    double value = function->value(&records, -1, call, 0);
    tnd_burst_stream_begin(out, 0, value);
    gboolean begins_before = TRUE;
    for (gsize i = 0; i < records.n; i++) {
        if (!records.records[i].passes || !function->is_valid(&records, i))
            continue;
        value = function->value(&records, (gssize)i, call, value);
        begins_before &= records.records[i].time_ns > 0;
        tnd_burst_stream_begin(out, records.records[i].time_ns, value);
    }
    tnd_semantic_records_clear(&records);
    return begins_before;
}

/* A burst begins whenever one of a child does; at one time each child moves on at most as often as there are
 * children, as Paraver has it. */
static void group(TndBurstWalk *children, guint n, const TndSemanticGroup *function, const TndSemanticCall *call,
                  TndBurstStream *out)
{
    if (n == 0 || call->end_ns == 0)
        return; /* the stream ends with nothing, then */
    TndSemanticValues values = tnd_semantic_group_start(n);
    TndTimeHeapEntry *heap = g_new(TndTimeHeapEntry, n); /* by ends; of equal ones the one that came first */
    guint64 turn = 0;
    for (guint i = n; i-- > 0;)
        tnd_semantic_group_change(&values, i, children[i].at->value);
    for (guint i = 0; i < n; i++)
        heap[i] = (TndTimeHeapEntry){children[i].at->end_ns, turn++, i};
    tnd_time_heap_make(heap, n);
    TndBurst burst = {0, heap[0].time_ns, function->value(&values, call)};
    tnd_burst_stream_append(out, burst);
    while (burst.end_ns < call->end_ns) {
        burst.begin_ns = burst.end_ns;
        for (guint moved = 0; moved < n && heap[0].time_ns == burst.begin_ns; moved++) {
            guint child = (guint)heap[0].item;
            tnd_burst_walk_next(&children[child]);
            const TndBurst *next = children[child].at;
            tnd_semantic_group_change(&values, child, next->value);
            heap[0] = (TndTimeHeapEntry){next->end_ns, turn++, child};
            tnd_time_heap_sift(heap, n, 0);
        }
        burst.end_ns = heap[0].time_ns;
        burst.value = function->value(&values, call);
        tnd_burst_stream_append(out, burst);
    }
    tnd_semantic_group_clear(&values);
    g_free(heap);
}

/* A row of a level of a window. */
typedef struct {
    TndWindows *windows;
    const TndWindow *window;
    TndLevel level;
    guint row;
} Place;

static gboolean evaluate_level(const Place *place, TndBurstStream *out);

static void evaluate_place(TndBurstStream *out, gpointer place)
{
    evaluate_level(place, out);
}

static void evaluate_group(const Place *place, TndBurstStream *out)
{
    TndWindows *windows = place->windows;
    const TndWindow *window = place->window;
    guint first, n = tnd_levels_rows_below(windows->trace, place->level, place->row, &first);
    TndLargeMemory *memory = tnd_large_memory_new(tnd_trace_path(windows->trace));
    TndBurstWalk *children = g_new(TndBurstWalk, n + 1);
    for (guint i = 0; i < n; i++) {
        Place child = {windows, window, tnd_window_rows_level_below(place->level), first + i};
        children[i] = tnd_burst_walk_start(
            tnd_row_bursts_new(memory, tnd_trace_end_ns(windows->trace), evaluate_place, &child), 0);
    }
    Call made;
    const TndSemanticGroup *function = window->groups[place->level];
    group(children, n, function, make_call(&made, windows, window, &window->cfg->calls[place->level], &function->name),
          out);
    for (guint i = 0; i < n; i++)
        tnd_burst_walk_end(&children[i]);
    g_free(children);
    tnd_large_memory_free(memory);
}

static TndSignal thread_on_cpu(void *data, guint row)
{
    const Place *cpu = data;
    const Place thread = {cpu->windows, cpu->window, TND_LEVEL_THREAD, row};
    GArray *bursts = g_array_new(FALSE, FALSE, sizeof(TndBurst));
    TndBurstStream stream;
    tnd_burst_stream_start(&stream, tnd_trace_end_ns(cpu->windows->trace), tnd_burst_stream_keep, bursts);
    gboolean begins_before = evaluate_level(&thread, &stream);
    tnd_burst_stream_finish(&stream);
    TndSignal signal = {.n = bursts->len};
    signal.bursts = (TndBurst *)(void *)g_array_free(bursts, FALSE);
    if (begins_before && signal.n > 0) /* it was on no CPU that is known */
        signal.bursts[0].value = 0;
    return signal;
}

static void evaluate_cpu(const Place *place, TndBurstStream *out)
{
    TndWindows *windows = place->windows;
    const TndTrace *trace = windows->trace;
    g_mutex_lock(&windows->lock);
    if (!windows->cpus)
        windows->cpus = tnd_window_cpus_new(trace, tnd_levels_n_rows(trace, TND_LEVEL_CPU));
    g_mutex_unlock(&windows->lock);
    TndSignal signal =
        tnd_window_cpus_signal(windows->cpus, place->row, tnd_trace_end_ns(trace), thread_on_cpu, (void *)place);
    Call made;
    const TndSemanticGroup *function = place->window->groups[TND_LEVEL_CPU];
    const TndSemanticCall *call =
        make_call(&made, windows, place->window, &place->window->cfg->calls[TND_LEVEL_CPU], &function->name);
    for (gsize i = 0; i < signal.n; i++) {
        TndSemanticValues one = {.values = &signal.bursts[i].value, .n = 1};
        signal.bursts[i].value = function->value(&one, call);
    }
    append_signal(out, signal);
}

/* A window of two others. */

/* Values of bursts so many further on (or back); 0 where there are none. */
static void shift_bursts(TndBurst *bursts, gsize n, int by)
{
    gsize distance = (gsize)ABS(by);
    for (gsize i = 0; i < n; i++) {
        gsize to = by > 0 ? i : n - 1 - i, from = by > 0 ? to + distance : to - distance;
        bursts[to].value = (by > 0 ? from < n : to >= distance) ? bursts[from].value : 0;
    }
}

static TndSignal signal_of(const TndRowBursts *row)
{
    GArray *bursts = g_array_new(FALSE, FALSE, sizeof(TndBurst));
    tnd_row_bursts_each(row, tnd_burst_stream_keep, bursts);
    TndSignal signal = {.n = bursts->len};
    signal.bursts = (TndBurst *)(void *)g_array_free(bursts, FALSE);
    return signal;
}

static void evaluate_derived(const Place *place, TndBurstStream *out)
{
    TndWindows *windows = place->windows;
    const TndWindow *window = place->window;
    guint parents[2] = {window->cfg->parents[0], window->cfg->parents[1]};
    if (windows->windows[parents[0]].cfg->level < windows->windows[parents[1]].cfg->level) { /* as Paraver has it */
        parents[0] = window->cfg->parents[1];
        parents[1] = window->cfg->parents[0];
    }
    TndLevel level = windows->windows[parents[0]].cfg->level;
    TndSignal signals[2];
    for (guint i = 0; i < 2; i++) {
        guint above = tnd_levels_row_above(windows->trace, level, place->row, windows->windows[parents[i]].cfg->level);
        signals[i] = signal_of(tnd_windows_row(windows, parents[i], above));
        if (window->cfg->shifts[i])
            shift_bursts(signals[i].bursts, signals[i].n, window->cfg->shifts[i]);
    }
    append_signal(out, tnd_semantic_derived_signal(window->derived, &signals[0], &signals[1], window->cfg->factors,
                                                   tnd_trace_end_ns(windows->trace)));
    g_free(signals[0].bursts);
    g_free(signals[1].bursts);
}

/* A level's value of a row, composed.  Of a thread whether what it begins with is before its first record. */
static gboolean evaluate_level(const Place *place, TndBurstStream *out)
{
    const TndWindow *window = place->window;
    TndLevel level = place->level;
    gboolean begins_before = FALSE;
    Stage stage;
    start_stage(&stage, place->windows, window, window->composes[level], &window->cfg->calls[TND_PLACE_COMPOSE + level],
                out);
    if (window->cfg->is_derived && level == window->base)
        evaluate_derived(place, &stage.in);
    else if (level == TND_LEVEL_THREAD)
        begins_before = evaluate_thread(place->windows, window, place->row, &stage.in);
    else if (level == TND_LEVEL_CPU)
        evaluate_cpu(place, &stage.in);
    else
        evaluate_group(place, &stage.in);
    end_stage(&stage);
    return begins_before;
}

/* With the functions on top: the first of them gets the bursts last. */
static void evaluate_row(TndBurstStream *out, gpointer data)
{
    const Place *place = data;
    const TndWindow *window = place->window;
    const TndCfgWindow *cfg = window->cfg;
    guint n_extra = cfg->extra_tops ? cfg->extra_tops->len : 0, n = n_extra + 2;
    Stage *stages = g_new(Stage, n);
    start_stage(&stages[0], place->windows, window, window->tops[0], &cfg->calls[TND_PLACE_TOP_1], out);
    for (guint i = 1; i <= n_extra; i++)
        start_stage(&stages[i], place->windows, window, window->extra_tops[n_extra - i],
                    &g_array_index(cfg->extra_tops, TndCall, n_extra - i), &stages[i - 1].in);
    start_stage(&stages[n - 1], place->windows, window, window->tops[1], &cfg->calls[TND_PLACE_TOP_2],
                &stages[n - 2].in);
    evaluate_level(place, &stages[n - 1].in);
    while (n-- > 0)
        end_stage(&stages[n]);
    g_free(stages);
}

const TndRowBursts *tnd_windows_row(TndWindows *windows, guint index, guint row)
{
    TndWindow *window = &windows->windows[index];
    TndRowBursts **kept = &window->rows[row], *made = g_atomic_pointer_get(kept);
    if (made)
        return made;
    Place place = {windows, window, window->cfg->level, row};
    made = tnd_row_bursts_new(windows->memory, tnd_trace_end_ns(windows->trace), evaluate_row, &place);
    /* If another thread was faster, its row is taken; this one's memory is the windows'. */
    return g_atomic_pointer_compare_and_exchange(kept, NULL, made) ? made : g_atomic_pointer_get(kept);
}

typedef struct {
    TndWindows *windows;
    guint window;
    const gboolean *rows;
} Preparation;

static void prepare_row(guint row, gpointer data)
{
    const Preparation *preparation = data;
    if (!preparation->rows || preparation->rows[row])
        (void)tnd_windows_row(preparation->windows, preparation->window, row);
}

gboolean tnd_windows_prepare(TndWindows *windows, guint window, const gboolean *rows, TndCoresTeller *teller)
{
    Preparation preparation = {windows, window, rows};
    return tnd_cores_run_telling(teller, tnd_windows_n_rows(windows, window), prepare_row, &preparation);
}
