/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Items flow from the left like words; the gradient is one line.
 */
#include "viewer/paint/legend.h"

#include "viewer/paint/curves.h"

#include <math.h>

enum { SWATCH = 11, GAP = 5, APART = 16, WIDEST = 260, BAR = 180 };

double tnd_legend_line_height(void)
{
    return MAX(tnd_text_height(TND_TEXT_SMALL), SWATCH) + 4;
}

static void add_swatch(TndLegend *legend, double x, double y, guint32 colour, double width, double value)
{
    const double down = (tnd_legend_line_height() - SWATCH) / 2;
    TndLegendSwatch swatch = {{x, y + down, SWATCH, SWATCH}, colour, width, value};
    g_array_append_val(legend->swatches, swatch);
}

char *tnd_legend_text(const TndView *view, double value)
{
    const TndViewRule *rule = tnd_view_rule(view);
    if (isnan(value))
        return g_strdup(rule->are_states ? "No state" : "No value");
    return value == 0 && rule->zero_is_nothing ? g_strdup("No value") : tnd_view_value_text(view, value);
}

/* The items of a legend of codes: the values that occur, then, if some cells have none, that. */
static guint n_items_of(const TndCells *cells)
{
    return cells->n_seen + cells->has_none;
}

static double item_at(const TndCells *cells, guint i)
{
    return i < cells->n_seen ? cells->seen[i] : NAN;
}

/* The largest width of a label.  Labels are cut to WIDEST only if they do not all fit into one line. */
static double widest_label(TndView *view, const TndCells *cells, double width)
{
    double sum = 0;
    for (guint i = 0; i < n_items_of(cells) && sum <= width; i++) {
        char *label = tnd_legend_text(view, item_at(cells, i));
        sum += SWATCH + GAP + tnd_text_width(TND_TEXT_SMALL, label) + APART;
        g_free(label);
    }
    return sum <= width ? width : MIN(WIDEST, width - SWATCH - GAP);
}

/* Codes flow like words; the last line ends in the number of those that have no room. */
static void lay_out_codes(TndLegend *legend, TndView *view, const TndCells *cells, const TndPaletteScale *scale,
                          double left, double width, guint most_lines, GArray *texts)
{
    const double line = tnd_legend_line_height(), more_width = tnd_text_width(TND_TEXT_SMALL, "… and 9999 more");
    const double widest = widest_label(view, cells, width);
    const guint n_items = n_items_of(cells);
    double x = left, y = 0;
    for (guint i = 0; i < n_items; i++) {
        char *label = tnd_legend_text(view, item_at(cells, i));
        double text_width = MIN(tnd_text_width(TND_TEXT_SMALL, label), widest);
        double item = SWATCH + GAP + text_width;
        gboolean is_last_line = y + 2 * line > most_lines * line;
        double room = left + width - x - (is_last_line && i + 1 < n_items ? more_width + APART : 0);
        if (item > room && x > left && !is_last_line) {
            x = left;
            y += line;
            is_last_line = y + 2 * line > most_lines * line;
            room = width - (is_last_line && i + 1 < n_items ? more_width + APART : 0);
        }
        if (item > room && is_last_line) {
            g_free(label);
            label = g_strdup_printf("… and %u more", n_items - i);
            tnd_text_add(texts, TND_TEXT_SMALL, TND_TEXT_LEFT, TND_INK_SOFT,
                         (TndRectangle){x, y, left + width - x, line}, label);
            g_free(label);
            break;
        }
        add_swatch(legend, x, y, tnd_palette_colour(scale, item_at(cells, i)), item, item_at(cells, i));
        tnd_text_add(texts, TND_TEXT_SMALL, TND_TEXT_LEFT, TND_INK,
                     (TndRectangle){x + SWATCH + GAP, y, text_width, line}, label);
        g_free(label);
        x += item + APART;
    }
    legend->height = y + line;
}

/* Puts a text at a place and returns the x after it. */
static double put_at(GArray *texts, guint32 ink, double x, double y, double right, const char *text)
{
    double width = MIN(tnd_text_width(TND_TEXT_SMALL, text), MAX(right - x, 0));
    tnd_text_add(texts, TND_TEXT_SMALL, TND_TEXT_LEFT, ink, (TndRectangle){x, y, width, tnd_legend_line_height()},
                 text);
    return x + width;
}

static double put(GArray *texts, guint32 ink, double x, double right, const char *text)
{
    return put_at(texts, ink, x, 0, right, text);
}

/* An end of the gradient; has_more: it stands for what is beyond it, too. */
static char *end_text(TndView *view, double value, gboolean has_more, const char *sign)
{
    char *text = tnd_view_value_text(view, value), *whole = g_strconcat(has_more ? sign : "", text, NULL);
    g_free(text);
    return whole;
}

/* What kind of scale it is, and how far values go beyond its ends. */
static char *kind_text(TndView *view, const TndPaletteScale *scale)
{
    const char *kind = scale->is_log ? "logarithmic" : "linear";
    if (scale->least >= scale->minimum && scale->most <= scale->maximum)
        return g_strdup(kind);
    char *least = tnd_view_value_text(view, scale->least), *most = tnd_view_value_text(view, scale->most);
    char *text = g_strdup_printf("%s; values are %s to %s", kind, least, most);
    g_free(least);
    g_free(most);
    return text;
}

static void lay_out_gradient(TndLegend *legend, TndView *view, const TndPaletteScale *scale, double left, double width,
                             GArray *texts)
{
    const double line = tnd_legend_line_height(), right = left + width;
    char *minimum = end_text(view, scale->minimum, scale->least < scale->minimum, "≤ ");
    char *maximum = end_text(view, scale->maximum, scale->most > scale->maximum, "≥ ");
    char *kind = kind_text(view, scale);
    double x = put(texts, TND_INK_SOFT, left, right, tnd_view_rule(view)->title) + APART;
    double ends = tnd_text_width(TND_TEXT_SMALL, minimum) + tnd_text_width(TND_TEXT_SMALL, maximum) + 2 * GAP;
    double bar = MIN(BAR, right - x - ends);
    if (bar >= 24) {
        x = put(texts, TND_INK, x, right, minimum) + GAP;
        legend->gradient = (TndRectangle){x, (line - SWATCH) / 2, bar, SWATCH};
        x = put(texts, TND_INK, x + bar + GAP, right, maximum) + APART;
        x = put(texts, TND_INK_SOFT, x, right, kind) + APART;
    }
    char *outside = tnd_legend_text(view, 0);
    if (right - x > SWATCH + GAP + tnd_text_width(TND_TEXT_SMALL, outside)) {
        add_swatch(legend, x, 0, TND_CANVAS, 0, 0);
        put(texts, TND_INK, x + SWATCH + GAP, right, outside);
    }
    legend->height = line;
    legend->colours = scale->colours;
    g_free(outside);
    g_free(minimum);
    g_free(maximum);
    g_free(kind);
}

TndLegend tnd_legend_new(TndView *view, const TndCells *cells, const TndPaletteScale *scale, double left, double width,
                         guint most_lines, GArray *texts)
{
    TndLegend legend = {.swatches = g_array_new(FALSE, FALSE, sizeof(TndLegendSwatch))};
    if (most_lines == 0)
        return legend;
    if (scale->kind == TND_PALETTE_GRADIENT)
        lay_out_gradient(&legend, view, scale, left, width, texts);
    else
        lay_out_codes(&legend, view, cells, scale, left, width, most_lines, texts);
    return legend;
}

/* A line of the legend: the range of each row's axis. */
static void add_axis(TndLegend *legend, guint32 ink, TndView *view, const TndValueAxis *axis, double left, double width,
                     GArray *texts)
{
    const double y = legend->height, right = left + width;
    char *span = tnd_value_axis_text(axis), *each = g_strdup_printf("each row is %s high", span);
    add_swatch(legend, left, y, ink, 0, 0);
    double x = put_at(texts, TND_INK, left + SWATCH + GAP, y, right, tnd_view_rule(view)->title) + APART;
    put_at(texts, TND_INK_SOFT, x, y, right, each);
    legend->height += tnd_legend_line_height();
    g_free(each);
    g_free(span);
}

TndLegend tnd_legend_of_lines(TndView *view, const TndValueAxis *axis, double left, double width, GArray *texts)
{
    TndLegend legend = {.swatches = g_array_new(FALSE, FALSE, sizeof(TndLegendSwatch))};
    add_axis(&legend, TND_CURVES_INK, view, axis, left, width, texts);
    return legend;
}

void tnd_legend_add_over(TndLegend *legend, TndView *view, const TndValueAxis *axis, double left, double width,
                         GArray *texts)
{
    add_axis(legend, TND_CURVES_OVER, view, axis, left, width, texts);
}

TndLegend tnd_legend_of_nothing(void)
{
    return (TndLegend){.swatches = g_array_new(FALSE, FALSE, sizeof(TndLegendSwatch)),
                       .height = tnd_legend_line_height()};
}

void tnd_legend_move(TndLegend *legend, double down)
{
    for (guint i = 0; i < legend->swatches->len; i++)
        g_array_index(legend->swatches, TndLegendSwatch, i).box.y += down;
    legend->gradient.y += down;
}

void tnd_legend_paint_gradient(TndColours colours, TndRectangle bar, cairo_t *cr)
{
    enum { N_STOPS = 16 };
    cairo_pattern_t *pattern = cairo_pattern_create_linear(bar.x, 0, bar.x + bar.width, 0);
    for (guint i = 0; i <= N_STOPS; i++) {
        const guint32 rgb = tnd_palette_gradient(colours, (double)i / N_STOPS);
        cairo_pattern_add_color_stop_rgb(pattern, (double)i / N_STOPS, (rgb >> 16 & 255) / 255.0,
                                         (rgb >> 8 & 255) / 255.0, (rgb & 255) / 255.0);
    }
    cairo_set_source(cr, pattern);
    cairo_rectangle(cr, bar.x, bar.y, bar.width, bar.height);
    cairo_fill(cr);
    cairo_pattern_destroy(pattern);
}

gboolean tnd_legend_find(const TndLegend *legend, double x, double y, double *value)
{
    const double around = (tnd_legend_line_height() - SWATCH) / 2;
    for (guint i = 0; i < legend->swatches->len; i++) {
        const TndLegendSwatch *swatch = &g_array_index(legend->swatches, TndLegendSwatch, i);
        *value = swatch->value;
        if (x >= swatch->box.x && x < swatch->box.x + swatch->width && y >= swatch->box.y - around &&
            y < swatch->box.y + SWATCH + around)
            return TRUE;
    }
    return FALSE;
}

void tnd_legend_paint(const TndLegend *legend, cairo_t *cr)
{
    cairo_set_line_width(cr, 1);
    for (guint i = 0; i < legend->swatches->len; i++) {
        const TndLegendSwatch *swatch = &g_array_index(legend->swatches, TndLegendSwatch, i);
        TndRectangle box = swatch->box;
        tnd_text_set_colour(cr, swatch->colour);
        cairo_rectangle(cr, box.x + 0.5, box.y + 0.5, box.width - 1, box.height - 1);
        cairo_fill_preserve(cr);
        tnd_text_set_colour(cr, TND_INK_SOFT);
        cairo_stroke(cr);
    }
    TndRectangle bar = legend->gradient;
    if (bar.width > 0)
        tnd_legend_paint_gradient(legend->colours, bar, cr);
}

void tnd_legend_clear(TndLegend *legend)
{
    g_array_unref(legend->swatches);
}
