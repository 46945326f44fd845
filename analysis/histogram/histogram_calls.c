/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An event may also tell of a return to the call around; nesting.h knows which.
 */
#include "analysis/histogram/histogram_calls.h"

#include "analysis/trace/nesting.h"
#include "analysis/trace/walk.h"
#include "analysis/views/semantic.h"
#include "analysis/views/views.h"

gboolean tnd_histogram_calls_are_known(const TndHistogramPlan *plan)
{
    const TndViewPlan *view = &plan->control->plan;
    return !plan->third && plan->data == plan->control && tnd_view_level(plan->control) == TND_LEVEL_THREAD &&
           tnd_view_rule(plan->control)->palette == TND_PALETTE_CODE && view->thread &&
           view->thread->kind == TND_SEMANTIC_EVENTS && view->types.n_types > 0 && view->types.are_plain;
}

void tnd_histogram_calls_count(TndHistogramPlan *plan, guint row)
{
    const TndViewTypes *types = &plan->control->plan.types;
    TndHistogramRow *cells = &plan->cells[row];
    TndNesting nesting = {.calls = g_array_new(FALSE, FALSE, sizeof(TndNestingCall))};
    for (guint i = 0; i < cells->n; i++)
        cells->sums[i].n = 0;
    TndWalk walk = tnd_walk_events(tnd_view_trace(plan->control), row, tnd_view_types_bits(types));
    for (const TndEvent *event; (event = tnd_walk_next_event(&walk));) {
        double value;
        if (!tnd_view_types_value(types, event, &value) ||
            !tnd_nesting_follow(&nesting, event->time_ns, event->type, event->value) ||
            event->time_ns < plan->begin.ns || event->time_ns >= plan->end.ns)
            continue;
        int column = tnd_histogram_columns_find(&plan->columns, value);
        if (column >= 0)
            tnd_histogram_cells_sums(cells, (guint)column)->n++;
    }
    tnd_walk_end(&walk);
    g_array_unref(nesting.calls);
}
