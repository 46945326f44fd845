/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables of the public API.
 */
#include "analysis/public.h"
#include "analysis/tables/burst_table.h"
#include "analysis/tables/record_tables.h"
#include "analysis/tables/sample_table.h"
#include "analysis/trace/row_choice.h"

#include <inttypes.h>

static const struct tandem_selection everything;

static TndTableSelection own_selection(const struct tandem_selection *selection, const gboolean *rows)
{
    return (TndTableSelection){selection->begin_ns, selection->end_ns, rows, tnd_public_progress(), tnd_public_watch()};
}

/* Checks a selection.  FALSE and error: its time is empty. */
static gboolean check_selection(const struct tandem_selection *selection, GError **error)
{
    if (!selection->end_ns || selection->begin_ns < selection->end_ns)
        return TRUE;
    tnd_public_refuse(error, "the stretch of time is empty: it ends at %" PRIu64 " ns and begins at %" PRIu64 " ns",
                      selection->end_ns, selection->begin_ns);
    return FALSE;
}

tandem_table *tandem_view_bursts(tandem_view *view, const struct tandem_selection *selection, char **error)
{
    selection = selection ? selection : &everything;
    GError *reason = NULL;
    TndTable *table = NULL;
    gboolean *rows = NULL;
    if (check_selection(selection, &reason) && selection->rows)
        rows = tnd_public_rows(tnd_public_view(view), selection->rows, &reason);
    if (!reason) {
        const TndTableSelection own = own_selection(selection, rows);
        table = tnd_burst_table_new(tnd_public_view(view), &own, &reason);
    }
    if (!table)
        tnd_public_fail(reason, error);
    g_free(rows);
    return (tandem_table *)table;
}

typedef enum { EVENTS, MESSAGES, SAMPLES } Records;

static tandem_table *records_of(const tandem_trace *trace, Records what, const struct tandem_selection *selection,
                                char **error)
{
    const TndTrace *own = tnd_public_trace(trace);
    selection = selection ? selection : &everything;
    GError *reason = NULL;
    TndTable *table = NULL;
    gboolean *rows = NULL;
    if (check_selection(selection, &reason) && selection->rows)
        rows = tnd_row_choice_of_trace(own, selection->rows, &reason);
    const TndTableSelection wanted = own_selection(selection, rows);
    if (!reason && what == EVENTS)
        table = tnd_record_tables_events(own, selection->types, selection->n_types, &wanted, &reason);
    else if (!reason && what == MESSAGES)
        table = tnd_record_tables_messages(own, &wanted, &reason);
    else if (!reason)
        table = tnd_sample_table_new(own, &wanted, &reason);
    if (!table)
        tnd_public_fail(reason, error);
    g_free(rows);
    return (tandem_table *)table;
}

tandem_table *tandem_trace_events(tandem_trace *trace, const struct tandem_selection *selection, char **error)
{
    return records_of(trace, EVENTS, selection, error);
}

tandem_table *tandem_trace_messages(tandem_trace *trace, const struct tandem_selection *selection, char **error)
{
    return records_of(trace, MESSAGES, selection, error);
}

tandem_table *tandem_trace_samples(tandem_trace *trace, const struct tandem_selection *selection, char **error)
{
    return records_of(trace, SAMPLES, selection, error);
}

void tandem_table_free(tandem_table *table)
{
    tnd_table_free((TndTable *)table);
}

size_t tandem_table_n_lines(const tandem_table *table)
{
    return ((const TndTable *)table)->n_lines;
}

size_t tandem_table_n_columns(const tandem_table *table)
{
    return ((const TndTable *)table)->n_columns;
}

/* NULL: there is no such column. */
static const TndColumn *own_column(const tandem_table *table, size_t column)
{
    return column < tandem_table_n_columns(table) ? &((const TndTable *)table)->columns[column] : NULL;
}

const char *tandem_table_name(const tandem_table *table, size_t column)
{
    const TndColumn *own = own_column(table, column);
    return own ? own->name : NULL;
}

enum tandem_column_type tandem_table_type(const tandem_table *table, size_t column)
{
    G_STATIC_ASSERT((int)TANDEM_COLUMN_DOUBLE == (int)TND_COLUMN_DOUBLE);
    const TndColumn *own = own_column(table, column);
    return own ? (enum tandem_column_type)own->type : TANDEM_COLUMN_INT8;
}

const void *tandem_table_values(const tandem_table *table, size_t column)
{
    const TndColumn *own = own_column(table, column);
    return own ? own->values : NULL;
}

int tandem_table_has_codes(const tandem_table *table, size_t column)
{
    const TndColumn *own = own_column(table, column);
    return own && own->texts;
}

size_t tandem_table_n_texts(const tandem_table *table, size_t column)
{
    const TndColumn *own = own_column(table, column);
    return own ? own->n_texts : 0;
}

const char *tandem_table_text(const tandem_table *table, size_t column, size_t code)
{
    return code < tandem_table_n_texts(table, column) ? own_column(table, column)->texts[code] : NULL;
}
