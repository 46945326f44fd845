/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Texts of a view's values, and values by their texts.
 */
#include "analysis/base/likeness.h"
#include "analysis/base/quantity.h"
#include "analysis/views/views.h"
#include "formats/event_types.h"

#include <math.h>
#include <string.h>

/* The label of a value in the .pcf, or else in our own table of event types; NULL: it has none.  *has_labels: other
 * values of these types have labels. */
static const char *find_label(const TndViewTypes *types, const struct tnd_pcf *pcf, gint64 value, gboolean *has_labels)
{
    *has_labels = FALSE;
    for (guint i = 0; i < types->n_types; i++) {
        const struct tnd_pcf_type *type = tnd_pcf_type(pcf, types->types[i].type);
        const char *label = tnd_pcf_value_label(pcf, types->types[i].type, value);
        *has_labels |= type && type->n_values > 0;
        if (label)
            return label;
    }
    for (guint i = 0; i < types->n_types; i++) {
        const struct tnd_event_type *ours = tnd_event_types_find(types->types[i].type);
        const struct tnd_event_value *known = tnd_event_types_value(types->types[i].type, value);
        *has_labels |= ours && ours->n_values > 0;
        if (known)
            return known->label;
    }
    return NULL;
}

static char *text_of(const TndView *view, double value)
{
    const TndViewPlan *plan = &view->plan;
    const TndViewRule *rule = &view->rule;
    const struct tnd_pcf *pcf = tnd_trace_pcf(plan->trace);
    if (rule->palette != TND_PALETTE_CODE || value != floor(value) || fabs(value) > 9e18)
        return tnd_quantity_text(value, rule->unit);
    if (rule->are_rows && value >= 0 && value <= tnd_trace_n_threads(plan->trace))
        return g_strdup(value == 0 ? "Outside" : tnd_trace_thread(plan->trace, (guint)value - 1)->name);
    if (rule->labels && value >= 0 && value <= g_strv_length((char **)rule->labels))
        return g_strdup(value == 0 ? "Outside" : rule->labels[(guint)value - 1]);
    gboolean is_state = plan->keeps_labels && plan->thread->kind == TND_SEMANTIC_STATES, has_labels;
    const char *label =
        is_state ? tnd_pcf_state_label(pcf, (gint64)value) : find_label(&plan->types, pcf, (gint64)value, &has_labels);
    if (label)
        return g_strdup(label);
    char *number = tnd_quantity_text(value, "");
    char *text;
    if (is_state)
        text = g_strdup_printf("State %s", number);
    else if (value == 0.0 && has_labels)
        text = g_strdup("Outside");
    else
        text = has_labels ? g_strdup_printf("Value %s", number) : g_strdup(number);
    g_free(number);
    return text;
}

/* The text of a value in a window of a configuration, as in Paraver. */
static char *text_of_window(const TndView *view, double value)
{
    const TndViewPlan *plan = &view->plan;
    const struct tnd_pcf *pcf = tnd_trace_pcf(plan->trace);
    const TndNumbers *types = &plan->window.filters[TND_FILTER_TYPE].values;
    gboolean has_labels = plan->keeps_labels && fabs(value) < 0x1p63;
    gboolean is_event = has_labels && plan->thread->kind == TND_SEMANTIC_EVENTS;
    const char *label = NULL;
    if (has_labels && plan->thread->kind == TND_SEMANTIC_STATES)
        label = tnd_pcf_state_label(pcf, (gint64)value);
    for (guint i = 0; i < types->n && is_event && !label; i++)
        if (types->values[i] >= 0 && types->values[i] <= G_MAXUINT32)
            label = tnd_pcf_value_label(pcf, (guint32)types->values[i], (gint64)value);
    if (!label && value == 0 && is_event)
        label = "End";
    return label ? g_strdup(label) : tnd_quantity_text(value, view->rule.unit);
}

char *tnd_view_value_text(const TndView *view, double value)
{
    return view->cfg ? text_of_window(view, value) : text_of(view, value);
}

/* Calls `see` with the text of each value that occurs, once, until it returns FALSE. */
typedef struct {
    TndView *view;
    GHashTable *seen;
    gboolean goes_on;
    gboolean (*see)(const char *text, double value, gpointer data);
    gpointer data;
} Texts;

static void see_bursts(const TndBurst *bursts, gsize n, gpointer data)
{
    Texts *texts = data;
    for (gsize i = 0; i < n && texts->goes_on; i++) {
        double value = bursts[i].value;
        if ((i > 0 && value == bursts[i - 1].value) || g_hash_table_contains(texts->seen, &value))
            continue;
        g_hash_table_add(texts->seen, g_memdup2(&value, sizeof value));
        char *text = tnd_view_value_text(texts->view, value);
        texts->goes_on = texts->see(text, value, texts->data);
        g_free(text);
    }
}

static void for_each_text(TndView *view, gboolean (*see)(const char *text, double value, gpointer data), gpointer data)
{
    GHashTable *seen = g_hash_table_new_full(g_double_hash, g_double_equal, g_free, NULL);
    Texts texts = {view, seen, TRUE, see, data};
    for (guint row = 0; row < tnd_view_n_rows(view) && texts.goes_on; row++)
        tnd_view_each_burst(view, row, see_bursts, &texts);
    g_hash_table_unref(seen);
}

struct search {
    const char *text;
    double value;
    gboolean is_found;
    GArray *nears; /* Near */
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
