/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Windows: the value of a row is Top1(extra tops(Top2(Compose(F(rows below))))), from the threads' records up, or of
 * two other windows' rows.
 *
 * Memory: 24 bytes a burst of every row that was asked for, and of those below while it is made.
 */
#include "analysis/windows.h"

#include "analysis/burst_stream.h"
#include "analysis/quantity.h"
#include "analysis/semantic.h"
#include "analysis/window_cpus.h"
#include "analysis/window_limits.h"

#include <gio/gio.h>
#include <math.h>
#include <string.h>

/* A window with its functions found. */
typedef struct {
    TndCfgWindow own; /* as in the file, but for its level and the events of its filters */
    const TndCfgWindow *cfg;
    TndLevel base; /* where it begins: threads, CPUs, or the finer of the two that it is made of */
    const TndSemanticThread *thread;
    const TndSemanticGroup *groups[TND_LEVEL_N]; /* that of a CPU, too */
    const TndSemanticCompose *composes[TND_LEVEL_N];
    const TndSemanticCompose *tops[2];
    const TndSemanticCompose **extra_tops;
    const TndSemanticDerived *derived;
    TndSignal *rows; /* bursts NULL: not made yet */
    double unit_ns;
} Window;

struct TndWindows {
    const TndTrace *trace;
    const TndCfg *cfg;
    TndMessageIndex *index; /* NULL: not asked for yet */
    TndWindowCpus *cpus;    /* likewise */
    Window *windows;
};

const TndTrace *tnd_windows_trace(const TndWindows *windows)
{
    return windows->trace;
}

const TndCfg *tnd_windows_cfg(const TndWindows *windows)
{
    return windows->cfg;
}

/* The level whose rows make up those of this one. */
static TndLevel level_below(TndLevel level)
{
    return (TndLevel)(level + 1);
}

/* Parameters. */

typedef struct {
    TndNumbers parameters[TND_CALL_PARAMETERS];
    double defaults[TND_CALL_PARAMETERS];
    TndSemanticCall call;
} Call;

/* What the file gives, else the defaults. */
static const TndSemanticCall *make_call(Call *made, const TndWindows *windows, const Window *window,
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

/* Evaluation. */

static TndSignal evaluate_thread(TndWindows *windows, const Window *window, guint row)
{
    const TndSemanticThread *function = window->thread;
    if ((function->needs & TND_RECORD_IS_MESSAGE) && !windows->index)
        windows->index = tnd_semantic_records_index(windows->trace);
    TndRecords records =
        tnd_semantic_records_of(windows->trace, windows->index, window->cfg, row, function->needs, window->unit_ns);
    Call made;
    const TndSemanticCall *call =
        make_call(&made, windows, window, &window->cfg->calls[TND_LEVEL_THREAD], &function->name);
    GArray *bursts = g_array_new(FALSE, FALSE, sizeof(TndBurst));
    TndBurstStream stream;
    tnd_burst_stream_start(&stream, tnd_trace_end_ns(windows->trace), tnd_burst_stream_keep, bursts);
    double value = function->value(&records, -1, call, 0);
    tnd_burst_stream_begin(&stream, 0, value);
    gboolean begins_before = TRUE;
    for (gsize i = 0; i < records.n; i++) {
        if (!records.records[i].passes || !function->is_valid(&records, i))
            continue;
        value = function->value(&records, (gssize)i, call, value);
        begins_before &= records.records[i].time_ns > 0;
        tnd_burst_stream_begin(&stream, records.records[i].time_ns, value);
    }
    tnd_semantic_records_clear(&records);
    tnd_burst_stream_finish(&stream);
    TndSignal signal = {.n = bursts->len, .begins_before = begins_before};
    signal.bursts = (TndBurst *)(void *)g_array_free(bursts, FALSE);
    return signal;
}

static void compose(const TndWindows *windows, const Window *window, const TndSemanticCompose *function,
                    const TndCall *given, TndSignal *signal)
{
    Call made;
    const TndSemanticCall *call = make_call(&made, windows, window, given, &function->name);
    if (function->whole)
        function->whole(signal, call);
    else
        for (gsize i = 0; i < signal->n; i++)
            signal->bursts[i].value = function->value(&signal->bursts[i], call);
}

/* Children in the order in which their bursts end; of equal ones the one that came first. */
typedef struct {
    guint64 end_ns, turn;
    guint child;
} Ending;

static gboolean is_earlier(const Ending *a, const Ending *b)
{
    return a->end_ns != b->end_ns ? a->end_ns < b->end_ns : a->turn < b->turn;
}

/* The first of a heap has changed. */
static void sift_down(Ending *heap, guint n)
{
    guint at = 0;
    for (guint child; (child = 2 * at + 1) < n; at = child) {
        if (child + 1 < n && is_earlier(&heap[child + 1], &heap[child]))
            child++;
        if (!is_earlier(&heap[child], &heap[at]))
            return;
        Ending other = heap[at];
        heap[at] = heap[child];
        heap[child] = other;
    }
}

static int compare_endings(gconstpointer a, gconstpointer b)
{
    return is_earlier(a, b) ? -1 : is_earlier(b, a);
}

/* A burst begins whenever one of a child does; at one time each child moves on at most as often as there are
 * children, as Paraver has it. */
static TndSignal group(const TndSignal *children, guint n, const TndSemanticGroup *function,
                       const TndSemanticCall *call)
{
    GArray *bursts = g_array_new(FALSE, FALSE, sizeof(TndBurst));
    if (n == 0 || call->end_ns == 0) {
        TndBurst nothing = {0, call->end_ns, 0};
        gsize n_nothing = call->end_ns > 0;
        g_array_append_val(bursts, nothing);
        return (TndSignal){.bursts = (TndBurst *)(void *)g_array_free(bursts, FALSE), .n = n_nothing};
    }
    TndSemanticValues values = tnd_semantic_group_start(n);
    gsize *at = g_new0(gsize, n);
    Ending *heap = g_new(Ending, n);
    guint64 turn = 0;
    for (guint i = n; i-- > 0;)
        tnd_semantic_group_change(&values, i, children[i].bursts[0].value);
    for (guint i = 0; i < n; i++)
        heap[i] = (Ending){children[i].bursts[0].end_ns, turn++, i};
    qsort(heap, n, sizeof *heap, compare_endings);
    TndBurst burst = {0, heap[0].end_ns, function->value(&values, call)};
    g_array_append_val(bursts, burst);
    while (burst.end_ns < call->end_ns) {
        burst.begin_ns = burst.end_ns;
        for (guint moved = 0; moved < n && heap[0].end_ns == burst.begin_ns; moved++) {
            guint child = heap[0].child;
            const TndBurst *next = &children[child].bursts[++at[child]];
            tnd_semantic_group_change(&values, child, next->value);
            heap[0] = (Ending){next->end_ns, turn++, child};
            sift_down(heap, n);
        }
        burst.end_ns = heap[0].end_ns;
        burst.value = function->value(&values, call);
        g_array_append_val(bursts, burst);
    }
    tnd_semantic_group_clear(&values);
    g_free(at);
    g_free(heap);
    gsize n_bursts = bursts->len;
    return (TndSignal){.bursts = (TndBurst *)(void *)g_array_free(bursts, FALSE), .n = n_bursts};
}

static TndSignal evaluate_level(TndWindows *windows, const Window *window, TndLevel level, guint row);

static TndSignal evaluate_group(TndWindows *windows, const Window *window, TndLevel level, guint row)
{
    guint first, n = tnd_levels_rows_below(windows->trace, level, row, &first);
    TndSignal *children = g_new(TndSignal, n + 1);
    for (guint i = 0; i < n; i++)
        children[i] = evaluate_level(windows, window, level_below(level), first + i);
    Call made;
    const TndSemanticGroup *function = window->groups[level];
    const TndSemanticCall *call = make_call(&made, windows, window, &window->cfg->calls[level], &function->name);
    TndSignal signal = group(children, n, function, call);
    for (guint i = 0; i < n; i++)
        g_free(children[i].bursts);
    g_free(children);
    return signal;
}

typedef struct {
    TndWindows *windows;
    const Window *window;
} CpuSource;

static TndSignal thread_on_cpu(void *data, guint row)
{
    CpuSource *source = data;
    TndSignal signal = evaluate_level(source->windows, source->window, TND_LEVEL_THREAD, row);
    if (signal.begins_before && signal.n > 0)
        signal.bursts[0].value = 0;
    return signal;
}

static TndSignal evaluate_cpu(TndWindows *windows, const Window *window, guint row)
{
    if (!windows->cpus)
        windows->cpus = tnd_window_cpus_new(windows->trace, tnd_levels_n_rows(windows->trace, TND_LEVEL_CPU));
    CpuSource source = {windows, window};
    TndSignal signal =
        tnd_window_cpus_signal(windows->cpus, row, tnd_trace_end_ns(windows->trace), thread_on_cpu, &source);
    Call made;
    const TndSemanticGroup *function = window->groups[TND_LEVEL_CPU];
    const TndSemanticCall *call =
        make_call(&made, windows, window, &window->cfg->calls[TND_LEVEL_CPU], &function->name);
    for (gsize i = 0; i < signal.n; i++) {
        TndSemanticValues one = {.values = &signal.bursts[i].value, .n = 1};
        signal.bursts[i].value = function->value(&one, call);
    }
    return signal;
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

static TndSignal evaluate_derived(TndWindows *windows, const Window *window, guint row)
{
    guint parents[2] = {window->cfg->parents[0], window->cfg->parents[1]};
    if (windows->windows[parents[0]].cfg->level < windows->windows[parents[1]].cfg->level) { /* as Paraver has it */
        parents[0] = window->cfg->parents[1];
        parents[1] = window->cfg->parents[0];
    }
    TndLevel level = windows->windows[parents[0]].cfg->level;
    TndSignal signals[2];
    for (guint i = 0; i < 2; i++) {
        guint above = tnd_levels_row_above(windows->trace, level, row, windows->windows[parents[i]].cfg->level);
        const TndBurst *made = tnd_windows_bursts(windows, parents[i], above, &signals[i].n);
        signals[i].bursts = g_memdup2(made, signals[i].n * sizeof *made);
        if (window->cfg->shifts[i])
            shift_bursts(signals[i].bursts, signals[i].n, window->cfg->shifts[i]);
    }
    TndSignal signal = tnd_semantic_derived_signal(window->derived, &signals[0], &signals[1], window->cfg->factors,
                                                   tnd_trace_end_ns(windows->trace));
    g_free(signals[0].bursts);
    g_free(signals[1].bursts);
    return signal;
}

/* A level's value of a row, composed. */
static TndSignal evaluate_level(TndWindows *windows, const Window *window, TndLevel level, guint row)
{
    TndSignal signal;
    if (window->cfg->is_derived && level == window->base)
        signal = evaluate_derived(windows, window, row);
    else if (level == TND_LEVEL_THREAD)
        signal = evaluate_thread(windows, window, row);
    else if (level == TND_LEVEL_CPU)
        signal = evaluate_cpu(windows, window, row);
    else
        signal = evaluate_group(windows, window, level, row);
    compose(windows, window, window->composes[level], &window->cfg->calls[TND_PLACE_COMPOSE + level], &signal);
    return signal;
}

const TndBurst *tnd_windows_bursts(TndWindows *windows, guint index, guint row, gsize *n_bursts)
{
    Window *window = &windows->windows[index];
    TndSignal *signal = &window->rows[row];
    if (!signal->bursts) {
        *signal = evaluate_level(windows, window, window->cfg->level, row);
        compose(windows, window, window->tops[1], &window->cfg->calls[TND_PLACE_TOP_2], signal);
        for (guint i = 0; window->cfg->extra_tops && i < window->cfg->extra_tops->len; i++)
            compose(windows, window, window->extra_tops[i], &g_array_index(window->cfg->extra_tops, TndCall, i),
                    signal);
        compose(windows, window, window->tops[0], &window->cfg->calls[TND_PLACE_TOP_1], signal);
    }
    *n_bursts = signal->n;
    return signal->bursts;
}

/* Names. */

double tnd_windows_unit_ns(const TndWindows *windows, guint window)
{
    return windows->windows[window].unit_ns;
}

const char *tnd_windows_unit_name(guint unit)
{
    static const char *const names[] = {"ns", "us", "ms", "s", "min", "h", "d"};
    return names[unit];
}

const TndCfgWindow *tnd_windows_window(const TndWindows *windows, guint window)
{
    return windows->windows[window].cfg;
}

TndLevel tnd_windows_level(const TndWindows *windows, guint window)
{
    return windows->windows[window].cfg->level;
}

guint tnd_windows_n_rows(const TndWindows *windows, guint window)
{
    return tnd_levels_n_rows(windows->trace, windows->windows[window].cfg->level);
}

static gboolean is_named(const TndSemanticName *known, const TndCall *call, const char *fallback)
{
    return strcmp(known->name, call->name ? call->name : fallback) == 0;
}

/* Whether a window's values still are those of its threads, whose labels they have. */
static gboolean keeps_labels(const Window *window)
{
    static const char *const keepers[] = {
        "As Is", "Select Range", "Select Range [)", "Is Equal",   "Floor",          "Ceil",    "Round",
        "Abs",   "Stacked Val",  "Join Bursts",     "Timer",      "Translate",      "Maximum", "Minimum",
        "Mode",  "Thread i",     "Changed value",   "Active Thd", "Active Thd Val", NULL};
    gboolean keeps = !window->cfg->extra_tops && g_strv_contains(keepers, window->tops[0]->name.name) &&
                     g_strv_contains(keepers, window->tops[1]->name.name) &&
                     g_strv_contains(keepers, window->composes[TND_LEVEL_THREAD]->name.name);
    for (TndLevel level = window->cfg->level; level != TND_LEVEL_THREAD && level < TND_LEVEL_N;
         level = level_below(level))
        keeps = keeps && g_strv_contains(keepers, window->groups[level]->name.name) &&
                g_strv_contains(keepers, window->composes[level]->name.name);
    return keeps;
}

char *tnd_windows_value_text(const TndWindows *windows, guint index, double value)
{
    static const char *const of_states[] = {"State As Is", "Useful", "Given State", NULL};
    static const char *const of_values[] = {"Last Evt Val", "Last Evt Val w/o Bursts", "Next Evt Val", "Given Evt Val",
                                            NULL};
    const Window *window = &windows->windows[index];
    const struct tnd_pcf *pcf = tnd_trace_pcf(windows->trace);
    const char *label = NULL, *name = window->thread ? window->thread->name.name : "";
    gboolean has_labels = window->thread && keeps_labels(window) && fabs(value) < 0x1p63;
    if (has_labels && g_strv_contains(of_states, name))
        label = tnd_pcf_state_label(pcf, (gint64)value);
    const TndNumbers *types = &window->cfg->filters[TND_FILTER_TYPE].values;
    gboolean is_value = has_labels && g_strv_contains(of_values, name);
    for (guint i = 0; i < types->n && is_value && !label; i++)
        if (types->values[i] >= 0 && types->values[i] <= G_MAXUINT32)
            label = tnd_pcf_value_label(pcf, (guint32)types->values[i], (gint64)value);
    if (!label && value == 0 && is_value)
        label = "End"; /* as Paraver has it */
    return label ? g_strdup(label) : tnd_quantity_text(value, "");
}

/* Functions by name. */

/* The function of a call in a table that ends with a NULL name. */
#define FIND(found, table, call, fallback)                                                                             \
    for (guint entry = 0; (table)[entry].name.name && !(found); entry++)                                               \
        if (is_named(&(table)[entry].name, (call), (fallback)))                                                        \
            (found) = &(table)[entry];

static gboolean complain(GError **error, const TndCfg *cfg, const TndCfgWindow *window, const char *what,
                         const TndCall *call)
{
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "%s: window \"%s\": %s \"%s\" is not supported", cfg->path,
                window->name, what, call->name ? call->name : "");
    return FALSE;
}

static gboolean find_composes(Window *window, const TndCfg *cfg, GError **error)
{
    const TndCfgWindow *given = window->cfg;
    const TndSemanticCompose **places[] = {&window->tops[0], &window->tops[1]};
    for (guint i = 0; i < TND_LEVEL_N; i++) {
        const TndCall *call = &given->calls[TND_PLACE_COMPOSE + i];
        FIND(window->composes[i], tnd_semantic_composes, call, "As Is")
        if (!window->composes[i])
            return complain(error, cfg, given, "compose function", call);
    }
    for (guint i = 0; i < G_N_ELEMENTS(places); i++) {
        const TndCall *call = &given->calls[TND_PLACE_TOP_1 + i];
        FIND(*places[i], tnd_semantic_composes, call, "As Is")
        if (!*places[i])
            return complain(error, cfg, given, "compose function", call);
    }
    guint n_extra = given->extra_tops ? given->extra_tops->len : 0;
    window->extra_tops = g_new0(const TndSemanticCompose *, n_extra + 1);
    for (guint i = 0; i < n_extra; i++) {
        const TndCall *call = &g_array_index(given->extra_tops, TndCall, i);
        FIND(window->extra_tops[i], tnd_semantic_composes, call, "As Is")
        if (!window->extra_tops[i])
            return complain(error, cfg, given, "compose function", call);
    }
    return TRUE;
}

static gboolean find_functions(Window *window, const TndCfg *cfg, GError **error)
{
    const TndSemanticThread *const tables[] = {tnd_semantic_states, tnd_semantic_events, tnd_semantic_messages,
                                               tnd_semantic_objects};
    const TndCfgWindow *given = window->cfg;
    if (given->is_derived) {
        FIND(window->derived, tnd_semantic_deriveds, &given->calls[TND_PLACE_DERIVED], "add")
        if (!window->derived)
            return complain(error, cfg, given, "function", &given->calls[TND_PLACE_DERIVED]);
    }
    for (guint i = 0; i < G_N_ELEMENTS(tables) && !given->is_derived; i++)
        FIND(window->thread, tables[i], &given->calls[TND_LEVEL_THREAD], "State As Is")
    if (!window->thread && !given->is_derived)
        return complain(error, cfg, given, "thread function", &given->calls[TND_LEVEL_THREAD]);
    for (guint level = 0; level < TND_LEVEL_N; level++) {
        const TndCall *call = &given->calls[level];
        if (level == TND_LEVEL_THREAD)
            continue;
        if (level == TND_LEVEL_CPU) {
            FIND(window->groups[level], tnd_semantic_cpus, call, "Active Thd")
        } else {
            FIND(window->groups[level], tnd_semantic_groups, call, "Adding")
        }
        if (!window->groups[level])
            return complain(error, cfg, given, "function", call);
    }
    return TRUE;
}

static gboolean refuse(GError **error, const TndCfg *cfg, const TndCfgWindow *window, const char *why)
{
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "%s: window \"%s\" %s", cfg->path, window->name, why);
    return FALSE;
}

/* A window of two others has the rows of the finer one, or such as are made up of them. */
static gboolean find_level(const TndWindows *windows, Window *window, GError **error)
{
    TndCfgWindow *own = &window->own;
    window->base = own->level > TND_LEVEL_THREAD ? TND_LEVEL_CPU : TND_LEVEL_THREAD;
    if (own->is_derived) {
        TndLevel levels[2] = {windows->windows[own->parents[0]].cfg->level,
                              windows->windows[own->parents[1]].cfg->level};
        window->base = MAX(levels[0], levels[1]);
        if (!tnd_levels_is_above(MIN(levels[0], levels[1]), window->base))
            return refuse(error, windows->cfg, own, "is of two windows, one of CPUs or nodes, one of threads or tasks");
        own->level = MIN(own->level, window->base);
        if (!tnd_levels_is_above(own->level, window->base))
            return refuse(error, windows->cfg, own, "is of a level that its two windows are not part of");
    }
    if (own->level >= TND_LEVEL_SYSTEM && tnd_levels_n_rows(windows->trace, TND_LEVEL_CPU) == 0)
        return refuse(error, windows->cfg, own, "is of CPUs, of which this trace tells nothing");
    return TRUE;
}

static gboolean find_events(const TndWindows *windows, TndCfgWindow *own, GError **error)
{
    TndNumbers found[] = {{0}, {0}};
    for (guint i = 0; i < G_N_ELEMENTS(found); i++)
        if (!tnd_window_limits_events(windows->trace, own, TND_FILTER_TYPE + i, &found[i], error)) {
            g_free(found[0].values);
            own->filters[TND_FILTER_TYPE].values.values = own->filters[TND_FILTER_VALUE].values.values = NULL;
            g_prefix_error(error, "%s: ", windows->cfg->path);
            return FALSE;
        }
    own->filters[TND_FILTER_TYPE].values = found[0];
    own->filters[TND_FILTER_VALUE].values = found[1];
    return TRUE;
}

static gboolean find_window(TndWindows *windows, guint index, GError **error)
{
    static const double units_ns[] = {1, 1e3, 1e6, 1e9, 60e9, 3600e9, 86400e9};
    Window *window = &windows->windows[index];
    window->own = *tnd_cfg_window(windows->cfg, index);
    window->cfg = &window->own;
    window->unit_ns = units_ns[window->own.unit];
    if (!find_events(windows, &window->own, error) || !find_level(windows, window, error))
        return FALSE;
    window->rows = g_new0(TndSignal, tnd_levels_n_rows(windows->trace, window->own.level) + 1);
    return find_functions(window, windows->cfg, error) && find_composes(window, windows->cfg, error);
}

TndWindows *tnd_windows_new(const TndTrace *trace, const TndCfg *cfg, GError **error)
{
    TndWindows *windows = g_new0(TndWindows, 1);
    windows->trace = trace;
    windows->cfg = cfg;
    windows->windows = g_new0(Window, cfg->windows->len);
    for (guint i = 0; i < cfg->windows->len; i++)
        if (!find_window(windows, i, error)) {
            tnd_windows_free(windows);
            return NULL;
        }
    return windows;
}

void tnd_windows_free(TndWindows *windows)
{
    if (!windows)
        return;
    for (guint i = 0; i < windows->cfg->windows->len; i++) {
        Window *window = &windows->windows[i];
        if (!window->cfg) /* it was not come to */
            break;
        for (guint row = 0; window->rows && row < tnd_windows_n_rows(windows, i); row++)
            g_free(window->rows[row].bursts);
        g_free(window->rows);
        g_free(window->own.filters[TND_FILTER_TYPE].values.values);
        g_free(window->own.filters[TND_FILTER_VALUE].values.values);
        g_free(window->extra_tops);
    }
    tnd_semantic_records_index_free(windows->index);
    tnd_window_cpus_free(windows->cpus);
    g_free(windows->windows);
    g_free(windows);
}
