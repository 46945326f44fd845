/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables: columns of numbers, each one array, for programs that compute with whole columns.  Values that have texts
 * (names of rows, labels) are codes, which stand for the texts of their column.
 *
 * A table is filled on all cores, in two passes over what its lines are made of: the first one counts them, so that no
 * array grows or is copied.
 */
#ifndef TND_TABLE_H
#define TND_TABLE_H

#include "analysis/base/cores.h"
#include "analysis/trace/trace.h"

typedef enum {
    TND_COLUMN_INT8,
    TND_COLUMN_INT16,
    TND_COLUMN_INT32,
    TND_COLUMN_INT64,
    TND_COLUMN_DOUBLE,
} TndColumnType;

typedef struct {
    const char *name; /* with its unit: "begin_ns" */
    TndColumnType type;
    char **texts; /* of the codes 0, 1, ...; owned; NULL: values are numbers */
    guint n_texts;
    gpointer values; /* owned */
} TndColumn;

#define TND_TABLE_MOST_COLUMNS 8

typedef struct {
    gsize n_lines;
    guint n_columns;
    TndColumn columns[TND_TABLE_MOST_COLUMNS];
} TndTable;

/* What is wanted of a trace or a view, and who is told of the progress. */
typedef struct {
    guint64 begin_ns, end_ns;  /* what is in [begin_ns, end_ns); end 0: to the end of the trace, which is included */
    const gboolean *rows;      /* of rows that are TRUE; NULL: of all */
    TndTraceProgress progress; /* NULL: nobody waits */
    gpointer user_data;
} TndTableSelection;

/* The progress of n_items, NULL if nobody waits.  Free with tnd_cores_progress_free. */
TndCoresProgress *tnd_table_progress_new(const TndTableSelection *selection, guint64 n_items);

/* An empty table, and a column for it; a column with texts, which it owns from now on, has the smallest type for them.
 */
TndTable *tnd_table_new(void);
guint tnd_table_add(TndTable *table, const char *name, TndColumnType type);
guint tnd_table_add_codes(TndTable *table, const char *name, char **texts, guint n_texts);
void tnd_table_free(TndTable *table);

/* Where the lines of an item go: from line `at` on, which is moved behind them.  table NULL: they are only counted. */
typedef struct {
    TndTable *table;
    gsize at;
} TndTableWriter;

typedef struct {
    guint n_items; /* their lines follow each other in this order */
    void (*produce)(guint item, TndTableWriter *writer, gpointer data); /* by several threads at once */
    void (*ready)(TndTable *table,
                  gpointer data); /* between the passes: columns may be added; NULL: there is nothing */
    gpointer data;
    TndCoresProgress *progress; /* of 2 n_items; may be NULL */
} TndTableSource;

/* Allocates the columns and fills them.  FALSE and error: there is not enough memory, or it was cancelled
 * (G_IO_ERROR_CANCELLED). */
gboolean tnd_table_fill(TndTable *table, const TndTableSource *source, GError **error);

/* Allocates the columns for n_lines. */
gboolean tnd_table_allocate(TndTable *table, gsize n_lines, GError **error);

/* An array of an INT64 or a DOUBLE column, from a line on. */
static inline gint64 *tnd_table_integers(const TndTable *table, guint column, gsize line)
{
    return (gint64 *)table->columns[column].values + line;
}

static inline double *tnd_table_doubles(const TndTable *table, guint column, gsize line)
{
    return (double *)table->columns[column].values + line;
}

/* Writes codes of n lines, or one code n times. */
void tnd_table_write_codes(TndTable *table, guint column, gsize line, gsize n, const guint32 *codes);
void tnd_table_repeat_code(TndTable *table, guint column, gsize line, gsize n, guint32 code);

#endif
