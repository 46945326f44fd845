/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Looks up the functions of a window, and fills in their parameters.
 */
#include "analysis/views/view_plan.h"

#include "analysis/views/view_sensors.h"
#include "analysis/views/views.h"

#include <gio/gio.h>
#include <string.h>

const struct TndViewUnit tnd_view_plan_units[] = {{"ns", 1},     {"us", 1e3},   {"ms", 1e6},   {"s", 1e9},
                                                  {"min", 60e9}, {"h", 3600e9}, {"d", 86400e9}};

static gboolean is_named(const TndSemanticName *known, const char *name)
{
    return strcmp(known->name, name) == 0;
}

/* Sets `found` to the function of this name in a table that ends with a NULL name. */
#define FIND(found, table, wanted)                                                                                     \
    for (guint entry = 0; (table)[entry].name.name && !(found); entry++)                                               \
        if (is_named(&(table)[entry].name, (wanted)))                                                                  \
            (found) = &(table)[entry];

static gboolean complain(const TndViewPlan *plan, const char *what, const char *name, GError **error)
{
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "window \"%s\": %s \"%s\" is not supported",
                plan->window.name, what, name);
    return FALSE;
}

static void make_call(const TndViewPlan *plan, const TndCall *given, const TndSemanticName *name, TndViewCall *call)
{
    for (guint i = 0; i < TND_CALL_PARAMETERS; i++) {
        call->defaults[i] = name->defaults[i];
        call->parameters[i] =
            i < given->n_parameters ? given->parameters[i] : (TndNumbers){&call->defaults[i], i < name->n_parameters};
    }
    call->call = (TndSemanticCall){call->parameters, tnd_view_plan_unit(plan)->ns, tnd_trace_end_ns(plan->trace)};
}

static gboolean find_compose(const TndViewPlan *plan, const TndCall *given, TndViewCompose *compose, GError **error)
{
    const char *name = given->name ? given->name : "As Is";
    FIND(compose->function, tnd_semantic_composes, name)
    if (!compose->function)
        return complain(plan, "compose function", name, error);
    make_call(plan, given, &compose->function->name, &compose->call);
    return TRUE;
}

/* Finds the composes on top of the highest level.  The first one of the window is applied last. */
static gboolean find_composes(TndViewPlan *plan, GError **error)
{
    const TndCfgWindow *window = &plan->window;
    guint n_extra = window->extra_tops ? window->extra_tops->len : 0;
    plan->n_tops = n_extra + 2;
    plan->tops = g_new0(TndViewCompose, plan->n_tops);
    gboolean is_found = TRUE;
    for (guint level = 0; level < TND_LEVEL_N && is_found; level++)
        is_found = find_compose(plan, &window->calls[TND_PLACE_COMPOSE + level], &plan->composes[level], error);
    for (guint i = 0; i < n_extra && is_found; i++)
        is_found = find_compose(plan, &g_array_index(window->extra_tops, TndCall, i), &plan->tops[1 + i], error);
    return is_found && find_compose(plan, &window->calls[TND_PLACE_TOP_2], &plan->tops[0], error) &&
           find_compose(plan, &window->calls[TND_PLACE_TOP_1], &plan->tops[n_extra + 1], error);
}

static gboolean find_thread(TndViewPlan *plan, GError **error)
{
    const TndSemanticThread *const tables[] = {tnd_semantic_states, tnd_semantic_events, tnd_semantic_messages,
                                               tnd_semantic_objects, tnd_semantic_own};
    const TndCall *call = &plan->window.calls[TND_LEVEL_THREAD];
    const char *name = call->name ? call->name : "State As Is";
    gboolean is_own = plan->definition != NULL; /* tandem's own functions are for definitions only */
    for (guint i = 0; i < G_N_ELEMENTS(tables) - !is_own; i++)
        FIND(plan->thread, tables[i], name)
    if (!plan->thread)
        return complain(plan, "thread function", name, error);
    make_call(plan, call, &plan->thread->name, &plan->calls[TND_LEVEL_THREAD]);
    return TRUE;
}

static gboolean find_group(TndViewPlan *plan, TndLevel level, GError **error)
{
    const TndCall *call = &plan->window.calls[level];
    const char *name = call->name ? call->name : level == TND_LEVEL_CPU ? "Active Thd" : "Adding";
    if (level == TND_LEVEL_CPU) {
        FIND(plan->groups[level], tnd_semantic_cpus, name)
    } else {
        FIND(plan->groups[level], tnd_semantic_groups, name)
    }
    if (!plan->groups[level])
        return complain(plan, "function", name, error);
    make_call(plan, call, &plan->groups[level]->name, &plan->calls[level]);
    return TRUE;
}

static gboolean find_derived(TndViewPlan *plan, GError **error)
{
    const char *name = plan->window.calls[TND_PLACE_DERIVED].name;
    FIND(plan->derived, tnd_semantic_deriveds, name ? name : "add")
    return plan->derived || complain(plan, "function", name, error);
}

static gboolean composes_keep_labels(const TndViewPlan *plan)
{
    gboolean keep = plan->composes[TND_LEVEL_THREAD].function->keeps_labels;
    for (guint i = 0; i < plan->n_tops; i++)
        keep &= plan->tops[i].function->keeps_labels;
    for (TndLevel level = plan->window.level; level != TND_LEVEL_THREAD && level < TND_LEVEL_N;
         level = tnd_view_plan_level_below(level))
        keep &= plan->groups[level]->keeps_labels && plan->composes[level].function->keeps_labels;
    return keep;
}

static gboolean filters_messages(const TndCfgWindow *window)
{
    gboolean asks = !window->within_nodes || !window->between_nodes || window->from_or_to || window->tag_or_size;
    for (guint kind = TND_FILTER_FROM; kind < TND_FILTER_TYPE; kind++)
        asks |= window->filters[kind].function != TND_FILTER_ALL;
    return asks;
}

gboolean tnd_view_plan_find(TndViewPlan *plan, GError **error)
{
    plan->filters_messages = filters_messages(&plan->window);
    gboolean is_found = plan->window.is_derived ? find_derived(plan, error) : find_thread(plan, error);
    for (guint level = 0; level < TND_LEVEL_N && is_found; level++)
        is_found = level == TND_LEVEL_THREAD || find_group(plan, (TndLevel)level, error);
    if (!is_found || !find_composes(plan, error))
        return FALSE;
    if (plan->definition && plan->definition->group)
        FIND(plan->scope_group, tnd_semantic_groups, plan->definition->group)
    plan->keeps_labels = plan->thread && !plan->scope_group && composes_keep_labels(plan);
    return TRUE;
}

static gboolean refuse(const TndViewPlan *plan, const char *why, GError **error)
{
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "window \"%s\" %s", plan->window.name, why);
    return FALSE;
}

/* A derived window has the rows of its finer operand, or rows of a level above those. */
gboolean tnd_view_plan_find_level(TndViewPlan *plan, GError **error)
{
    TndCfgWindow *window = &plan->window;
    plan->base = window->level > TND_LEVEL_THREAD ? TND_LEVEL_CPU : TND_LEVEL_THREAD;
    if (window->is_derived) {
        TndLevel levels[] = {tnd_view_level(plan->operands[0]), tnd_view_level(plan->operands[1])};
        plan->base = MAX(levels[0], levels[1]);
        if (!tnd_levels_is_above(MIN(levels[0], levels[1]), plan->base))
            return refuse(plan, "is derived from two windows, one of CPUs or nodes, the other of threads or tasks",
                          error);
        window->level = MIN(window->level, plan->base);
        if (!tnd_levels_is_above(window->level, plan->base))
            return refuse(plan, "has a level that the rows of its two windows do not belong to", error);
    }
    if (window->level >= TND_LEVEL_SYSTEM && tnd_levels_n_rows(plan->trace, TND_LEVEL_CPU) == 0)
        return refuse(plan, "has CPUs as its rows, but this trace has no CPUs", error);
    return TRUE;
}

void tnd_view_plan_clear(TndViewPlan *plan)
{
    for (guint i = 0; i < 2; i++) {
        tnd_view_free(plan->operands[i]);
        g_free(plan->event_numbers[i]);
    }
    tnd_view_free_all(plan->named);
    tnd_view_types_clear(&plan->types);
    tnd_view_sensors_free(plan->sensors);
    g_free(plan->first_rows);
    g_free(plan->tops);
}
