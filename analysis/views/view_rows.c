/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Functions are stages of a pipeline of bursts.  The rows of a group are walked through side by side.
 */
#include "analysis/views/view_rows.h"

#include "analysis/base/time_heap.h"
#include "analysis/views/view_formula.h"
#include "analysis/views/views.h"
#include "analysis/views/window_cpus.h"

/* A compose function between two streams of bursts. */
typedef struct {
    TndBurstStream in;
    const TndViewCompose *compose;
    TndSemanticMemory memory;
    TndBurstStream *out;
} Stage;

static void compose_bursts(const TndBurst *bursts, gsize n, gpointer data)
{
    Stage *stage = data;
    const TndSemanticCompose *function = stage->compose->function;
    const TndSemanticCall *call = &stage->compose->call.call;
    for (gsize i = 0; i < n; i++)
        if (function->value)
            tnd_burst_stream_append(
                stage->out, (TndBurst){bursts[i].begin_ns, bursts[i].end_ns, function->value(&bursts[i], call)});
        else
            function->follow(&stage->memory, &bursts[i], call, stage->out);
}

/* Starts a stage, and returns the stream to write its input to.  The stage must not be moved until it ends. */
static TndBurstStream *start_stage(Stage *stage, const TndViewPlan *plan, const TndViewCompose *compose,
                                   TndBurstStream *out)
{
    stage->compose = compose;
    stage->memory = (TndSemanticMemory){0};
    stage->out = out;
    if (!compose->function->value && !compose->function->follow)
        return out;
    tnd_burst_stream_start(&stage->in, tnd_trace_end_ns(plan->trace), compose_bursts, stage);
    return &stage->in;
}

static void end_stage(Stage *stage)
{
    const TndSemanticCompose *function = stage->compose->function;
    if (function->value || function->follow)
        tnd_burst_stream_finish(&stage->in);
    if (stage->memory.values)
        g_array_unref(stage->memory.values);
}

/* A row of a level of a view. */
typedef struct {
    const TndViewPlan *plan;
    TndLevel level;
    guint row;
} Place;

static gboolean evaluate_level(const Place *place, TndBurstStream *stream);

static void evaluate_place(TndBurstStream *stream, gpointer place)
{
    evaluate_level(place, stream);
}

/* A burst of the group begins whenever a child's does.  At one time at most n children are moved on, as in Paraver:
 * bursts without length beyond that give bursts of their own. */
static void group(TndBurstWalk *children, guint n, const TndSemanticGroup *function, const TndSemanticCall *call,
                  TndBurstStream *stream)
{
    if (n == 0 || call->end_ns == 0)
        return; /* finishing the stream makes a burst of 0 */
    TndSemanticValues values = tnd_semantic_group_start(n);
    TndTimeHeapEntry *heap =
        g_new(TndTimeHeapEntry, n); /* children by the end of their burst; of equal ends the first one added */
    guint64 turn = 0;
    for (guint i = n; i-- > 0;)
        tnd_semantic_group_change(&values, i, children[i].at->value);
    for (guint i = 0; i < n; i++)
        heap[i] = (TndTimeHeapEntry){children[i].at->end_ns, turn++, i};
    tnd_time_heap_make(heap, n);
    TndBurst burst = {0, heap[0].time_ns, function->value(&values, call)};
    tnd_burst_stream_append(stream, burst);
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
        tnd_burst_stream_append(stream, burst);
    }
    tnd_semantic_group_clear(&values);
    g_free(heap);
}

/* Combines rows of a level by a group function. */
static void group_rows(const TndViewPlan *plan, TndLevel level, const guint *rows, guint n,
                       const TndSemanticGroup *function, const TndSemanticCall *call, TndBurstStream *stream)
{
    TndLargeMemory *memory = tnd_large_memory_new(tnd_trace_path(plan->trace));
    TndBurstWalk *children = g_new(TndBurstWalk, n + 1);
    for (guint i = 0; i < n; i++) {
        Place child = {plan, level, rows[i]};
        children[i] =
            tnd_burst_walk_start(tnd_row_bursts_new(memory, tnd_trace_end_ns(plan->trace), evaluate_place, &child), 0);
    }
    group(children, n, function, call, stream);
    for (guint i = 0; i < n; i++)
        tnd_burst_walk_end(&children[i]);
    g_free(children);
    tnd_large_memory_free(memory);
}

static void evaluate_group(const Place *place, TndBurstStream *stream)
{
    const TndViewPlan *plan = place->plan;
    guint first, n = tnd_levels_rows_below(plan->trace, place->level, place->row, &first);
    guint *rows = g_new(guint, n + 1);
    for (guint i = 0; i < n; i++)
        rows[i] = first + i;
    group_rows(plan, tnd_view_plan_level_below(place->level), rows, n, plan->groups[place->level],
               &plan->calls[place->level].call, stream);
    g_free(rows);
}

/* Combines the rows of the scope whose first row is this. */
static void evaluate_scope(const TndViewPlan *plan, guint row, TndBurstStream *stream)
{
    guint n_threads = tnd_trace_n_threads(plan->trace), n = 0;
    guint *rows = g_new(guint, n_threads + 1);
    for (guint other = row; other < n_threads; other++)
        if (plan->first_rows[other] == row)
            rows[n++] = other;
    group_rows(plan, TND_LEVEL_THREAD, rows, n, plan->scope_group, &plan->calls[TND_LEVEL_WORKLOAD].call, stream);
    g_free(rows);
}

/* TRUE: the first burst begins before the first record. */
static gboolean evaluate_thread(const Place *place, TndBurstStream *stream)
{
    const TndSemanticThread *function = place->plan->thread;
    TndSemanticRow row = {place->plan, place->row, &place->plan->calls[TND_LEVEL_THREAD].call, FALSE};
    if (function->evaluate)
        function->evaluate(&row, stream);
    else
        tnd_semantic_records_evaluate(function, &row, stream);
    return row.begins_before;
}

static TndSignal thread_on_cpu(gconstpointer data, guint row)
{
    const Place *cpu = data;
    const Place thread = {cpu->plan, TND_LEVEL_THREAD, row};
    GArray *bursts = g_array_new(FALSE, FALSE, sizeof(TndBurst));
    TndBurstStream stream;
    tnd_burst_stream_start(&stream, tnd_trace_end_ns(cpu->plan->trace), tnd_burst_stream_keep, bursts);
    gboolean begins_before = evaluate_level(&thread, &stream);
    tnd_burst_stream_finish(&stream);
    TndSignal signal = {.n = bursts->len};
    signal.bursts = (TndBurst *)(void *)g_array_free(bursts, FALSE);
    if (begins_before && signal.n > 0) /* the CPU is not known before the first record */
        signal.bursts[0].value = 0;
    return signal;
}

static void evaluate_cpu(const Place *place, TndBurstStream *stream)
{
    TndSignal signal = tnd_window_cpus_signal(place->plan->trace, place->row, thread_on_cpu, place);
    const TndSemanticGroup *function = place->plan->groups[TND_LEVEL_CPU];
    for (gsize i = 0; i < signal.n; i++) {
        TndSemanticValues one = {.values = &signal.bursts[i].value, .n = 1};
        signal.bursts[i].value = function->value(&one, &place->plan->calls[TND_LEVEL_CPU].call);
        tnd_burst_stream_append(stream, signal.bursts[i]);
    }
    g_free(signal.bursts);
}

/* Gives each burst the value of the burst `by` places further on (or back); 0 where there is none. */
static void shift_bursts(TndBurst *bursts, gsize n, int by)
{
    gsize distance = (gsize)ABS(by);
    for (gsize i = 0; i < n; i++) {
        gsize to = by > 0 ? i : n - 1 - i, from = by > 0 ? to + distance : to - distance;
        bursts[to].value = (by > 0 ? from < n : to >= distance) ? bursts[from].value : 0;
    }
}

/* Starts a walk over a row whose values are shifted.  Shifted bursts are put into `kept`, which must outlive the walk.
 */
static TndBurstWalk start_walk(const TndRowBursts *row, int shift, GArray *kept)
{
    if (!shift)
        return tnd_burst_walk_start(row, 0);
    tnd_row_bursts_each(row, tnd_burst_stream_keep, kept);
    shift_bursts((TndBurst *)(void *)kept->data, kept->len, shift);
    return tnd_burst_walk_start_array((const TndBurst *)(void *)kept->data, kept->len);
}

static void evaluate_derived(const Place *place, TndBurstStream *stream)
{
    const TndViewPlan *plan = place->plan;
    gboolean is_turned = tnd_view_level(plan->operands[0]) < tnd_view_level(plan->operands[1]); /* as Paraver has it */
    TndBurstWalk walks[2];
    GArray *kept[2];
    for (guint i = 0; i < 2; i++) {
        TndView *operand = plan->operands[is_turned ? 1 - i : i];
        guint row = tnd_levels_row_above(plan->trace, place->level, place->row, tnd_view_level(operand));
        kept[i] = g_array_new(FALSE, FALSE, sizeof(TndBurst));
        walks[i] = start_walk(tnd_view_row(operand, row), plan->window.shifts[i], kept[i]);
    }
    tnd_semantic_derived_evaluate(plan->derived, walks, plan->window.factors, tnd_trace_end_ns(plan->trace), stream);
    g_array_unref(kept[0]);
    g_array_unref(kept[1]);
}

/* Makes the bursts of a row of a level, its compose function included.  TRUE: it is a thread whose first burst begins
 * before the first record. */
static gboolean evaluate_level(const Place *place, TndBurstStream *stream)
{
    const TndViewPlan *plan = place->plan;
    gboolean begins_before = FALSE;
    Stage stage;
    TndBurstStream *in = start_stage(&stage, plan, &plan->composes[place->level], stream);
    if (plan->derived && place->level == plan->base)
        evaluate_derived(place, in);
    else if (place->level == TND_LEVEL_THREAD)
        begins_before = evaluate_thread(place, in);
    else if (place->level == TND_LEVEL_CPU)
        evaluate_cpu(place, in);
    else
        evaluate_group(place, in);
    end_stage(&stage);
    return begins_before;
}

void tnd_view_rows_evaluate(const TndViewPlan *plan, guint row, TndBurstStream *stream)
{
    const Place place = {plan, plan->window.level, row};
    if (plan->named) {
        tnd_view_formula_evaluate(plan->definition->formula, plan->named, row, tnd_trace_end_ns(plan->trace), stream);
        return;
    }
    Stage *stages = g_new(Stage, plan->n_tops);
    for (guint i = plan->n_tops; i-- > 0;)
        stream = start_stage(&stages[i], plan, &plan->tops[i], stream);
    if (plan->scope_group)
        evaluate_scope(plan, row, stream);
    else
        evaluate_level(&place, stream);
    for (guint i = 0; i < plan->n_tops; i++)
        end_stage(&stages[i]);
    g_free(stages);
}
