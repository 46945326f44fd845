/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Texts by pango, without hinted metrics: what is measured for a layout is what every surface draws.
 */
#include "viewer/paint/text.h"

#include <math.h>
#include <pango/pangocairo.h>

static const struct {
    int size_px;
    PangoWeight weight;
} styles[TND_TEXT_N_STYLES] = {
    [TND_TEXT_TITLE] = {15, PANGO_WEIGHT_BOLD},
    [TND_TEXT_NORMAL] = {12, PANGO_WEIGHT_NORMAL},
    [TND_TEXT_STRONG] = {12, PANGO_WEIGHT_BOLD},
    [TND_TEXT_SMALL] = {11, PANGO_WEIGHT_NORMAL},
};

static GPrivate measuring = G_PRIVATE_INIT(g_object_unref);

static void prepare(PangoContext *context)
{
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_SLIGHT);
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    pango_cairo_context_set_font_options(context, options);
    cairo_font_options_destroy(options);
    pango_cairo_context_set_resolution(context, 96);
    pango_context_set_round_glyph_positions(context, FALSE);
}

static void apply(PangoLayout *layout, TndTextStyle style, const char *text)
{
    PangoFontDescription *font = pango_font_description_from_string("Sans");
    pango_font_description_set_absolute_size(font, (double)styles[style].size_px * PANGO_SCALE);
    pango_font_description_set_weight(font, styles[style].weight);
    pango_layout_set_font_description(layout, font);
    pango_font_description_free(font);
    pango_layout_set_single_paragraph_mode(layout, TRUE);
    pango_layout_set_text(layout, text, -1);
}

static void measure(TndTextStyle style, const char *text, double *width, double *height)
{
    PangoLayout *layout = g_private_get(&measuring);
    if (!layout) {
        PangoContext *context = pango_font_map_create_context(pango_cairo_font_map_get_default());
        prepare(context);
        layout = pango_layout_new(context);
        g_object_unref(context);
        g_private_set(&measuring, layout);
    }
    apply(layout, style, text);
    int w, h;
    pango_layout_get_size(layout, &w, &h);
    *width = ceil((double)w / PANGO_SCALE);
    *height = ceil((double)h / PANGO_SCALE);
}

double tnd_text_height(TndTextStyle style)
{
    static double heights[TND_TEXT_N_STYLES];
    if (heights[style] <= 0) {
        double width;
        measure(style, "Åg", &width, &heights[style]);
    }
    return heights[style];
}

double tnd_text_width(TndTextStyle style, const char *text)
{
    double width, height;
    measure(style, text, &width, &height);
    return width;
}

static void clear_text(gpointer data)
{
    g_free(((TndText *)data)->text);
}

GArray *tnd_text_list_new(void)
{
    GArray *texts = g_array_new(FALSE, TRUE, sizeof(TndText));
    g_array_set_clear_func(texts, clear_text);
    return texts;
}

/* Along the text's direction: where it starts in `length` and how long it is; FALSE: leave it out. */
static gboolean fit(TndTextStyle style, TndTextAlign align, const char *text, double length, double *start,
                    double *size, gboolean *is_cut)
{
    double width = tnd_text_width(style, text);
    *is_cut = width > length;
    if (*is_cut && length < 2.5 * styles[style].size_px)
        return FALSE;
    *size = MIN(width, floor(length));
    *start = align == TND_TEXT_LEFT ? 0 : align == TND_TEXT_RIGHT ? length - *size : (length - *size) / 2;
    return TRUE;
}

void tnd_text_add(GArray *texts, TndTextStyle style, TndTextAlign align, guint32 colour, TndRectangle space,
                  const char *text)
{
    double height = tnd_text_height(style), start, size;
    gboolean is_cut;
    if (!*text || !fit(style, align, text, space.width, &start, &size, &is_cut))
        return;
    TndText added = {{space.x + start, space.y + (space.height - height) / 2, size, height},
                     g_strdup(text),
                     colour,
                     style,
                     FALSE,
                     is_cut};
    g_array_append_val(texts, added);
}

void tnd_text_add_upright(GArray *texts, TndTextStyle style, TndTextAlign align, guint32 colour, TndRectangle space,
                          const char *text)
{
    double height = tnd_text_height(style), start, size;
    gboolean is_cut;
    if (!*text || !fit(style, align, text, space.height, &start, &size, &is_cut))
        return;
    TndText added = {{space.x + (space.width - height) / 2, space.y + space.height - start - size, height, size},
                     g_strdup(text),
                     colour,
                     style,
                     TRUE,
                     is_cut};
    g_array_append_val(texts, added);
}

void tnd_text_draw(const GArray *texts, cairo_t *cr)
{
    PangoContext *context = pango_cairo_create_context(cr);
    prepare(context);
    PangoLayout *layout = pango_layout_new(context);
    for (guint i = 0; i < texts->len; i++) {
        const TndText *text = &g_array_index(texts, TndText, i);
        apply(layout, text->style, text->text);
        double length = text->is_upright ? text->box.height : text->box.width;
        pango_layout_set_ellipsize(layout, text->is_cut ? PANGO_ELLIPSIZE_MIDDLE : PANGO_ELLIPSIZE_NONE);
        pango_layout_set_width(layout, text->is_cut ? (int)(length * PANGO_SCALE) : -1);
        tnd_text_set_colour(cr, text->colour);
        cairo_save(cr);
        if (text->is_upright) {
            cairo_translate(cr, text->box.x, text->box.y + text->box.height);
            cairo_rotate(cr, -G_PI / 2);
        } else {
            cairo_translate(cr, text->box.x, text->box.y);
        }
        pango_cairo_show_layout(cr, layout);
        cairo_restore(cr);
    }
    g_object_unref(layout);
    g_object_unref(context);
}

void tnd_text_set_colour(cairo_t *cr, guint32 rgb)
{
    cairo_set_source_rgb(cr, (rgb >> 16 & 255) / 255.0, (rgb >> 8 & 255) / 255.0, (rgb & 255) / 255.0);
}
