/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Columns are as wide as their widest number; what does not fit is cut off, or the whole table is shrunk.
 */
#include "viewer/paint/histogram_table.h"

#include "analysis/trace/row_labels.h"
#include "viewer/paint/legend.h"
#include "viewer/paint/palette.h"
#include "viewer/paint/ruler.h"
#include "viewer/paint/table_numbers.h"

#include <math.h>
#include <string.h>

enum { MARGIN = 10, SPACE = 6, PAD = 8, ROW = 21, WIDEST_HEAD = 170, WIDEST_NAME = 220, BAR = 180, SWATCH = 11 };

struct TndHistogramTable {
    TndHistogramTableSubject subject;
    double width, height;
    TndTableNumbers *numbers;
    guint *rows, n_all;                                    /* that the order has */
    double left, top, head_height, row_height, totals_top; /* pixels; left, top: of the first cell */
    double *x;               /* [column - first_column]: left edges, n_columns + 1 of them */
    guint n_rows, n_columns; /* that are laid out; the last one may be cut off */
    guint n_whole_rows, n_whole_columns, n_totals;
    gboolean has_numbers;
    TndRectangle gradient;
    GArray *texts;
};

static char *total_text(const TndHistogramTable *table, guint total, guint column)
{
    const TndHistogram *histogram = table->subject.histogram;
    double value = histogram->totals[(gsize)total * histogram->n_columns + column];
    return total == TND_TOTAL_AVG_MAX ? g_strdup_printf("%.2f", value) : tnd_table_numbers_text(table->numbers, value);
}

/* As people call the threads of the trace that rows and partners are. */
static const char *line_name(const TndHistogramTable *table, guint line, char *const *names, gboolean are_rows)
{
    const TndHistogram *histogram = table->subject.histogram;
    if (!table->subject.trace || !(are_rows || histogram->are_partners))
        return names[line];
    const guint row = are_rows ? histogram->row_numbers[line] : (guint)histogram->column_ends[2 * (gsize)line];
    return tnd_row_labels_get(table->subject.trace, histogram->level, row);
}

static const char *row_name(const TndHistogramTable *table, guint row)
{
    const TndHistogram *histogram = table->subject.histogram;
    return line_name(table, row, histogram->row_names, !histogram->is_vertical);
}

static const char *column_name(const TndHistogramTable *table, guint column)
{
    const TndHistogram *histogram = table->subject.histogram;
    return line_name(table, column, histogram->column_names, histogram->is_vertical);
}

/* In pixels.  Of names only the long ones are measured, because that takes long. */
static double widest_name(const TndHistogramTable *table, TndTextStyle style,
                          const char *(*name_of)(const TndHistogramTable *, guint), guint n)
{
    enum { MOST = 200 };
    gsize longest = 0;
    double widest = 0;
    for (guint i = 0; i < n; i++)
        longest = MAX(longest, strlen(name_of(table, i)));
    for (guint i = 0, n_measured = 0; i < n && n_measured < MOST; i++)
        if (strlen(name_of(table, i)) * 5 >= longest * 4) {
            widest = MAX(widest, tnd_text_width(style, name_of(table, i)));
            n_measured++;
        }
    return widest;
}

static double name_width(const TndHistogramTable *table)
{
    double totals = 0;
    for (guint total = 0; total < TND_TOTAL_N; total++)
        totals = MAX(totals, tnd_text_width(TND_TEXT_STRONG, tnd_histogram_total_name(total)));
    double names = widest_name(table, TND_TEXT_NORMAL, row_name, table->subject.histogram->n_rows);
    return ceil(MIN(MAX(totals, names), WIDEST_NAME)) + PAD;
}

/* With an arrow, if rows are sorted by the column. */
static char *head_text(const TndHistogramTable *table, guint column)
{
    const TndHistogram *histogram = table->subject.histogram;
    const TndTableOrder *order = &table->subject.order;
    guint sorted;
    const gboolean is_sorted = tnd_table_order_column(order, histogram, &sorted) && sorted == column;
    return g_strconcat(column_name(table, column), !is_sorted ? "" : order->is_rising ? " ▲" : " ▼", NULL);
}

static double natural_column_width(const TndHistogramTable *table, guint column)
{
    char *longest = tnd_table_numbers_longest(table->numbers, column), *head = head_text(table, column);
    for (guint total = 0; total < TND_TOTAL_N; total++) {
        char *text = total_text(table, total, column), *shorter = strlen(text) > strlen(longest) ? longest : text;
        longest = shorter == text ? longest : text;
        g_free(shorter);
    }
    const double width = tnd_text_width(TND_TEXT_NORMAL, longest), head_width = tnd_text_width(TND_TEXT_STRONG, head);
    g_free(head);
    g_free(longest);
    return ceil(MAX(width, MIN(head_width, WIDEST_HEAD))) + 2 * PAD;
}

static double head_of_page(void)
{
    return ceil(MARGIN + tnd_text_height(TND_TEXT_TITLE) + 1 + tnd_text_height(TND_TEXT_SMALL) + SPACE);
}

static double foot_of_page(const TndHistogramTable *table)
{
    return table->subject.cells ? ceil(tnd_text_height(TND_TEXT_SMALL) + 2 * SPACE) : SPACE;
}

/* Lays out n columns at their natural width.  TRUE: all of them fit; else those that are visible are laid out, and the
 * last one is cut off at `right`. */
static gboolean lay_out_naturally(TndHistogramTable *table, guint n, double right)
{
    table->n_columns = table->n_whole_columns = n;
    for (guint c = 0; c < n; c++) {
        table->x[c + 1] = table->x[c] + natural_column_width(table, table->subject.first_column + c);
        if (table->x[c + 1] <= right)
            continue;
        table->n_whole_columns = MAX(c, 1);
        table->n_columns = table->x[c] < right ? c + 1 : c;
        table->x[table->n_columns] = MIN(table->x[table->n_columns], right);
        return FALSE;
    }
    return TRUE;
}

static void lay_out_columns(TndHistogramTable *table)
{
    const TndHistogram *histogram = table->subject.histogram;
    double right = table->width - MARGIN;
    guint first = table->subject.is_fitted ? 0 : MIN(table->subject.first_column, histogram->n_columns);
    guint n = histogram->n_columns - first;
    table->subject.first_column = first;
    table->x = g_new0(double, n + 1);
    table->x[0] = table->left;
    table->has_numbers = TRUE;
    if (lay_out_naturally(table, n, right) || !table->subject.is_fitted)
        return;
    table->n_columns = table->n_whole_columns = n;
    for (guint c = 0; c <= n; c++)
        table->x[c] = table->left + floor((right - table->left) * c / n);
}

/* Whether the heads of columns are upright, because columns are too narrow for horizontal ones. */
static gboolean heads_stand(const TndHistogramTable *table)
{
    if (!table->subject.is_fitted)
        return FALSE;
    for (guint c = 0; c < table->n_columns; c++) {
        char *head = head_text(table, c);
        const gboolean is_wide = tnd_text_width(TND_TEXT_STRONG, head) + 4 > table->x[c + 1] - table->x[c];
        g_free(head);
        if (is_wide && table->x[c + 1] - table->x[c] < WIDEST_HEAD + 4)
            return TRUE;
    }
    return FALSE;
}

static void lay_out_heads(TndHistogramTable *table, gboolean stand)
{
    double y = table->top - table->head_height, free_from = 0;
    for (guint c = 0; c < table->n_columns; c++) {
        char *head = head_text(table, table->subject.first_column + c);
        double x = table->x[c], width = table->x[c + 1] - x, line = tnd_text_height(TND_TEXT_STRONG);
        if (!stand) {
            tnd_text_add(table->texts, TND_TEXT_STRONG, TND_TEXT_RIGHT, TND_INK,
                         (TndRectangle){x + 2, y, width - PAD, table->head_height}, head);
        } else if (x += (width - line) / 2, x >= free_from && x + line <= table->width) {
            tnd_text_add_upright(table->texts, TND_TEXT_STRONG, TND_TEXT_LEFT, TND_INK,
                                 (TndRectangle){x, y, line, table->head_height - 4}, head);
            free_from = x + line;
        }
        g_free(head);
    }
}

static gboolean numbers_fit(const TndHistogramTable *table)
{
    if (!table->subject.is_fitted)
        return TRUE;
    if (!table->n_totals)
        return FALSE;
    for (guint c = 0; c < table->n_columns; c++) {
        char *text = tnd_table_numbers_longest(table->numbers, c);
        gboolean fits = tnd_text_width(TND_TEXT_NORMAL, text) + 4 <= table->x[c + 1] - table->x[c];
        g_free(text);
        if (!fits)
            return FALSE;
    }
    return TRUE;
}

static guint32 cell_colour(const TndHistogramTable *table, double value)
{
    const double least = table->numbers->minimum, span = table->numbers->maximum - least;
    return tnd_palette_gradient(table->subject.look.colours, span > 0 ? (value - least) / span : 1);
}

static void lay_out_row(TndHistogramTable *table, const char *name, double y, double *free_from, guint row, int total)
{
    const TndHistogram *histogram = table->subject.histogram;
    double line = tnd_text_height(TND_TEXT_NORMAL), name_y = MAX(y + (table->row_height - line) / 2, table->top);
    if (name_y >= *free_from) {
        tnd_text_add(table->texts, total < 0 ? TND_TEXT_NORMAL : TND_TEXT_STRONG, TND_TEXT_RIGHT, TND_INK,
                     (TndRectangle){MARGIN, name_y, table->left - MARGIN - PAD, line}, name);
        *free_from = name_y + line;
    }
    for (guint c = 0; table->has_numbers && c < table->n_columns; c++) {
        guint column = table->subject.first_column + c;
        const TndHistogramCell *cell =
            total < 0 ? tnd_table_numbers_seen(histogram, tnd_histogram_cell(histogram, row, column)) : NULL;
        guint32 ink = !cell && total < 0 ? TND_INK_SOFT : TND_INK;
        if (cell && table->subject.cells == TND_CELLS_COLOURS)
            ink = tnd_palette_ink_on(cell_colour(table, cell->value));
        char *text = total >= 0 ? total_text(table, (guint)total, column)
                     : cell     ? tnd_table_numbers_text(table->numbers, cell->value)
                                : g_strdup("–");
        double width = table->x[c + 1] - table->x[c];
        tnd_text_add(table->texts, TND_TEXT_NORMAL, TND_TEXT_RIGHT, ink,
                     (TndRectangle){table->x[c] + 2, y, MAX(width - MIN(PAD, width / 8) - 2, 0), table->row_height},
                     text);
        g_free(text);
    }
}

static void lay_out_page(TndHistogramTable *table)
{
    const TndHistogram *histogram = table->subject.histogram;
    double y = MARGIN, width = table->width - 2 * MARGIN, line = tnd_text_height(TND_TEXT_TITLE);
    char *statistic = g_strdelimit(g_strdup(tnd_histogram_statistic_name(histogram->statistic)), "-", ' ');
    const char *own = table->subject.title;
    own = own && g_ascii_strcasecmp(own, histogram->subject) != 0 ? own : NULL;
    char *title = g_strdup_printf("%s%s%s: %s%s%s%s — %s", own ? own : "", own ? "  ·  " : "", histogram->subject,
                                  statistic, *table->numbers->unit ? " (" : "", table->numbers->unit,
                                  *table->numbers->unit ? ")" : "", table->subject.trace_name);
    tnd_text_add(table->texts, TND_TEXT_TITLE, TND_TEXT_LEFT, TND_INK, (TndRectangle){MARGIN, y, width, line}, title);
    y += line + 1;
    guint64 resolution = (histogram->end_ns - histogram->begin_ns) / 10000;
    char *begin = tnd_ruler_time_text(histogram->begin_ns, resolution);
    char *end = tnd_ruler_time_text(histogram->end_ns, resolution);
    guint n_rows = histogram->is_vertical ? histogram->n_columns : table->n_all;
    guint n_columns = histogram->is_vertical ? table->n_all : histogram->n_columns;
    const char *plane = table->subject.plane;
    const char *data = table->subject.data;
    char *caption = g_strdup_printf("%s – %s  ·  %u %s × %u column%s%s%s%s%s", begin, end, n_rows,
                                    tnd_levels_word(table->subject.level, n_rows != 1), n_columns,
                                    n_columns == 1 ? "" : "s", data ? "  ·  values of: " : "", data ? data : "",
                                    plane ? "  ·  plane: " : "", plane ? plane : "");
    line = tnd_text_height(TND_TEXT_SMALL);
    tnd_text_add(table->texts, TND_TEXT_SMALL, TND_TEXT_LEFT, TND_INK_SOFT, (TndRectangle){MARGIN, y, width, line},
                 caption);
    g_free(caption);
    g_free(end);
    g_free(begin);
    g_free(title);
    g_free(statistic);
}

/* What colours and bars mean. */
static void lay_out_scale(TndHistogramTable *table)
{
    const double line = tnd_text_height(TND_TEXT_SMALL), least = table->numbers->minimum;
    const gboolean has_colours = table->subject.cells == TND_CELLS_COLOURS;
    double y = MIN(table->totals_top + table->n_totals * table->row_height + SPACE, table->height - SPACE - line);
    char *low = has_colours ? tnd_table_numbers_text(table->numbers, least) : g_strdup("0");
    char *maximum = tnd_table_numbers_text(table->numbers, table->numbers->maximum);
    char *high = g_strdup_printf("%s %s", maximum, table->numbers->unit);
    double x = table->left, before = tnd_text_width(TND_TEXT_SMALL, low);
    double after = tnd_text_width(TND_TEXT_SMALL, high);
    double bar = MIN(BAR, table->width - MARGIN - x - before - after - 2 * SPACE);
    if (table->subject.cells && bar >= 24) {
        tnd_text_add(table->texts, TND_TEXT_SMALL, TND_TEXT_LEFT, TND_INK, (TndRectangle){x, y, before, line}, low);
        table->gradient = (TndRectangle){x + before + SPACE, y + (line - SWATCH) / 2, bar, SWATCH};
        x += before + bar + 2 * SPACE;
        tnd_text_add(table->texts, TND_TEXT_SMALL, TND_TEXT_LEFT, TND_INK, (TndRectangle){x, y, after, line}, high);
    }
    g_free(high);
    g_free(maximum);
    g_free(low);
}

static void lay_out_rows(TndHistogramTable *table)
{
    double room = table->height - foot_of_page(table) - table->top;
    table->row_height = ROW;
    guint first = table->subject.is_fitted ? 0 : MIN(table->subject.first_row, table->n_all);
    table->subject.first_row = first;
    guint n = table->n_all - first;
    table->n_totals = TND_TOTAL_N;
    if (table->subject.is_fitted) {
        table->row_height = CLAMP((room - SPACE) / (n + TND_TOTAL_N), 0.01, ROW);
        if (table->row_height < tnd_text_height(TND_TEXT_NORMAL)) { /* too low for numbers, so no totals */
            table->n_totals = 0;
            table->row_height = CLAMP((room - SPACE) / MAX(n, 1), 0.01, ROW);
        }
        if (table->row_height > 2)
            table->row_height = floor(table->row_height);
    } else {
        guint fits = (guint)MAX((room - SPACE) / ROW, 1);
        table->n_totals = MIN(TND_TOTAL_N, fits - 1);
        n = MIN(n, fits - table->n_totals);
    }
    table->n_rows = table->n_whole_rows = n;
    table->totals_top = table->top + n * table->row_height + SPACE;
    table->has_numbers = numbers_fit(table);
    if (!table->has_numbers)
        table->n_totals = 0;
    double free_from = table->top;
    for (guint i = 0; i < n; i++)
        lay_out_row(table, row_name(table, table->rows[first + i]), table->top + i * table->row_height, &free_from,
                    table->rows[first + i], -1);
    for (guint total = 0; total < table->n_totals; total++)
        lay_out_row(table, tnd_histogram_total_name(total), table->totals_top + total * table->row_height, &free_from,
                    0, (int)total);
}

TndHistogramTable *tnd_histogram_table_new(const TndHistogramTableSubject *subject, double width, double height)
{
    TndHistogramTable *table = g_new0(TndHistogramTable, 1);
    table->subject = *subject;
    table->width = width;
    table->height = height;
    table->texts = tnd_text_list_new();
    table->numbers = tnd_table_numbers_new(subject->histogram);
    table->rows = tnd_table_order_rows(&subject->order, subject->histogram, &table->n_all);
    lay_out_page(table);
    table->left = MARGIN + MIN(name_width(table), floor(width * 0.3)) + PAD;
    lay_out_columns(table);
    gboolean stand = heads_stand(table);
    table->head_height = ROW;
    if (stand) {
        double need = widest_name(table, TND_TEXT_STRONG, column_name, table->n_columns) + 8;
        table->head_height = MAX(table->head_height, MIN(need, height * 0.3));
    }
    table->head_height = ceil(table->head_height);
    table->top = head_of_page() + table->head_height;
    lay_out_heads(table, stand);
    lay_out_rows(table);
    lay_out_scale(table);
    return table;
}

void tnd_histogram_table_natural_size(const TndHistogramTableSubject *subject, double *width, double *height)
{
    TndHistogramTable table = {.subject = *subject, .numbers = tnd_table_numbers_new(subject->histogram)};
    g_free(tnd_table_order_rows(&subject->order, subject->histogram, &table.n_all));
    *width = MARGIN + name_width(&table) + PAD + MARGIN;
    for (guint c = 0; c < subject->histogram->n_columns; c++)
        *width += natural_column_width(&table, c);
    *height = head_of_page() + ROW + (double)(table.n_all + TND_TOTAL_N) * ROW + SPACE + foot_of_page(&table);
    *width = MAX(*width, 480);
    tnd_table_numbers_free(table.numbers);
}

void tnd_histogram_table_free(TndHistogramTable *table)
{
    if (!table)
        return;
    g_free(table->x);
    g_free(table->rows);
    tnd_table_numbers_free(table->numbers);
    g_array_unref(table->texts);
    g_free(table);
}

static void fill(cairo_t *cr, guint32 colour, double x, double y, double width, double height)
{
    tnd_text_set_colour(cr, colour);
    cairo_rectangle(cr, x, y, width, height);
    cairo_fill(cr);
}

/* So near to the paper that its ink can be read on it. */
static guint32 bar_colour(const TndHistogramTable *table)
{
    const TndLook *look = &table->subject.look;
    const guint32 paper = tnd_text_theme_colour(look->theme, TND_PAPER), ink = tnd_palette_gradient(look->colours, 0.3);
    guint32 mixed = 0;
    for (guint shift = 0; shift < 24; shift += 8)
        mixed |= (3 * (paper >> shift & 255) + 2 * (ink >> shift & 255)) / 5 << shift;
    return mixed;
}

static void paint_cell(const TndHistogramTable *table, double value, TndRectangle cell, cairo_t *cr)
{
    if (table->subject.cells != TND_CELLS_BARS) {
        fill(cr, cell_colour(table, value), cell.x, cell.y, cell.width, cell.height);
        return;
    }
    const double most = MAX(fabs(table->numbers->minimum), fabs(table->numbers->maximum));
    const double part = most > 0 ? fabs(value) / most : 0;
    fill(cr, bar_colour(table), cell.x, cell.y, MAX(cell.width * part, part > 0), cell.height);
}

static void paint_cells(const TndHistogramTable *table, cairo_t *cr)
{
    const TndHistogram *histogram = table->subject.histogram;
    double gap = table->row_height >= 6 ? 1 : 0;
    for (guint i = 0; i < table->n_rows; i++) {
        guint row = table->rows[table->subject.first_row + i];
        for (gsize at = histogram->first[row]; at < histogram->first[row + 1]; at++) {
            const TndHistogramCell *cell = &histogram->cells[at];
            guint c = cell->column - table->subject.first_column;
            if (cell->column < table->subject.first_column || c >= table->n_columns ||
                !tnd_table_numbers_seen(histogram, cell))
                continue;
            double width = table->x[c + 1] - table->x[c];
            paint_cell(table, cell->value,
                       (TndRectangle){table->x[c], table->top + i * table->row_height, width - (width >= 6),
                                      table->row_height - gap},
                       cr);
        }
    }
}

static void paint_mark(const TndHistogramTable *table, cairo_t *cr)
{
    const TndHistogramTableSubject *subject = &table->subject;
    guint i = 0, c = subject->marked_column - subject->first_column;
    while (i < table->n_rows && table->rows[subject->first_row + i] != subject->marked_row)
        i++;
    if (!subject->is_marked || i == table->n_rows || subject->marked_column < subject->first_column ||
        c >= table->n_columns)
        return;
    cairo_rectangle(cr, table->x[c] + 1, table->top + i * table->row_height + 1, table->x[c + 1] - table->x[c] - 2,
                    table->row_height - 2);
    tnd_text_set_colour(cr, TND_INK);
    cairo_set_line_width(cr, 2);
    cairo_stroke(cr);
}

static gboolean find_column(const TndHistogramTable *table, double x, guint *column)
{
    guint c = 0;
    while (c < table->n_columns && x >= table->x[c + 1])
        c++;
    *column = table->subject.first_column + c;
    return c < table->n_columns && x >= table->x[0];
}

gboolean tnd_histogram_table_find(const TndHistogramTable *table, double x, double y, guint *row, guint *column)
{
    double line = floor((y - table->top) / table->row_height);
    if (line < 0 || line >= table->n_rows || !find_column(table, x, column))
        return FALSE;
    *row = table->rows[table->subject.first_row + (guint)line];
    return TRUE;
}

gboolean tnd_histogram_table_find_head(const TndHistogramTable *table, double x, double y, guint *column)
{
    return y < table->top && y >= table->top - table->head_height && find_column(table, x, column);
}

TndRectangle tnd_histogram_table_columns(const TndHistogramTable *table, guint first, guint last)
{
    const guint shown = table->subject.first_column;
    const double left = table->x[CLAMP((gint64)first - shown, 0, table->n_columns)];
    const double right = table->x[CLAMP((gint64)last + 1 - shown, 0, table->n_columns)];
    const double top = table->top - table->head_height;
    return (TndRectangle){left, top, right - left, table->totals_top - top};
}

void tnd_histogram_table_paint(const TndHistogramTable *table, cairo_t *cr)
{
    double right = table->x[table->n_columns], totals = table->n_totals * table->row_height;
    tnd_text_set_theme(cr, table->subject.look.theme);
    fill(cr, TND_PAPER, 0, 0, table->width, table->height);
    fill(cr, TND_PAPER_SOFT, MARGIN, table->top - table->head_height, right - MARGIN, table->head_height);
    fill(cr, TND_PAPER_SOFT, MARGIN, table->totals_top, right - MARGIN, totals);
    if (table->subject.cells || !table->has_numbers)
        paint_cells(table, cr);
    paint_mark(table, cr);
    fill(cr, TND_RULE, MARGIN, table->top - 1, right - MARGIN, 1);
    fill(cr, TND_RULE, MARGIN, table->totals_top - 1, right - MARGIN, 1);
    TndRectangle bar = table->gradient;
    if (bar.width > 0 && table->subject.cells == TND_CELLS_COLOURS)
        tnd_legend_paint_gradient(table->subject.look.colours, bar, cr);
    else
        fill(cr, bar_colour(table), bar.x, bar.y, bar.width, bar.height);
    tnd_text_draw(table->texts, cr);
}

char *tnd_histogram_table_words(const TndHistogramTable *table)
{
    const TndHistogram *histogram = table->subject.histogram;
    GString *words = g_string_new(table->numbers->unit);
    for (guint c = 0; c < histogram->n_columns; c++)
        g_string_append_printf(words, "\t%s", column_name(table, c));
    g_string_append_c(words, '\n');
    for (guint i = 0; i < table->n_all; i++) {
        g_string_append(words, row_name(table, table->rows[i]));
        for (guint c = 0; c < histogram->n_columns; c++) {
            const TndHistogramCell *cell =
                tnd_table_numbers_seen(histogram, tnd_histogram_cell(histogram, table->rows[i], c));
            char *text = cell ? tnd_table_numbers_text(table->numbers, cell->value) : g_strdup("");
            g_string_append_printf(words, "\t%s", text);
            g_free(text);
        }
        g_string_append_c(words, '\n');
    }
    return g_string_free(words, FALSE);
}

guint tnd_histogram_table_n_all_rows(const TndHistogramTable *table)
{
    return table->n_all;
}

guint tnd_histogram_table_n_rows(const TndHistogramTable *table)
{
    return table->n_whole_rows;
}

guint tnd_histogram_table_n_columns(const TndHistogramTable *table)
{
    return table->n_whole_columns;
}

const GArray *tnd_histogram_table_texts(const TndHistogramTable *table)
{
    return table->texts;
}
