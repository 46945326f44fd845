/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finds the event types of a view, by what occurs in the trace and by label.
 */
#include "analysis/views/views.h"

#include "formats/event_types.h"

#include <gio/gio.h>
#include <math.h>
#include <string.h>

/* How many labels an error message lists. */
#define MOST_LABELS 12

static gboolean is_of_definition(const TndViewDefinition *definition, guint32 type)
{
    return definition->last_type && type >= definition->first_type && type <= definition->last_type;
}

GArray *tnd_view_types_present(const TndTrace *trace, const TndViewDefinition *definition)
{
    GArray *types = g_array_new(FALSE, FALSE, sizeof(guint32));
    guint n;
    const TndTraceType *present = tnd_trace_types(trace, &n);
    if (definition->choose_types)
        definition->choose_types(trace, types);
    for (guint i = 0; i < n && !definition->choose_types; i++)
        if (is_of_definition(definition, present[i].type))
            g_array_append_val(types, present[i].type);
    return types;
}

const char *tnd_view_types_label(const TndTrace *trace, guint32 type)
{
    const struct tnd_pcf_type *known = tnd_pcf_type(tnd_trace_pcf(trace), type);
    return known ? known->label : NULL;
}

char *tnd_view_types_origin(const TndTrace *trace, guint32 type)
{
    const char *label = tnd_view_types_label(trace, type), *begin = NULL;
    if (type < TND_TYPE_TEMPERATURE || type > TND_TYPE_NUMA_OTHER_LAST || !label || !g_str_has_suffix(label, ")"))
        return NULL;
    begin = strrchr(label, '(');
    return begin ? g_strndup(begin + 1, strlen(begin) - 2) : NULL;
}

/* Whether the label begins with these words. */
static gboolean begins_with(const char *label, const char *words)
{
    gsize length = strlen(words);
    return label && length && strncmp(label, words, length) == 0 && (label[length] == '\0' || label[length] == ' ');
}

/* Whether the user may choose this type: any one, unless the definition has a range. */
static gboolean is_candidate(const TndViewDefinition *definition, guint32 type)
{
    return !definition->last_type || is_of_definition(definition, type);
}

static void find_labels(const TndTrace *trace, const TndViewDefinition *definition, const char *text, GArray *types)
{
    guint n;
    const TndTraceType *present = tnd_trace_types(trace, &n);
    for (guint i = 0; i < n; i++)
        if (is_candidate(definition, present[i].type) &&
            begins_with(tnd_view_types_label(trace, present[i].type), text))
            g_array_append_val(types, present[i].type);
}

/* Finds each of "A,B", a number or a label; FALSE: one of them is neither. */
static gboolean find_each(const TndTrace *trace, const TndViewDefinition *definition, const char *text, GArray *types)
{
    char **words = g_strsplit(text, ",", -1);
    gboolean good = words[0] != NULL;
    for (guint i = 0; good && words[i]; i++) {
        guint n_before = types->len;
        guint64 number;
        if (!g_ascii_string_to_unsigned(words[i], 10, 0, G_MAXUINT32, &number, NULL)) {
            find_labels(trace, definition, words[i], types);
        } else {
            guint32 type = (guint32)number;
            g_array_append_val(types, type);
        }
        good = types->len > n_before;
    }
    g_strfreev(words);
    return good;
}

static void set_nothing_found(const TndTrace *trace, const TndViewDefinition *definition, const char *text,
                              GError **error)
{
    GString *list = g_string_new(NULL);
    guint n, n_listed = 0;
    const TndTraceType *present = tnd_trace_types(trace, &n);
    for (guint i = 0; i < n; i++) {
        const char *label = tnd_view_types_label(trace, present[i].type);
        if (!label || !is_candidate(definition, present[i].type))
            continue;
        if (n_listed++ < MOST_LABELS)
            g_string_append_printf(list, "%s%s", n_listed > 1 ? ", " : "; it has ", label);
    }
    if (n_listed > MOST_LABELS)
        g_string_append(list, ", ...");
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "%s:%s: %s has no event type of that number or label%s",
                definition->rule.name, text, tnd_trace_name(trace), list->str);
    g_string_free(list, TRUE);
}

GArray *tnd_view_types_chosen(const TndTrace *trace, const TndViewDefinition *definition, const char *text,
                              GError **error)
{
    GArray *types = g_array_new(FALSE, FALSE, sizeof(guint32));
    find_labels(trace, definition, text, types); /* the text may be one label that contains commas */
    if (types->len || find_each(trace, definition, text, types))
        return types;
    set_nothing_found(trace, definition, text, error);
    g_array_unref(types);
    return NULL;
}

/* Allocates room for n types. */
static TndViewTypes start_types(guint n)
{
    TndViewTypes types = {.types = g_new0(TndViewType, n + 1), .n_bits = 2, .are_plain = TRUE};
    while (1u << types.n_bits < 2 * n)
        types.n_bits++;
    types.slots = g_new0(guint32, (gsize)1 << types.n_bits);
    return types;
}

static void add_type(TndViewTypes *types, const TndTrace *trace, guint32 number, double divisor, gboolean is_filtered)
{
    const struct tnd_pcf_type *known = tnd_pcf_type(tnd_trace_pcf(trace), number);
    guint32 *slot = tnd_view_types_slot(types, number);
    if (!*slot)
        *slot = ++types->n_types;
    TndViewType *type = &types->types[*slot - 1];
    /* A factor, not a divisor: Paraver multiplies, too, and rounding is to be the same. */
    double factor = known && known->precision > 0 ? pow(10, -(double)known->precision) : 1;
    *type = (TndViewType){number, is_filtered, factor, divisor};
    types->are_plain &= factor == 1 && divisor == 1 && !is_filtered;
}

TndViewTypes tnd_view_types_of(const TndTrace *trace, const GArray *types, double divisor)
{
    TndViewTypes made = start_types(types->len);
    for (guint i = 0; i < types->len; i++)
        add_type(&made, trace, g_array_index(types, guint32, i), divisor != 0 ? divisor : 1, FALSE);
    return made;
}

TndViewTypes tnd_view_types_of_filters(const TndTrace *trace, const TndCfgWindow *window)
{
    const TndCfgFilter *types = &window->filters[TND_FILTER_TYPE], *values = &window->filters[TND_FILTER_VALUE];
    guint n;
    const TndTraceType *present = tnd_trace_types(trace, &n);
    TndViewTypes made = start_types(n);
    made.filter = values;
    for (guint i = 0; i < n; i++) {
        gboolean holds = tnd_cfg_filter_holds(types, present[i].type);
        gboolean is_filtered = holds != window->type_or_value && values->values.n > 0;
        if (holds || is_filtered)
            add_type(&made, trace, present[i].type, 1, is_filtered);
    }
    return made;
}

void tnd_view_types_clear(TndViewTypes *types)
{
    g_free(types->types);
    g_free(types->slots);
}
