/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Columns, and the two passes that fill them.
 */
#include "analysis/tables/table.h"

#include "analysis/base/assertion.h"

#include <gio/gio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define LARGE_PAGE ((gsize)2 << 20)

static const gsize bytes_of[] = {[TND_COLUMN_INT8] = 1,
                                 [TND_COLUMN_INT16] = 2,
                                 [TND_COLUMN_INT32] = 4,
                                 [TND_COLUMN_INT64] = 8,
                                 [TND_COLUMN_DOUBLE] = 8};

TndCoresProgress *tnd_table_progress_new(const TndTableSelection *selection, guint64 n_items)
{
    return selection->progress ? tnd_cores_progress_new(selection->progress, selection->user_data, n_items) : NULL;
}

TndTable *tnd_table_new(void)
{
    return g_new0(TndTable, 1);
}

guint tnd_table_add(TndTable *table, const char *name, TndColumnType type)
{
    tnd_assert(table->n_columns < TND_TABLE_MOST_COLUMNS);
    table->columns[table->n_columns] = (TndColumn){.name = name, .type = type};
    return table->n_columns++;
}

guint tnd_table_add_codes(TndTable *table, const char *name, char **texts, guint n_texts)
{
    guint column = tnd_table_add(table, name,
                                 n_texts <= G_MAXINT8    ? TND_COLUMN_INT8
                                 : n_texts <= G_MAXINT16 ? TND_COLUMN_INT16
                                                         : TND_COLUMN_INT32);
    table->columns[column].texts = texts;
    table->columns[column].n_texts = n_texts;
    return column;
}

void tnd_table_free(TndTable *table)
{
    if (!table)
        return;
    for (guint i = 0; i < table->n_columns; i++) {
        g_strfreev(table->columns[i].texts);
        free(table->columns[i].values);
    }
    g_free(table);
}

/* Memory for a column; NULL: there is not enough.  That of a large one asks for large pages, because most of the time
 * is that of the first touch of its pages. */
static gpointer new_values(gsize n_bytes)
{
    gpointer values = NULL;
    if (n_bytes < LARGE_PAGE)
        return malloc(n_bytes + 1); /* one more: nothing is no NULL */
    if (posix_memalign(&values, LARGE_PAGE, n_bytes) != 0)
        return NULL;
    madvise(values, n_bytes, MADV_HUGEPAGE);
    return values;
}

gboolean tnd_table_allocate(TndTable *table, gsize n_lines, GError **error)
{
    gsize line_bytes = 0;
    gboolean is_good = TRUE;
    table->n_lines = n_lines;
    for (guint i = 0; i < table->n_columns; i++) {
        TndColumn *column = &table->columns[i];
        column->values = n_lines < G_MAXSIZE / sizeof(double) ? new_values(n_lines * bytes_of[column->type]) : NULL;
        is_good &= column->values != NULL;
        line_bytes += bytes_of[column->type];
    }
    if (!is_good)
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_NO_SPACE,
                    "a table of %" G_GSIZE_FORMAT " lines takes %.1f GB of memory, which there is not; "
                    "ask for fewer rows or a shorter time",
                    n_lines, 1e-9 * (double)n_lines * (double)line_bytes);
    return is_good;
}

typedef struct {
    const TndTableSource *source;
    TndTable *table; /* NULL: count */
    gsize *begins;   /* of each item: the number of its lines, then its first line */
} Pass;

static void pass_item(guint item, gpointer data)
{
    const Pass *pass = data;
    TndTableWriter writer = {pass->table, pass->table ? pass->begins[item] : 0};
    pass->source->produce(item, &writer, pass->source->data);
    if (!pass->table)
        pass->begins[item] = writer.at;
    else
        tnd_assert(writer.at == pass->begins[item + 1]);
}

/* Makes first lines of numbers of lines. */
static void add_up(gsize *begins, guint n_items)
{
    gsize sum = 0;
    for (guint i = 0; i <= n_items; i++) {
        gsize n = begins[i];
        begins[i] = sum;
        sum += n;
    }
}

gboolean tnd_table_fill(TndTable *table, const TndTableSource *source, GError **error)
{
    const guint n_items = source->n_items;
    Pass pass = {.source = source, .begins = g_new0(gsize, (gsize)n_items + 1)};
    gboolean is_going_on = tnd_cores_run_with_progress(source->progress, n_items, pass_item, &pass), is_good = FALSE;
    if (is_going_on) {
        add_up(pass.begins, n_items);
        if (source->ready)
            source->ready(table, source->data);
        is_good = tnd_table_allocate(table, pass.begins[n_items], error);
    }
    pass.table = table;
    if (is_good)
        is_going_on = tnd_cores_run_with_progress(source->progress, n_items, pass_item, &pass);
    if (!is_going_on)
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "cancelled");
    g_free(pass.begins);
    return is_good && is_going_on;
}

void tnd_table_write_codes(TndTable *table, guint column, gsize line, gsize n, const guint32 *codes)
{
    const TndColumnType type = table->columns[column].type;
    gpointer values = (guint8 *)table->columns[column].values + line * bytes_of[type];
    tnd_assert(table->columns[column].texts && line + n <= table->n_lines);
    if (type == TND_COLUMN_INT8)
        for (gsize i = 0; i < n; i++)
            ((gint8 *)values)[i] = (gint8)codes[i];
    else if (type == TND_COLUMN_INT16)
        for (gsize i = 0; i < n; i++)
            ((gint16 *)values)[i] = (gint16)codes[i];
    else
        memcpy(values, codes, n * sizeof *codes);
}

void tnd_table_repeat_code(TndTable *table, guint column, gsize line, gsize n, guint32 code)
{
    guint32 codes[256];
    for (gsize i = 0; i < MIN(n, G_N_ELEMENTS(codes)); i++)
        codes[i] = code;
    for (gsize done = 0; done < n; done += G_N_ELEMENTS(codes))
        tnd_table_write_codes(table, column, line + done, MIN(n - done, G_N_ELEMENTS(codes)), codes);
}
