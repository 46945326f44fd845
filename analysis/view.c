/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A view of a trace: bursts of each row, made on first use and kept, with a pyramid of summaries over them so that any
 * stretch of a row is summed up in O(log n).
 *
 * Memory: 24 bytes a burst and 2 for the pyramid.  Rows may be asked for by several threads at once.
 */
#include "analysis/view.h"

#include "analysis/likeness.h"
#include "analysis/views.h"

#include <gio/gio.h>
#include <math.h>
#include <string.h>

/* Bursts that a node of the lowest level sums up. */
#define BLOCK 16

/* What a stretch of bursts comes to: its values that are not 0 and hold for some time; +inf and -inf if there is none.
 */
typedef struct {
    double minimum, maximum;
} Summary;

typedef struct {
    TndBurst *bursts;
    gsize n_bursts;
    Summary *nodes; /* level 0, then 1, ... : a node of level k sums up BLOCK << k whole bursts */
    gsize n_blocks; /* nodes of level 0; a level has half of the one below, rounded down */
} Row;

struct TndView {
    const TndTrace *trace;
    const TndViewDefinition *definition;
    TndViewRule rule; /* the definition's, or with the names of a choice */
    char *name, *title;
    TndViewTypes types;
    Row **rows; /* NULL: not made yet */
};

static const Summary nothing = {INFINITY, -INFINITY};

/* Both without branches: values have no pattern that a processor could guess. */
static inline void add_summary(Summary *summary, Summary other)
{
    summary->minimum = other.minimum < summary->minimum ? other.minimum : summary->minimum;
    summary->maximum = other.maximum > summary->maximum ? other.maximum : summary->maximum;
}

static inline void add_bursts(Summary *summary, const Row *row, gsize from, gsize to)
{
    for (gsize i = from; i < to; i++) {
        const TndBurst *burst = &row->bursts[i];
        gboolean counts = (burst->value != 0.0) & (burst->end_ns > burst->begin_ns);
        add_summary(summary, (Summary){counts ? burst->value : INFINITY, counts ? burst->value : -INFINITY});
    }
}

/* The value of the largest magnitude, the positive one of two; 0 if there is none. */
static inline double peak(Summary summary)
{
    double high = MAX(summary.maximum, 0.0), low = MIN(summary.minimum, 0.0);
    return high >= -low ? high : low;
}

static void build_pyramid(Row *row)
{
    row->n_blocks = row->n_bursts / BLOCK;
    row->nodes = g_new(Summary, 2 * row->n_blocks + 1);
    for (gsize block = 0; block < row->n_blocks; block++) {
        row->nodes[block] = nothing;
        add_bursts(&row->nodes[block], row, block * BLOCK, (block + 1) * BLOCK);
    }
    Summary *below = row->nodes;
    for (gsize n = row->n_blocks; n > 1; n /= 2) {
        Summary *level = below + n;
        for (gsize i = 0; i < n / 2; i++) {
            level[i] = below[2 * i];
            add_summary(&level[i], below[2 * i + 1]);
        }
        below = level;
    }
}

/* Bursts [from, to). */
static Summary sum_up(const Row *row, gsize from, gsize to)
{
    Summary summary = nothing;
    gsize low = (from + BLOCK - 1) / BLOCK, high = to / BLOCK;
    if (low >= high) {
        add_bursts(&summary, row, from, to);
        return summary;
    }
    add_bursts(&summary, row, from, low * BLOCK);
    add_bursts(&summary, row, high * BLOCK, to);
    const Summary *level = row->nodes;
    for (gsize n = row->n_blocks; low < high; low /= 2, high /= 2, level += n, n /= 2) {
        if (low & 1)
            add_summary(&summary, level[low++]);
        if (high & 1)
            add_summary(&summary, level[--high]);
    }
    return summary;
}

static void free_row(Row *row)
{
    if (!row)
        return;
    g_free(row->bursts);
    g_free(row->nodes);
    g_free(row);
}

static TndBurst *make_bursts(const TndView *view, guint row, gsize *n_bursts)
{
    const TndViewDefinition *definition = view->definition;
    if (definition->evaluate_all)
        return definition->evaluate_all(definition, view->trace, n_bursts);
    return definition->evaluate(definition, tnd_trace_thread(view->trace, row), &view->types,
                                tnd_trace_end_ns(view->trace), n_bursts);
}

static const Row *get_row(TndView *view, guint index)
{
    if (view->definition->evaluate_all)
        index = 0;
    Row *row = g_atomic_pointer_get(&view->rows[index]);
    if (row)
        return row;
    row = g_new0(Row, 1);
    row->bursts = make_bursts(view, index, &row->n_bursts);
    build_pyramid(row);
    if (!g_atomic_pointer_compare_and_exchange(&view->rows[index], NULL, row)) {
        free_row(row); /* another thread was faster */
        row = g_atomic_pointer_get(&view->rows[index]);
    }
    return row;
}

const TndViewRule *const *tnd_view_rules(void)
{
    static const TndViewRule **rules;
    if (g_once_init_enter(&rules)) {
        const TndViewRule **list = g_new0(const TndViewRule *, tnd_views_n + 1);
        for (guint i = 0; i < tnd_views_n; i++)
            list[i] = &tnd_views_table[i].rule;
        g_once_init_leave(&rules, list);
    }
    return rules;
}

/* The types that the definition finds in the trace. */
static GArray *present_types(const TndTrace *trace, const TndViewDefinition *definition)
{
    GArray *types = g_array_new(FALSE, FALSE, sizeof(guint32));
    guint n;
    const TndTraceType *present = tnd_trace_types(trace, &n);
    for (guint i = 0; i < n; i++)
        if (definition->last_type && present[i].type >= definition->first_type &&
            present[i].type <= definition->last_type)
            g_array_append_val(types, present[i].type);
    if (definition->choose_types)
        definition->choose_types(trace, types);
    return types;
}

static gboolean is_about_states(const TndViewDefinition *definition)
{
    return !definition->last_type && !definition->choose_types;
}

static gboolean has_state(const TndTrace *trace, guint32 state)
{
    for (guint row = 0; row < tnd_trace_n_threads(trace); row++) {
        const TndThread *thread = tnd_trace_thread(trace, row);
        for (gsize i = 0; i < thread->n_states; i++)
            if (!state || thread->states[i].state == state)
                return TRUE;
    }
    return FALSE;
}

gboolean tnd_view_available(const TndTrace *trace, const TndViewRule *rule)
{
    for (guint i = 0; i < tnd_views_n; i++) {
        const TndViewDefinition *definition = &tnd_views_table[i];
        if (strcmp(definition->rule.name, rule->name) != 0)
            continue;
        if (is_about_states(definition))
            return has_state(trace, definition->state);
        GArray *types = present_types(trace, definition);
        gboolean any = types->len > 0;
        g_array_unref(types);
        return any;
    }
    return FALSE;
}

/* "TYPE[,TYPE]" to types; FALSE if it is something else. */
static gboolean parse_types(const char *text, GArray *types)
{
    char **words = g_strsplit(text, ",", -1);
    gboolean good = words[0] != NULL;
    for (guint i = 0; good && words[i]; i++) {
        guint64 number;
        good = g_ascii_string_to_unsigned(words[i], 10, 0, G_MAXUINT32, &number, NULL);
        guint32 type = (guint32)number;
        if (good)
            g_array_append_val(types, type);
    }
    g_strfreev(words);
    return good;
}

static void set_unknown(GError **error, const char *name)
{
    GString *names = g_string_new(NULL);
    for (guint i = 0; i < tnd_views_n; i++)
        g_string_append_printf(names, "%s%s", i ? ", " : "", tnd_views_table[i].rule.name);
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "no view is called \"%s\"; there are: %s", name, names->str);
    g_string_free(names, TRUE);
}

static void set_types(TndView *view, const GArray *types)
{
    view->types.n_types = types->len;
    view->types.types = g_memdup2(types->data, types->len * sizeof(guint32));
    view->types.factors = g_new(double, types->len + 1);
    for (guint i = 0; i < types->len; i++) {
        const struct tnd_pcf_type *type = tnd_pcf_type(tnd_trace_pcf(view->trace), view->types.types[i]);
        view->types.factors[i] = type && type->precision ? pow(10.0, -type->precision) : 1.0;
    }
}

/* A view of chosen types is called after the first of them. */
static void set_title(TndView *view, const char *argument)
{
    if (!view->definition->takes_types || view->types.n_types == 0)
        return;
    view->rule.legend_type = view->types.types[0];
    if (!argument)
        return;
    const struct tnd_pcf_type *type = tnd_pcf_type(tnd_trace_pcf(view->trace), view->types.types[0]);
    view->title = type ? g_strdup(type->label) : g_strdup_printf("Events %s", argument);
    view->name = g_strconcat(view->rule.name, ":", argument, NULL);
    view->rule.title = view->title;
    view->rule.name = view->name;
}

TndView *tnd_view_new(const TndTrace *trace, const char *name, GError **error)
{
    const char *colon = strchr(name, ':');
    gsize length = colon ? (gsize)(colon - name) : strlen(name);
    const TndViewDefinition *definition = NULL;
    for (guint i = 0; i < tnd_views_n; i++) {
        const TndViewDefinition *candidate = &tnd_views_table[i];
        if (strncmp(candidate->rule.name, name, length) == 0 && candidate->rule.name[length] == '\0' &&
            (!colon || candidate->takes_types))
            definition = candidate;
    }
    if (!definition) {
        set_unknown(error, name);
        return NULL;
    }
    GArray *types = colon ? g_array_new(FALSE, FALSE, sizeof(guint32)) : present_types(trace, definition);
    if (colon && !parse_types(colon + 1, types)) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                    "\"%s\": after the colon come numbers of event types, as in user-events:1000,1001", name);
        g_array_unref(types);
        return NULL;
    }
    TndView *view = g_new0(TndView, 1);
    view->trace = trace;
    view->definition = definition;
    view->rule = definition->rule;
    set_types(view, types);
    set_title(view, colon ? colon + 1 : NULL);
    view->rows = g_new0(Row *, tnd_trace_n_threads(trace) + 1);
    g_array_unref(types);
    return view;
}

void tnd_view_free(TndView *view)
{
    if (!view)
        return;
    for (guint row = 0; row < tnd_trace_n_threads(view->trace); row++)
        free_row(view->rows[row]);
    g_free(view->rows);
    g_free(view->types.types);
    g_free(view->types.factors);
    g_free(view->name);
    g_free(view->title);
    g_free(view);
}

const TndViewRule *tnd_view_rule(const TndView *view)
{
    return &view->rule;
}

const TndTrace *tnd_view_trace(const TndView *view)
{
    return view->trace;
}

const TndBurst *tnd_view_bursts(TndView *view, guint row, gsize *n_bursts)
{
    const Row *made = get_row(view, row);
    *n_bursts = made->n_bursts;
    return made->bursts;
}

/* The first burst from `from` on that ends after time_ns: steps that double, then halves. */
static gsize find_ending_after(const Row *row, gsize from, guint64 time_ns)
{
    gsize low = from, step = 1;
    while (low + step < row->n_bursts && row->bursts[low + step - 1].end_ns <= time_ns) {
        low += step;
        step *= 2;
    }
    gsize high = MIN(low + step, row->n_bursts);
    while (low < high) {
        gsize middle = low + (high - low) / 2;
        if (row->bursts[middle].end_ns <= time_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The first burst from `from` on that begins at time_ns or later. */
static gsize find_beginning_at(const Row *row, gsize from, guint64 time_ns)
{
    if (time_ns == 0)
        return from;
    gsize index = find_ending_after(row, from, time_ns - 1); /* it holds at time_ns - 1, or ends at time_ns */
    while (index < row->n_bursts && row->bursts[index].begin_ns < time_ns)
        index++;
    return index;
}

const TndBurst *tnd_view_burst_at(TndView *view, guint row, guint64 time_ns)
{
    const Row *made = get_row(view, row);
    gsize index = find_ending_after(made, 0, time_ns);
    return index < made->n_bursts ? &made->bursts[index] : NULL;
}

char *tnd_view_value_text(const TndView *view, double value)
{
    return tnd_views_text(view->definition, &view->types, tnd_trace_pcf(view->trace), value);
}

/* Shows each text of the trace once, with its value, until `see` returns FALSE. */
static void for_each_text(TndView *view, gboolean (*see)(const char *text, double value, gpointer data), gpointer data)
{
    gboolean goes_on = TRUE;
    GHashTable *seen = g_hash_table_new_full(g_double_hash, g_double_equal, g_free, NULL);
    for (guint index = 0; index < tnd_trace_n_threads(view->trace) && goes_on; index++) {
        const Row *row = get_row(view, index);
        for (gsize i = 0; i < row->n_bursts && goes_on; i++) {
            double value = row->bursts[i].value;
            if (g_hash_table_contains(seen, &value))
                continue;
            g_hash_table_add(seen, g_memdup2(&value, sizeof value));
            char *text = tnd_view_value_text(view, value);
            goes_on = see(text, value, data);
            g_free(text);
        }
    }
    g_hash_table_unref(seen);
}

struct search {
    const char *text;
    double value;
    gboolean is_found;
    GArray *nears; /* of Near */
};

static gboolean see_the_same(const char *text, double value, gpointer data)
{
    struct search *search = data;
    search->is_found = strcmp(text, search->text) == 0;
    search->value = value;
    return !search->is_found;
}

gboolean tnd_view_find_text(TndView *view, const char *text, double *value)
{
    struct search search = {.text = text};
    for_each_text(view, see_the_same, &search);
    if (search.is_found)
        *value = search.value;
    return search.is_found;
}

typedef struct {
    char *text;
    guint distance;
} Near;

static gboolean see_a_near(const char *text, double value, gpointer data)
{
    struct search *search = data;
    Near near = {NULL, tnd_likeness_distance(search->text, text)};
    if (near.distance <= tnd_likeness_limit(search->text)) {
        near.text = g_strdup(text);
        g_array_append_val(search->nears, near);
    }
    return TRUE;
}

static int compare_nears(gconstpointer a, gconstpointer b)
{
    const Near *x = a, *y = b;
    return x->distance != y->distance ? (x->distance < y->distance ? -1 : 1) : strcmp(x->text, y->text);
}

char **tnd_view_near_texts(TndView *view, const char *text, guint n)
{
    struct search search = {.text = text, .nears = g_array_new(FALSE, FALSE, sizeof(Near))};
    for_each_text(view, see_a_near, &search);
    g_array_sort(search.nears, compare_nears);
    char **texts = g_new0(char *, n + 1);
    for (guint i = 0; i < search.nears->len; i++) {
        char *near = g_array_index(search.nears, Near, i).text;
        if (i < n)
            texts[i] = near;
        else
            g_free(near);
    }
    g_array_unref(search.nears);
    return texts;
}

gboolean tnd_view_range(TndView *view, guint64 begin_ns, guint64 end_ns, double *minimum, double *maximum)
{
    Summary summary = nothing;
    for (guint row = 0; row < tnd_trace_n_threads(view->trace) && begin_ns < end_ns; row++) {
        const Row *made = get_row(view, row);
        gsize from = find_ending_after(made, 0, begin_ns);
        add_summary(&summary, sum_up(made, from, find_beginning_at(made, from, end_ns)));
    }
    if (summary.minimum > summary.maximum)
        return FALSE;
    *minimum = summary.minimum;
    *maximum = summary.maximum;
    return TRUE;
}

void tnd_view_columns(TndView *view, guint row, guint64 begin_ns, guint64 end_ns, guint n_columns, double *values)
{
    const Row *made = get_row(view, row);
    guint64 span_ns = end_ns > begin_ns ? end_ns - begin_ns : 0;
    /* A column ends at begin_ns + span_ns * (column + 1) / n_columns, rounded down: without dividing each time. */
    guint64 step_ns = n_columns ? span_ns / n_columns : 0, left_over = n_columns ? span_ns % n_columns : 0, carry = 0;
    guint64 left = begin_ns;
    gsize from = 0;
    for (guint column = 0; column < n_columns; column++) {
        guint64 right = left + step_ns;
        carry += left_over;
        if (carry >= n_columns) {
            carry -= n_columns;
            right++;
        }
        from = find_ending_after(made, from, left);
        gsize to = find_beginning_at(made, from, MAX(right, left + 1));
        values[column] = peak(sum_up(made, from, to));
        left = right;
        from = to > from ? to - 1 : from;
    }
}
