/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A view's window (view_plan.h) is written, with the event types that its definition has chosen in this trace.
 */
#include "analysis/views/view_cfg.h"

#include "analysis/cfg/cfg.h"
#include "analysis/views/views.h"

#include <gio/gio.h>

typedef struct {
    GArray *windows, *scales; /* TndCfgWindow, whose strings are the views'; TndCfgScale */
    GPtrArray *owned;         /* what was allocated for them */
    GPtrArray *selections;    /* GArray of TndCfgSelection */
} Writing;

static gboolean is_own_function(const TndViewPlan *plan)
{
    const TndSemanticThread *function = tnd_semantic_own;
    while (function->name.name && function != plan->thread)
        function++;
    return plan->thread && function->name.name;
}

/* Whether Paraver computes what the definition says. */
static gboolean is_paravers(const TndViewPlan *plan)
{
    const TndViewDefinition *definition = plan->definition;
    return !definition ||
           (!plan->named && !is_own_function(plan) && !definition->group && definition->scope == TND_SCOPE_THREAD &&
            !definition->is_by_cpu && (definition->divisor == 0 || definition->divisor == 1));
}

/* The filter that lets the view's event types pass. */
static void set_types(Writing *writing, const TndViewTypes *types, TndCfgFilter *filter)
{
    if (!types->n_types)
        return;
    double *numbers = g_new(double, types->n_types);
    for (guint i = 0; i < types->n_types; i++)
        numbers[i] = types->types[i].type;
    g_ptr_array_add(writing->owned, numbers);
    *filter = (TndCfgFilter){.function = TND_FILTER_EQUAL, .values = {numbers, types->n_types}};
}

/* Adds the window of a view, and before it those of its operands.  Returns its index; G_MAXUINT and error: it has none.
 */
static guint add_window(Writing *writing, const TndView *view, GError **error)
{
    const TndViewPlan *plan = &view->plan;
    TndCfgWindow window = plan->window;
    if (!is_paravers(plan)) {
        g_set_error(
            error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
            "%s is computed in a way that Paraver does not have, so that no .cfg can say it; a session keeps it",
            view->rule.name);
        return G_MAXUINT;
    }
    for (guint i = 0; i < 2 && window.is_derived; i++) {
        window.parents[i] = add_window(writing, plan->operands[i], error);
        if (window.parents[i] == G_MAXUINT)
            return G_MAXUINT;
    }
    if (plan->definition) {
        window.is_code = view->rule.palette == TND_PALETTE_CODE;
        set_types(writing, &plan->types, &window.filters[TND_FILTER_TYPE]);
    }
    window.name = (char *)view->rule.title;
    window.begin = window.end = (TndCfgLimit){TND_CFG_LIMIT_NONE, 0};
    window.is_zoomed = FALSE;
    window.selections = NULL;
    const TndCfgScale none = {0};
    g_array_append_val(writing->windows, window);
    g_array_append_val(writing->scales, none);
    return writing->windows->len - 1;
}

/* Which threads of each task are shown. */
static GArray *select_threads(const TndTrace *trace, const gboolean *are_shown)
{
    const struct tnd_prv_header *header = tnd_trace_header(trace);
    GArray *selections = g_array_new(FALSE, FALSE, sizeof(TndCfgSelection));
    guint row = 0;
    for (guint application = 0; application < header->n_applications; application++)
        for (guint task = 0; task < header->applications[application].n_tasks; task++) {
            TndCfgSelection selection = {.level = TND_LEVEL_THREAD,
                                         .parents = {application, task},
                                         .are_selected = g_array_new(FALSE, FALSE, sizeof(gboolean))};
            const guint n_threads = header->applications[application].tasks[task].n_threads;
            g_array_append_vals(selection.are_selected, &are_shown[row], n_threads);
            g_array_append_val(selections, selection);
            row += n_threads;
        }
    return selections;
}

static void free_selections(gpointer selections)
{
    for (guint i = 0; i < ((GArray *)selections)->len; i++)
        g_array_unref(g_array_index((GArray *)selections, TndCfgSelection, i).are_selected);
    g_array_unref(selections);
}

/* Sets the rows of a window: from the first to the last that is shown, and without those between that are not. */
static gboolean set_rows(Writing *writing, const TndViewCfgShown *shown, TndCfgWindow *window, GError **error)
{
    const guint n_rows = tnd_view_n_rows(shown->view);
    guint first = 0, last = n_rows - 1, n_between = 0;
    while (first < last && !shown->are_shown[first])
        first++;
    while (last > first && !shown->are_shown[last])
        last--;
    for (guint row = first; row <= last; row++)
        n_between += !shown->are_shown[row];
    window->is_zoomed = first > 0 || last + 1 < n_rows;
    window->zoom[0] = first;
    window->zoom[1] = last;
    if (!n_between)
        return TRUE;
    if (window->level != TND_LEVEL_THREAD) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                    "%s: a .cfg can leave out threads only, and rows here are no threads; show all of them",
                    shown->view->rule.name);
        return FALSE;
    }
    window->selections = select_threads(shown->view->plan.trace, shown->are_shown);
    g_ptr_array_add(writing->selections, window->selections);
    window->is_zoomed = FALSE;
    return TRUE;
}

static gboolean add_shown(Writing *writing, const TndViewCfgShown *shown, GError **error)
{
    const guint index = add_window(writing, shown->view, error);
    if (index == G_MAXUINT)
        return FALSE;
    TndCfgWindow *window = &g_array_index(writing->windows, TndCfgWindow, index);
    const double trace_ns = (double)MAX(tnd_trace_end_ns(shown->view->plan.trace), 1);
    window->is_line = shown->draw == TND_DRAW_LINE;
    window->are_points = shown->draw == TND_DRAW_POINTS;
    window->is_code &= !window->is_line && !window->are_points;
    window->has_flags = shown->has_flags;
    window->hides_messages = shown->hides_messages;
    /* Readers round to whole ns, to the outside.  A share that is rounded to the wrong side would be one ns more. */
    const double begin_ns = shown->begin_ns ? (double)shown->begin_ns + 0.25 : 0;
    const double end_ns = (double)shown->end_ns < trace_ns ? (double)shown->end_ns - 0.25 : trace_ns;
    window->begin = (TndCfgLimit){TND_CFG_LIMIT_SHARE, begin_ns / trace_ns};
    window->end = (TndCfgLimit){TND_CFG_LIMIT_SHARE, end_ns / trace_ns};
    g_array_index(writing->scales, TndCfgScale, index) = (TndCfgScale){shown->has_limits, shown->least, shown->most};
    return set_rows(writing, shown, window, error);
}

char *tnd_view_cfg_text(const TndViewCfgShown *shown, guint n, GError **error)
{
    Writing writing = {g_array_new(FALSE, FALSE, sizeof(TndCfgWindow)), g_array_new(FALSE, FALSE, sizeof(TndCfgScale)),
                       g_ptr_array_new_with_free_func(g_free), g_ptr_array_new_with_free_func(free_selections)};
    gboolean is_good = TRUE;
    for (guint i = 0; i < n && is_good; i++)
        is_good = add_shown(&writing, &shown[i], error);
    char *text = is_good ? tnd_cfg_text((const TndCfgWindow *)(void *)writing.windows->data,
                                        (const TndCfgScale *)(void *)writing.scales->data, writing.windows->len)
                         : NULL;
    g_array_unref(writing.windows);
    g_array_unref(writing.scales);
    g_ptr_array_unref(writing.owned);
    g_ptr_array_unref(writing.selections);
    return text;
}
