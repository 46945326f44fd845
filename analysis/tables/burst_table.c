/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The first pass makes the rows, counts their bursts and collects their values; the second one writes the columns.
 */
#include "analysis/tables/burst_table.h"

#include "analysis/tables/value_set.h"

#include <gio/gio.h>
#include <math.h>

typedef struct {
    TndView *view;
    double begin_ns, end_ns; /* as tnd_view_limits has them */
    const gboolean *rows;
    TndValueSet *labels;                 /* values that have labels; NULL: there are none, or too many */
    GMutex lock;                         /* of labels, in the first pass */
    guint row, begin, end, value, label; /* the columns */
} BurstTable;

/* Removes bursts that are outside from both ends of an array.  Returns how many are left, from *first on. */
static guint trim(const BurstTable *self, const TndBurst *bursts, guint n, guint *first)
{
    guint from = 0;
    while (n > 0 && (double)bursts[n - 1].begin_ns >= self->end_ns)
        n--;
    while (from < n && self->begin_ns > 0 && (double)bursts[from].end_ns <= self->begin_ns)
        from++;
    *first = from;
    return n - from;
}

static void write_bursts(const BurstTable *self, guint row, const TndBurst *bursts, guint n, TndTableWriter *writer)
{
    gint64 *begins = tnd_table_integers(writer->table, self->begin, writer->at);
    gint64 *ends = tnd_table_integers(writer->table, self->end, writer->at);
    double *values = tnd_table_doubles(writer->table, self->value, writer->at);
    guint32 codes[TND_ROW_BURSTS_BLOCK];
    for (guint i = 0; i < n; i++) {
        begins[i] = (gint64)bursts[i].begin_ns;
        ends[i] = (gint64)bursts[i].end_ns;
        values[i] = bursts[i].value;
    }
    tnd_table_repeat_code(writer->table, self->row, writer->at, n, row);
    if (!self->labels)
        return;
    for (guint i = 0; i < n; i++)
        codes[i] = tnd_value_set_code(self->labels, bursts[i].value);
    tnd_table_write_codes(writer->table, self->label, writer->at, n, codes);
}

/* Adds the values of a row to those of all rows. */
static void add_labels(BurstTable *self, const TndValueSet *seen)
{
    g_mutex_lock(&self->lock);
    if (self->labels && seen->n <= TND_BURST_TABLE_MOST_LABELS)
        tnd_value_set_add_all(self->labels, seen);
    if (self->labels && MAX(self->labels->n, seen->n) > TND_BURST_TABLE_MOST_LABELS)
        g_clear_pointer(&self->labels, tnd_value_set_free);
    g_mutex_unlock(&self->lock);
}

static void produce_row(guint row, TndTableWriter *writer, gpointer data)
{
    BurstTable *self = data;
    if (self->rows && !self->rows[row])
        return;
    const TndRowBursts *bursts = tnd_view_row(self->view, row);
    TndValueSet *seen =
        writer->table || tnd_view_rule(self->view)->palette != TND_PALETTE_CODE ? NULL : tnd_value_set_new();
    TndBurst page[TND_ROW_BURSTS_BLOCK];
    gsize block = self->begin_ns > 0 ? tnd_row_bursts_block_at(bursts, (guint64)self->begin_ns) : 0;
    for (; block < bursts->n_blocks && (double)tnd_row_bursts_block_begin(bursts, block) < self->end_ns; block++) {
        guint first, n = trim(self, page, (guint)tnd_row_bursts_read(bursts, block, page), &first);
        for (guint i = first; seen && seen->n <= TND_BURST_TABLE_MOST_LABELS && i < first + n; i++)
            tnd_value_set_add(seen, page[i].value);
        if (writer->table)
            write_bursts(self, row, page + first, n, writer);
        writer->at += n;
    }
    if (seen)
        add_labels(self, seen);
    tnd_value_set_free(seen);
}

static void add_label_column(TndTable *table, gpointer data)
{
    BurstTable *self = data;
    if (!self->labels)
        return;
    double *values = tnd_value_set_number(self->labels);
    char **texts = g_new0(char *, self->labels->n + 1);
    for (guint i = 0; i < self->labels->n; i++)
        texts[i] = tnd_view_value_text(self->view, values[i]);
    self->label = tnd_table_add_codes(table, "label", texts, self->labels->n);
    g_free(values);
}

static char **row_names(const TndView *view)
{
    guint n = tnd_view_n_rows(view);
    char **names = g_new0(char *, n + 1);
    for (guint row = 0; row < n; row++)
        names[row] = g_strdup(tnd_view_row_name(view, row));
    return names;
}

static gboolean fill(BurstTable *self, TndTable *table, const TndTableSelection *selection, GError **error)
{
    const guint n_rows = tnd_view_n_rows(self->view);
    TndCoresProgress *progress = tnd_table_progress_new(selection, 3 * (guint64)n_rows);
    const TndTableSource source = {n_rows, produce_row, add_label_column, self, progress};
    self->row = tnd_table_add_codes(table, "row", row_names(self->view), n_rows);
    self->begin = tnd_table_add(table, "begin_ns", TND_COLUMN_INT64);
    self->end = tnd_table_add(table, "end_ns", TND_COLUMN_INT64);
    self->value = tnd_table_add(table, "value", TND_COLUMN_DOUBLE);
    tnd_view_make_rows(self->view, self->rows, progress);
    gboolean is_good = tnd_table_fill(table, &source, error); /* knows if it was cancelled before */
    tnd_cores_progress_free(progress);
    return is_good;
}

TndTable *tnd_burst_table_new(TndView *view, const TndTableSelection *selection, GError **error)
{
    BurstTable self = {.view = view};
    gboolean *shown;
    tnd_view_limits(view, &self.begin_ns, &self.end_ns, &shown);
    self.rows = selection->rows ? selection->rows : shown;
    if (selection->begin_ns)
        self.begin_ns = (double)selection->begin_ns;
    if (selection->end_ns)
        self.end_ns = (double)selection->end_ns;
    if (tnd_view_rule(view)->palette == TND_PALETTE_CODE)
        self.labels = tnd_value_set_new();
    g_mutex_init(&self.lock);
    TndTable *table = tnd_table_new();
    if (!fill(&self, table, selection, error))
        g_clear_pointer(&table, tnd_table_free);
    g_mutex_clear(&self.lock);
    tnd_value_set_free(self.labels);
    g_free(shown);
    return table;
}
