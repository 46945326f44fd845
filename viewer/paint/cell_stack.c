/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cells of each value are counted by columns; the counts, summed up, are where values end.
 */
#include "viewer/paint/cell_stack.h"

#include <math.h>
#include <string.h>

enum { SAMPLES = 2048, MOST_A_ROW = 64, N_CODES = 1 << 16 };

guint tnd_cell_stack_columns(guint n_rows)
{
    return CLAMP(SAMPLES / MAX(n_rows, 1), 1, MOST_A_ROW);
}

/* The values that occur, in their order in the stack.  Cells are codes, or values that are looked up. */
typedef struct {
    const TndCells *cells;
    guint n;
    guint16 *codes;   /* [slot] */
    guint32 *slot_of; /* [code] */
    double *values;   /* [slot]; the last one is NaN */
} Slots;

static void add_code(Slots *slots, guint16 code)
{
    slots->slot_of[code] = slots->n;
    slots->codes[slots->n++] = code;
}

static void list_codes(Slots *slots)
{
    const TndCells *cells = slots->cells;
    gboolean *occurs = g_new0(gboolean, N_CODES);
    slots->codes = g_new(guint16, N_CODES);
    slots->slot_of = g_new0(guint32, N_CODES);
    for (guint band = 0; band < cells->n_bands; band++)
        for (guint c = 0; c < cells->n_columns; c++)
            occurs[cells->codes[(gsize)cells->lines[band] * cells->stride + c]] = TRUE;
    for (guint code = 1; code < N_CODES; code++)
        if (occurs[code] && code != cells->zero)
            add_code(slots, (guint16)code);
    if (cells->zero && occurs[cells->zero])
        add_code(slots, cells->zero);
    if (occurs[0])
        add_code(slots, 0);
    g_free(occurs);
}

/* 0 is the last one. */
static int compare_values(gconstpointer a, gconstpointer b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x == 0 || y == 0 ? (x == 0) - (y == 0) : (x > y) - (x < y);
}

static void list_values(Slots *slots)
{
    slots->values = g_new(double, slots->cells->n_seen + 1);
    if (slots->cells->n_seen)
        memcpy(slots->values, slots->cells->seen, slots->cells->n_seen * sizeof *slots->values);
    qsort(slots->values, slots->cells->n_seen, sizeof *slots->values, compare_values);
    slots->values[slots->cells->n_seen] = NAN;
    slots->n = slots->cells->n_seen + 1;
}

static guint slot_of(const Slots *slots, gsize at)
{
    if (slots->codes)
        return slots->slot_of[slots->cells->codes[at]];
    const double *values = slots->values, value = slots->cells->values[at];
    const double *found = isnan(value) ? NULL : bsearch(&value, values, slots->n - 1, sizeof *values, compare_values);
    return found ? (guint)(found - values) : slots->n - 1;
}

/* [column * n + slot] */
static guint *count(const Slots *slots, guint n_columns)
{
    const TndCells *cells = slots->cells;
    const guint n_each = cells->n_columns / n_columns;
    guint *counts = g_new0(guint, (gsize)n_columns * slots->n);
    for (guint band = 0; band < cells->n_bands; band++)
        for (guint c = 0; c < n_columns * n_each; c++)
            counts[(gsize)(c / n_each) * slots->n + slot_of(slots, (gsize)cells->lines[band] * cells->stride + c)]++;
    return counts;
}

static void fill_column(TndCells *stack, const Slots *slots, const guint *counts, guint column, guint n_samples)
{
    guint64 sum = 0;
    guint from = 0;
    for (guint slot = 0; slot < slots->n; slot++) {
        sum += counts[slot];
        const guint to = (guint)((sum * stack->n_bands + n_samples / 2) / n_samples);
        for (; from < to; from++) {
            const gsize at = (gsize)(stack->n_bands - 1 - from) * stack->stride + column;
            if (slots->codes)
                stack->codes[at] = slots->codes[slot];
            else
                stack->values[at] = slots->values[slot];
        }
    }
}

TndCells *tnd_cell_stack_new(TndCells *cells, guint n_columns, guint n_lines)
{
    TndCells *stack = g_new(TndCells, 1);
    Slots slots = {.cells = cells};
    if (cells->codes)
        list_codes(&slots);
    else
        list_values(&slots);
    guint *counts = count(&slots, n_columns);
    *stack = *cells;
    stack->n_bands = MAX(n_lines, 1);
    stack->n_columns = stack->stride = n_columns;
    stack->lines = g_new(guint, stack->n_bands);
    for (guint band = 0; band < stack->n_bands; band++)
        stack->lines[band] = band;
    stack->codes = cells->codes ? g_new0(guint16, (gsize)stack->n_bands * n_columns) : NULL;
    stack->values = cells->codes ? NULL : g_new0(double, (gsize)stack->n_bands *n_columns);
    const guint n_samples = cells->n_bands * (cells->n_columns / n_columns);
    for (guint column = 0; column < n_columns; column++)
        fill_column(stack, &slots, counts + (gsize)column * slots.n, column, n_samples);
    cells->seen = NULL; /* the stack has it */
    tnd_cells_free(cells);
    g_free(counts);
    g_free(slots.codes);
    g_free(slots.slot_of);
    g_free(slots.values);
    return stack;
}
