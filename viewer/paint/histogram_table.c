/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Columns are as wide as their widest number; what does not fit is cut off, or the whole table is shrunk.
 */
#include "viewer/paint/histogram_table.h"

#include "analysis/trace/row_labels.h"
#include "viewer/paint/legend.h"
#include "viewer/paint/palette.h"
#include "viewer/paint/ruler.h"

#include <math.h>
#include <string.h>

enum { MARGIN = 10, SPACE = 6, PAD = 8, ROW = 21, WIDEST_HEAD = 170, WIDEST_NAME = 220, BAR = 180, SWATCH = 11 };

/* Numbers are written with 0, 2 or 4 decimals.  Extremes are the least and the greatest number of each of these forms
 * in a column: the longest text is one of them. */
enum { WHOLE, USUAL, SMALL, N_FORMS };
static const int decimals[N_FORMS] = {0, 2, 4};

typedef struct {
    double low[N_FORMS], high[N_FORMS]; /* low > high: the form does not occur */
} Extremes;

struct TndHistogramTable {
    TndHistogramTableSubject subject;
    double width, height;
    double scale;     /* values are divided by it */
    const char *unit; /* of the scaled numbers */
    double minimum, maximum;
    Extremes *extremes;                                    /* [column] */
    double left, top, head_height, row_height, totals_top; /* pixels; left, top: of the first cell */
    double *x;               /* [column - first_column]: left edges, n_columns + 1 of them */
    guint n_rows, n_columns; /* that are laid out; the last one may be cut off */
    guint n_whole_rows, n_whole_columns, n_totals;
    gboolean has_numbers;
    TndRectangle gradient;
    GArray *texts;
};

/* The cell, or NULL if it is shown as empty.  A statistic of messages is 0 in cells whose messages went only in the
 * other direction: these are shown as empty, too. */
static const TndHistogramCell *seen(const TndHistogram *histogram, const TndHistogramCell *cell)
{
    gboolean is_of_messages =
        histogram->statistic >= TND_STATISTIC_SENDS && histogram->statistic <= TND_STATISTIC_MAXIMUM_BYTES_RECEIVED;
    return cell && is_of_messages && cell->value == 0 ? NULL : cell;
}

static void find_scale(TndHistogramTable *table)
{
    const TndHistogram *histogram = table->subject.histogram;
    table->minimum = INFINITY;
    table->maximum = -INFINITY;
    for (gsize i = 0; i < histogram->first[histogram->n_rows]; i++) {
        const TndHistogramCell *cell = seen(histogram, &histogram->cells[i]);
        table->minimum = cell ? MIN(table->minimum, cell->value) : table->minimum;
        table->maximum = cell ? MAX(table->maximum, cell->value) : table->maximum;
    }
    if (table->minimum > table->maximum)
        table->minimum = table->maximum = 0;
    table->scale = 1;
    table->unit = histogram->unit ? histogram->unit : "";
    if (!strcmp(table->unit, "ns")) {
        static const struct {
            const char *name;
            double ns;
        } units[] = {{"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1}};
        guint i = 0;
        while (units[i].ns > 1 && table->maximum < 2 * units[i].ns)
            i++;
        table->unit = units[i].name;
        table->scale = units[i].ns;
    }
}

static guint form_of(const TndHistogramTable *table, double scaled)
{
    if (table->scale == 1 && strcmp(table->unit, "%") && scaled == floor(scaled))
        return WHOLE;
    return scaled != 0 && fabs(scaled) < 0.1 ? SMALL : USUAL;
}

static char *number_text(const TndHistogramTable *table, double value)
{
    value /= table->scale;
    return g_strdup_printf("%.*f", decimals[form_of(table, value)], value);
}

/* Cells without a value count as 0. */
static void find_extremes(TndHistogramTable *table)
{
    const TndHistogram *histogram = table->subject.histogram;
    table->extremes = g_new(Extremes, histogram->n_columns + 1);
    for (guint column = 0; column < histogram->n_columns; column++)
        for (guint form = 0; form < N_FORMS; form++) {
            table->extremes[column].low[form] = form == form_of(table, 0) ? 0 : INFINITY;
            table->extremes[column].high[form] = form == form_of(table, 0) ? 0 : -INFINITY;
        }
    for (gsize i = 0; i < histogram->first[histogram->n_rows]; i++) {
        const TndHistogramCell *cell = &histogram->cells[i];
        Extremes *extremes = &table->extremes[cell->column];
        guint form = form_of(table, cell->value / table->scale);
        extremes->low[form] = MIN(extremes->low[form], cell->value);
        extremes->high[form] = MAX(extremes->high[form], cell->value);
    }
}

/* The longer of two texts; frees the other one. */
static char *longer(char *a, char *b)
{
    gboolean is_b = strlen(b) > strlen(a);
    g_free(is_b ? a : b);
    return is_b ? b : a;
}

static char *longest_number(const TndHistogramTable *table, guint column)
{
    const Extremes *extremes = &table->extremes[column];
    char *longest = g_strdup("");
    for (guint form = 0; form < N_FORMS; form++)
        if (extremes->low[form] <= extremes->high[form]) {
            longest = longer(longest, number_text(table, extremes->low[form]));
            longest = longer(longest, number_text(table, extremes->high[form]));
        }
    return longest;
}

static char *total_text(const TndHistogramTable *table, guint total, guint column)
{
    const TndHistogram *histogram = table->subject.histogram;
    double value = histogram->totals[(gsize)total * histogram->n_columns + column];
    return total == TND_TOTAL_AVG_MAX ? g_strdup_printf("%.2f", value) : number_text(table, value);
}

static double natural_column_width(const TndHistogramTable *table, guint column)
{
    char *longest = longest_number(table, column);
    for (guint total = 0; total < TND_TOTAL_N; total++)
        longest = longer(longest, total_text(table, total, column));
    double width = tnd_text_width(TND_TEXT_NORMAL, longest);
    g_free(longest);
    const char *name = table->subject.histogram->column_names[column];
    return ceil(MAX(width, MIN(tnd_text_width(TND_TEXT_STRONG, name), WIDEST_HEAD))) + 2 * PAD;
}

static const char *row_name(const TndHistogramTable *table, guint row)
{
    const TndHistogram *histogram = table->subject.histogram;
    if (!table->subject.trace || histogram->is_vertical)
        return histogram->row_names[row];
    return tnd_row_labels_get(table->subject.trace, histogram->level, histogram->row_numbers[row]);
}

static const char *longest_of(char *const *names, guint n)
{
    const char *longest = "";
    for (guint i = 0; i < n; i++)
        if (strlen(names[i]) > strlen(longest))
            longest = names[i];
    return longest;
}

static double name_width(const TndHistogramTable *table)
{
    const char *longest = "";
    for (guint row = 0; row < table->subject.histogram->n_rows; row++)
        longest = strlen(row_name(table, row)) > strlen(longest) ? row_name(table, row) : longest;
    double totals = tnd_text_width(TND_TEXT_STRONG, tnd_histogram_total_name(TND_TOTAL_AVERAGE));
    double names = tnd_text_width(TND_TEXT_NORMAL, longest);
    return ceil(MIN(MAX(totals, names), WIDEST_NAME)) + PAD;
}

static double head_of_page(void)
{
    return ceil(MARGIN + tnd_text_height(TND_TEXT_TITLE) + 1 + tnd_text_height(TND_TEXT_SMALL) + SPACE);
}

static double foot_of_page(const TndHistogramTable *table)
{
    return table->subject.is_coloured ? ceil(tnd_text_height(TND_TEXT_SMALL) + 2 * SPACE) : SPACE;
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
    const TndHistogram *histogram = table->subject.histogram;
    if (!table->subject.is_fitted)
        return FALSE;
    for (guint c = 0; c < table->n_columns; c++) {
        const char *name = histogram->column_names[c];
        if (table->x[c + 1] - table->x[c] < MIN(tnd_text_width(TND_TEXT_STRONG, name), WIDEST_HEAD) + 4)
            return TRUE;
    }
    return FALSE;
}

static void lay_out_heads(TndHistogramTable *table, gboolean stand)
{
    const TndHistogram *histogram = table->subject.histogram;
    double y = table->top - table->head_height, free_from = 0;
    for (guint c = 0; c < table->n_columns; c++) {
        const char *name = histogram->column_names[table->subject.first_column + c];
        double x = table->x[c], width = table->x[c + 1] - x, line = tnd_text_height(TND_TEXT_STRONG);
        if (!stand) {
            tnd_text_add(table->texts, TND_TEXT_STRONG, TND_TEXT_RIGHT, TND_INK,
                         (TndRectangle){x + 2, y, width - PAD, table->head_height}, name);
            continue;
        }
        x += (width - line) / 2;
        if (x < free_from || x + line > table->width)
            continue;
        tnd_text_add_upright(table->texts, TND_TEXT_STRONG, TND_TEXT_LEFT, TND_INK,
                             (TndRectangle){x, y, line, table->head_height - 4}, name);
        free_from = x + line;
    }
}

static gboolean numbers_fit(const TndHistogramTable *table)
{
    if (!table->subject.is_fitted)
        return TRUE;
    if (!table->n_totals)
        return FALSE;
    for (guint c = 0; c < table->n_columns; c++) {
        char *text = longest_number(table, c);
        gboolean fits = tnd_text_width(TND_TEXT_NORMAL, text) + 4 <= table->x[c + 1] - table->x[c];
        g_free(text);
        if (!fits)
            return FALSE;
    }
    return TRUE;
}

static guint32 cell_colour(const TndHistogramTable *table, double value)
{
    double span = table->maximum - table->minimum;
    return tnd_palette_gradient(table->subject.look.colours, span > 0 ? (value - table->minimum) / span : 1);
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
        const TndHistogramCell *cell = total < 0 ? seen(histogram, tnd_histogram_cell(histogram, row, column)) : NULL;
        guint32 ink = !cell && total < 0 ? TND_INK_SOFT : TND_INK;
        if (cell && table->subject.is_coloured)
            ink = tnd_palette_ink_on(cell_colour(table, cell->value));
        char *text = total >= 0 ? total_text(table, (guint)total, column)
                     : cell     ? number_text(table, cell->value)
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
    char *title =
        g_strdup_printf("%s%s%s: %s%s%s%s — %s", own ? own : "", own ? "  ·  " : "", histogram->subject, statistic,
                        *table->unit ? " (" : "", table->unit, *table->unit ? ")" : "", table->subject.trace_name);
    tnd_text_add(table->texts, TND_TEXT_TITLE, TND_TEXT_LEFT, TND_INK, (TndRectangle){MARGIN, y, width, line}, title);
    y += line + 1;
    guint64 resolution = (histogram->end_ns - histogram->begin_ns) / 10000;
    char *begin = tnd_ruler_time_text(histogram->begin_ns, resolution);
    char *end = tnd_ruler_time_text(histogram->end_ns, resolution);
    guint n_rows = histogram->is_vertical ? histogram->n_columns : histogram->n_rows;
    guint n_columns = histogram->is_vertical ? histogram->n_rows : histogram->n_columns;
    const char *plane = table->subject.plane;
    char *caption = g_strdup_printf("%s – %s  ·  %u %s × %u column%s%s%s", begin, end, n_rows,
                                    tnd_levels_word(table->subject.level, n_rows != 1), n_columns,
                                    n_columns == 1 ? "" : "s", plane ? "  ·  plane: " : "", plane ? plane : "");
    line = tnd_text_height(TND_TEXT_SMALL);
    tnd_text_add(table->texts, TND_TEXT_SMALL, TND_TEXT_LEFT, TND_INK_SOFT, (TndRectangle){MARGIN, y, width, line},
                 caption);
    g_free(caption);
    g_free(end);
    g_free(begin);
    g_free(title);
    g_free(statistic);
}

static void lay_out_scale(TndHistogramTable *table)
{
    double line = tnd_text_height(TND_TEXT_SMALL);
    double y = MIN(table->totals_top + table->n_totals * table->row_height + SPACE, table->height - SPACE - line);
    char *minimum = number_text(table, table->minimum), *maximum = number_text(table, table->maximum);
    char *high = g_strdup_printf("%s %s", maximum, table->unit);
    double x = table->left, before = tnd_text_width(TND_TEXT_SMALL, minimum);
    double after = tnd_text_width(TND_TEXT_SMALL, high);
    double bar = MIN(BAR, table->width - MARGIN - x - before - after - 2 * SPACE);
    if (table->subject.is_coloured && bar >= 24) {
        tnd_text_add(table->texts, TND_TEXT_SMALL, TND_TEXT_LEFT, TND_INK, (TndRectangle){x, y, before, line}, minimum);
        table->gradient = (TndRectangle){x + before + SPACE, y + (line - SWATCH) / 2, bar, SWATCH};
        x += before + bar + 2 * SPACE;
        tnd_text_add(table->texts, TND_TEXT_SMALL, TND_TEXT_LEFT, TND_INK, (TndRectangle){x, y, after, line}, high);
    }
    g_free(high);
    g_free(maximum);
    g_free(minimum);
}

static void lay_out_rows(TndHistogramTable *table)
{
    const TndHistogram *histogram = table->subject.histogram;
    double room = table->height - foot_of_page(table) - table->top;
    table->row_height = ROW;
    guint first = table->subject.is_fitted ? 0 : MIN(table->subject.first_row, histogram->n_rows);
    table->subject.first_row = first;
    guint n = histogram->n_rows - first;
    table->n_totals = TND_TOTAL_N;
    if (table->subject.is_fitted) {
        table->row_height = CLAMP((room - SPACE) / (n + TND_TOTAL_N), 0.01, ROW);
        if (table->row_height < tnd_text_height(TND_TEXT_NORMAL)) { /* too low for numbers, so no totals */
            table->n_totals = 0;
            table->row_height = CLAMP((room - SPACE) / n, 0.01, ROW);
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
        lay_out_row(table, row_name(table, first + i), table->top + i * table->row_height, &free_from, first + i, -1);
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
    find_scale(table);
    find_extremes(table);
    lay_out_page(table);
    table->left = MARGIN + MIN(name_width(table), floor(width * 0.3)) + PAD;
    lay_out_columns(table);
    gboolean stand = heads_stand(table);
    table->head_height = ROW;
    if (stand) {
        double need =
            tnd_text_width(TND_TEXT_STRONG, longest_of(subject->histogram->column_names, table->n_columns)) + 8;
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
    TndHistogramTable table = {.subject = *subject};
    find_scale(&table);
    find_extremes(&table);
    *width = MARGIN + name_width(&table) + PAD + MARGIN;
    for (guint c = 0; c < subject->histogram->n_columns; c++)
        *width += natural_column_width(&table, c);
    *height =
        head_of_page() + ROW + (double)(subject->histogram->n_rows + TND_TOTAL_N) * ROW + SPACE + foot_of_page(&table);
    *width = MAX(*width, 480);
    g_free(table.extremes);
}

void tnd_histogram_table_free(TndHistogramTable *table)
{
    if (!table)
        return;
    g_free(table->x);
    g_free(table->extremes);
    g_array_unref(table->texts);
    g_free(table);
}

static void fill(cairo_t *cr, guint32 colour, double x, double y, double width, double height)
{
    tnd_text_set_colour(cr, colour);
    cairo_rectangle(cr, x, y, width, height);
    cairo_fill(cr);
}

static void paint_cells(const TndHistogramTable *table, cairo_t *cr)
{
    const TndHistogram *histogram = table->subject.histogram;
    double gap = table->row_height >= 6 ? 1 : 0;
    for (guint i = 0; i < table->n_rows; i++) {
        guint row = table->subject.first_row + i;
        for (gsize at = histogram->first[row]; at < histogram->first[row + 1]; at++) {
            const TndHistogramCell *cell = &histogram->cells[at];
            guint c = cell->column - table->subject.first_column;
            if (cell->column < table->subject.first_column || c >= table->n_columns || !seen(histogram, cell))
                continue;
            double width = table->x[c + 1] - table->x[c];
            fill(cr, cell_colour(table, cell->value), table->x[c], table->top + i * table->row_height,
                 width - (width >= 6), table->row_height - gap);
        }
    }
}

static void paint_mark(const TndHistogramTable *table, cairo_t *cr)
{
    const TndHistogramTableSubject *subject = &table->subject;
    guint i = subject->marked_row - subject->first_row, c = subject->marked_column - subject->first_column;
    if (!subject->is_marked || subject->marked_row < subject->first_row || i >= table->n_rows ||
        subject->marked_column < subject->first_column || c >= table->n_columns)
        return;
    cairo_rectangle(cr, table->x[c] + 1, table->top + i * table->row_height + 1, table->x[c + 1] - table->x[c] - 2,
                    table->row_height - 2);
    tnd_text_set_colour(cr, TND_INK);
    cairo_set_line_width(cr, 2);
    cairo_stroke(cr);
}

gboolean tnd_histogram_table_find(const TndHistogramTable *table, double x, double y, guint *row, guint *column)
{
    double line = floor((y - table->top) / table->row_height);
    guint c = 0;
    while (c < table->n_columns && x >= table->x[c + 1])
        c++;
    if (line < 0 || line >= table->n_rows || c == table->n_columns || x < table->x[0])
        return FALSE;
    *row = table->subject.first_row + (guint)line;
    *column = table->subject.first_column + c;
    return TRUE;
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
    if (table->subject.is_coloured || !table->has_numbers)
        paint_cells(table, cr);
    paint_mark(table, cr);
    fill(cr, TND_RULE, MARGIN, table->top - 1, right - MARGIN, 1);
    fill(cr, TND_RULE, MARGIN, table->totals_top - 1, right - MARGIN, 1);
    TndRectangle bar = table->gradient;
    if (bar.width > 0)
        tnd_legend_paint_gradient(table->subject.look.colours, bar, cr);
    tnd_text_draw(table->texts, cr);
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
