/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Panels from top to bottom share one axis of time; the legend is to their right.
 */
#include "analysis/reports/fold_picture.h"

#include "analysis/base/quantity.h"
#include "analysis/reports/svg_text.h"

#include <math.h>
#include <string.h>

/* In pixels. */
enum { WIDTH = 1100, LEFT = 90, PLOT = 690, HEAD = 66, MAIN = 264, PANEL = 80, GAP = 30, FOOT = 44, LINE = 18 };

/* More functions count as one, more curves are left out. */
enum { MOST_FUNCTIONS = 13, MOST_CURVES = 8 };

#define TICKS 8 /* at most, over the time in an instance */

typedef struct {
    FILE *file;
    const TndFoldPicture *picture;
    double y; /* the top of the panel that is being drawn */
    double height;
} Drawing;

static double x_of(double position)
{
    return LEFT + position * PLOT;
}

/* The nearest of 1, 2 and 5 times a power of ten that is not less. */
static double round_up(double value)
{
    double power = pow(10, floor(log10(value))), digit = value / power;
    return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
}

static char *number_text(double value)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    return g_strdup(g_ascii_formatd(text, sizeof text, "%.6g", value));
}

static void write_text(const Drawing *drawing, double x, double y, const char *anchor, const char *text)
{
    char *shown = tnd_quantity_shown(text), *valid = g_utf8_make_valid(shown, -1);
    char *escaped = g_markup_escape_text(valid, -1);
    fprintf(drawing->file, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", x, y, anchor, escaped);
    g_free(escaped);
    g_free(valid);
    g_free(shown);
}

static void write_line(const Drawing *drawing, double x, double y, double to_x, double to_y, const char *style)
{
    fprintf(drawing->file, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" %s/>\n", x, y, to_x, to_y, style);
}

/* The frame of a panel, with lines at times and at the ends of phases. */
static void write_frame(const Drawing *drawing, gboolean has_times)
{
    const TndFolding *folding = drawing->picture->folding;
    double size, bottom = drawing->y + drawing->height;
    char *unit = tnd_quantity_unit(folding->mean_ns, "ns", &size);
    double whole = folding->mean_ns / size, step = round_up(whole / TICKS);
    for (guint i = 0; i * step <= whole * (1 + 1e-9); i++) {
        double x = x_of(i * step / whole);
        write_line(drawing, x, bottom, x, bottom + 4, "stroke=\"#444444\"");
        write_line(drawing, x, drawing->y, x, bottom, "stroke=\"#000000\" stroke-opacity=\"0.12\"");
        char *text = number_text(i * step);
        if (has_times)
            write_text(drawing, x, bottom + 16, "middle", text);
        g_free(text);
    }
    for (guint i = 0; i + 1 < drawing->picture->phases->len; i++) {
        double x = x_of(g_array_index(drawing->picture->phases, TndFoldPhase, i).end);
        write_line(drawing, x, drawing->y, x, bottom, "stroke=\"#000000\" stroke-dasharray=\"4 3\"");
    }
    fprintf(drawing->file,
            "<rect x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%.1f\" fill=\"none\" stroke=\"#444444\"/>\n", LEFT,
            drawing->y, PLOT, drawing->height);
    if (has_times) {
        char *title = g_strdup_printf("time in the mean instance [%s]", unit);
        write_text(drawing, LEFT + PLOT / 2.0, bottom + 34, "middle", title);
        g_free(title);
    }
    g_free(unit);
}

/* A tick of the vertical axis. */
static void write_level(const Drawing *drawing, double part, const char *text)
{
    double y = drawing->y + drawing->height * (1 - part);
    write_line(drawing, LEFT - 4, y, LEFT, y, "stroke=\"#444444\"");
    write_text(drawing, LEFT - 8, y + 4, "end", text);
}

/* Colours that neighbours in the list tell apart, also without red and green. */
static void write_colour(const Drawing *drawing, guint function)
{
    static const char *const colours[MOST_FUNCTIONS + 1] = {"#3b75af", "#f0a04b", "#5aa469", "#d65f5f", "#8d7bb8",
                                                            "#8c6d4f", "#e6c84f", "#56b3b4", "#d98cb3", "#a3c1e0",
                                                            "#b8d08d", "#f4c7a1", "#7a8a99", "#d0d0d0"};
    fputs(colours[function], drawing->file);
}

/* A function's name and share; MOST_FUNCTIONS: of all the others.  Free with g_free. */
static char *label_of(const Drawing *drawing, guint function, double share, double uncertainty)
{
    const TndFoldPicture *picture = drawing->picture;
    if (function == MOST_FUNCTIONS)
        return g_strdup_printf("%5.1f %% of %u others", 100 * share, picture->folding->functions->len - function);
    char *name = tnd_folding_name(picture->trace, picture->options, tnd_folding_function(picture->folding, function));
    char *label = uncertainty > 0 ? g_strdup_printf("%5.1f %% +- %.1f %% %s", 100 * share, 100 * uncertainty, name)
                                  : g_strdup_printf("%5.1f %% %s", 100 * share, name);
    g_free(name);
    return label;
}

static void write_share(const Drawing *drawing, guint bin, guint function, double from, double share, double sure)
{
    const TndFolding *folding = drawing->picture->folding;
    double left = x_of((double)bin / folding->n_bins), right = x_of((bin + 1.0) / folding->n_bins);
    char *label = label_of(drawing, function, share, sure), *valid = g_utf8_make_valid(label, -1);
    char *title = g_markup_escape_text(valid, -1);
    fprintf(drawing->file,
            "<rect class=\"share\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" shape-rendering=\"crispEdges\" "
            "fill=\"",
            left, drawing->y + drawing->height * (1 - from - share), right - left, drawing->height * share);
    write_colour(drawing, function);
    fprintf(drawing->file, "\"><title>%s</title></rect>\n", title);
    g_free(title);
    g_free(valid);
    g_free(label);
}

static void write_shares(const Drawing *drawing)
{
    const TndFolding *folding = drawing->picture->folding;
    guint n = MIN(folding->functions->len, MOST_FUNCTIONS);
    for (guint bin = 0; bin < folding->n_bins; bin++) {
        double from = 0, sure;
        for (guint function = 0; function < n && folding->counts[bin]; function++) {
            double share = tnd_folding_share(folding, function, bin, &sure);
            if (share > 0)
                write_share(drawing, bin, function, from, share, sure);
            from += share;
        }
        if (folding->counts[bin] && from < 1 - 1e-9)
            write_share(drawing, bin, MOST_FUNCTIONS, from, 1 - from, 0);
    }
}

static void write_legend(const Drawing *drawing)
{
    const TndFolding *folding = drawing->picture->folding;
    double rest = 1, x = LEFT + PLOT + 20, y = drawing->y + 2;
    guint n = folding->functions->len;
    for (guint i = 0; i < MIN(n, MOST_FUNCTIONS + 1); i++, y += LINE) {
        double share = i == MOST_FUNCTIONS ? rest : tnd_folding_total(folding, i, NULL);
        char *label = label_of(drawing, i, share, 0), *text = tnd_svg_text_fit(label, WIDTH - x - 16);
        fprintf(drawing->file, "<rect x=\"%.1f\" y=\"%.1f\" width=\"12\" height=\"12\" fill=\"", x, y);
        write_colour(drawing, i);
        fputs("\"/>\n", drawing->file);
        write_text(drawing, x + 18, y + 10, "start", text);
        rest -= share;
        g_free(text);
        g_free(label);
    }
}

static void write_main(Drawing *drawing, gboolean is_last)
{
    drawing->y = HEAD;
    drawing->height = MAIN;
    write_shares(drawing);
    for (guint percent = 0; percent <= 100; percent += 25) {
        char *text = g_strdup_printf("%u %%", percent);
        write_level(drawing, percent / 100.0, text);
        g_free(text);
    }
    write_frame(drawing, is_last);
    write_legend(drawing);
    fprintf(drawing->file,
            "<text transform=\"translate(26 %.1f) rotate(-90)\" text-anchor=\"middle\">share of %s</text>\n",
            drawing->y + drawing->height / 2, drawing->picture->folding->are_weighed ? "CPU time" : "samples");
}

/* A step for each bin, and none where nothing is known. */
static void write_steps(const Drawing *drawing, const double *values, double low, double high)
{
    guint n = drawing->picture->folding->n_bins;
    gboolean is_open = FALSE;
    fputs("<path class=\"curve\" fill=\"none\" stroke=\"#1f4e8c\" stroke-width=\"1.6\" d=\"", drawing->file);
    for (guint bin = 0; bin < n; bin++) {
        double y = drawing->y + drawing->height * (1 - (values[bin] - low) / (high - low));
        if (!isnan(values[bin]))
            fprintf(drawing->file, "%c%.2f %.2fH%.2f", is_open ? 'L' : 'M', x_of((double)bin / n), y,
                    x_of((bin + 1.0) / n));
        is_open = !isnan(values[bin]);
    }
    fputs("\"/>\n", drawing->file);
}

/* The axis: from 0, unless the values hold and vary by little. */
static void find_limits(const TndFoldCurve *curve, guint n_bins, double *low, double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (guint bin = 0; bin < n_bins; bin++)
        if (!isnan(curve->values[bin])) {
            *low = MIN(*low, curve->values[bin]);
            *high = MAX(*high, curve->values[bin]);
        }
    double step = round_up(MAX((*high - *low) / 2, fabs(*high) / 1e6 + 1e-12));
    if (*low >= 0 && (!curve->holds || *low < 4 * (*high - *low))) {
        *low = 0;
        step = round_up(*high > 0 ? *high / 2 : 0.5);
    }
    *low = floor(*low / step) * step;
    *high = MAX(ceil(*high / step - 1e-9) * step, *low + step);
}

static void write_panel(Drawing *drawing, const TndFoldCurve *curve, gboolean is_last)
{
    double low, high, size;
    find_limits(curve, drawing->picture->folding->n_bins, &low, &high);
    char *unit = tnd_quantity_unit(MAX(fabs(low), fabs(high)), curve->unit, &size);
    char *title = *unit ? g_strdup_printf("%s [%s]", curve->name, unit) : g_strdup(curve->name);
    char *texts[] = {number_text(low / size), number_text(high / size)};
    drawing->y += drawing->height + GAP;
    drawing->height = PANEL;
    write_text(drawing, LEFT, drawing->y - 6, "start", title);
    write_frame(drawing, is_last);
    write_steps(drawing, curve->values, low, high);
    for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
        write_level(drawing, i, texts[i]);
        g_free(texts[i]);
    }
    g_free(title);
    g_free(unit);
}

static void write_head(const Drawing *drawing, double height)
{
    const TndFoldPicture *picture = drawing->picture;
    const TndFolding *folding = picture->folding;
    char *title = g_strdup_printf("%s: inside %s", tnd_trace_name(picture->trace), picture->region);
    char *mean = tnd_quantity_text(folding->mean_ns, "ns"),
         *bin = tnd_quantity_text(folding->mean_ns / folding->n_bins, "ns");
    char *n = tnd_quantity_text(picture->instances->n_kept, "");
    fprintf(drawing->file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" viewBox=\"0 0 %d %.0f\" "
            "font-family=\"monospace\" font-size=\"11\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n"
            "<g font-size=\"16\" font-family=\"sans-serif\">",
            WIDTH, height, WIDTH, height);
    char *short_title = tnd_svg_text_fit(title, (WIDTH - 40) * 11 / 16.0);
    write_text(drawing, 20, 26, "start", short_title);
    fprintf(drawing->file, "</g><g font-family=\"sans-serif\">");
    char *text = g_strdup_printf("%" G_GUINT64_FORMAT " samples of %s instances of %s, in %u bins of %s; dashed lines "
                                 "are the ends of phases",
                                 folding->n_samples, n, mean, folding->n_bins, bin);
    write_text(drawing, 20, 46, "start", text);
    fprintf(drawing->file, "</g>\n");
    g_free(text);
    g_free(short_title);
    g_free(n);
    g_free(bin);
    g_free(mean);
    g_free(title);
}

void tnd_fold_picture_write(FILE *file, const TndFoldPicture *picture)
{
    const TndFolding *folding = picture->folding;
    Drawing drawing = {.file = file, .picture = picture};
    double *counts = g_new(double, folding->n_bins);
    for (guint bin = 0; bin < folding->n_bins; bin++)
        counts[bin] = (double)folding->counts[bin];
    const TndFoldCurve samples = {.name = (char *)"Samples in a bin", .unit = "", .values = counts};
    guint n = MIN(folding->curves->len, MOST_CURVES);
    write_head(&drawing, HEAD + MAIN + (n + 1) * (double)(GAP + PANEL) + FOOT);
    write_main(&drawing, FALSE);
    write_panel(&drawing, &samples, n == 0);
    for (guint i = 0; i < n; i++)
        write_panel(&drawing, tnd_folding_curve(folding, i), i + 1 == n);
    if (n < folding->curves->len) {
        char *text = g_strdup_printf("%u more curves: see --csv", folding->curves->len - n);
        write_text(&drawing, LEFT + PLOT + 20, drawing.y + drawing.height, "start", text);
        g_free(text);
    }
    fputs("</svg>\n", file);
    g_free(counts);
}
