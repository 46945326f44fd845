/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Texts are laid out by pango without hinted metrics, so that every surface draws them as wide as they were measured.
 *
 * Cost: 9 us to measure a text that was not seen before; 3 to draw one that was.
 */
#include "viewer/paint/text.h"

#include "analysis/base/quantity.h"

#include <math.h>
#include <pango/pangocairo.h>
#include <string.h>

static const struct {
    int size_px;
    PangoWeight weight;
} styles[TND_TEXT_N_STYLES] = {
    [TND_TEXT_TITLE] = {15, PANGO_WEIGHT_BOLD},
    [TND_TEXT_NORMAL] = {12, PANGO_WEIGHT_NORMAL},
    [TND_TEXT_STRONG] = {12, PANGO_WEIGHT_BOLD},
    [TND_TEXT_SMALL] = {11, PANGO_WEIGHT_NORMAL},
};

/* The same texts are drawn in every frame: each thread keeps sizes, and layouts for images, of so many texts. */
enum { MOST_KEPT = 4096 };

typedef struct {
    TndTextStyle style;
    int cut; /* width that the text is cut to, in pango's units; -1: it is not cut */
    char *text;
} Key;

typedef struct {
    double width, height;
} Extent;

typedef struct {
    GHashTable *of_key;
    const Key *keys[MOST_KEPT]; /* a ring, in the order in which they were added; NULL: not used yet */
    guint next;
} Store;

typedef struct {
    PangoFontDescription *fonts[TND_TEXT_N_STYLES];
    PangoLayout *measuring;
    PangoContext *drawing;  /* for images */
    Store extents, layouts; /* Key to Extent, Key to PangoLayout */
} Kept;

static void kept_free(gpointer data)
{
    Kept *kept = data;
    for (guint i = 0; i < TND_TEXT_N_STYLES; i++)
        pango_font_description_free(kept->fonts[i]);
    g_hash_table_unref(kept->extents.of_key);
    g_hash_table_unref(kept->layouts.of_key);
    g_clear_object(&kept->measuring);
    g_clear_object(&kept->drawing);
    g_free(kept);
}

static GPrivate of_thread = G_PRIVATE_INIT(kept_free);

static guint key_hash(gconstpointer data)
{
    const Key *key = data;
    return g_str_hash(key->text) * 31 + (guint)key->style * 7 + (guint)key->cut;
}

static gboolean key_equal(gconstpointer a, gconstpointer b)
{
    const Key *x = a, *y = b;
    return x->style == y->style && x->cut == y->cut && !strcmp(x->text, y->text);
}

static void key_free(gpointer data)
{
    g_free(((Key *)data)->text);
    g_free(data);
}

/* Replaces the oldest entry: freeing all of them at once would take noticeably long. */
static void keep(Store *store, Key key, gpointer value)
{
    const Key **place = &store->keys[store->next++ % MOST_KEPT];
    if (*place)
        g_hash_table_remove(store->of_key, *place);
    key.text = g_strdup(key.text);
    *place = g_memdup2(&key, sizeof key);
    g_hash_table_insert(store->of_key, (gpointer)*place, value);
}

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

static Kept *get_kept(void)
{
    Kept *kept = g_private_get(&of_thread);
    if (kept)
        return kept;
    kept = g_new0(Kept, 1);
    for (guint i = 0; i < TND_TEXT_N_STYLES; i++) {
        kept->fonts[i] = pango_font_description_from_string("Sans");
        pango_font_description_set_absolute_size(kept->fonts[i], (double)styles[i].size_px * PANGO_SCALE);
        pango_font_description_set_weight(kept->fonts[i], styles[i].weight);
    }
    kept->extents.of_key = g_hash_table_new_full(key_hash, key_equal, key_free, g_free);
    kept->layouts.of_key = g_hash_table_new_full(key_hash, key_equal, key_free, g_object_unref);
    PangoContext *context = pango_font_map_create_context(pango_cairo_font_map_get_default());
    prepare(context);
    kept->measuring = pango_layout_new(context);
    g_object_unref(context);
    g_private_set(&of_thread, kept);
    return kept;
}

static void apply(PangoLayout *layout, TndTextStyle style, const char *text)
{
    pango_layout_set_font_description(layout, get_kept()->fonts[style]);
    pango_layout_set_single_paragraph_mode(layout, TRUE);
    char *shown = tnd_quantity_shown(text);
    pango_layout_set_text(layout, shown, -1);
    g_free(shown);
}

static const Extent *measure(TndTextStyle style, const char *text)
{
    Kept *kept = get_kept();
    Key key = {style, -1, (char *)text};
    Extent *extent = g_hash_table_lookup(kept->extents.of_key, &key);
    if (extent)
        return extent;
    int width, height;
    apply(kept->measuring, style, text);
    pango_layout_get_size(kept->measuring, &width, &height);
    extent = g_new(Extent, 1);
    *extent = (Extent){ceil((double)width / PANGO_SCALE), ceil((double)height / PANGO_SCALE)};
    keep(&kept->extents, key, extent);
    return extent;
}

double tnd_text_height(TndTextStyle style)
{
    static double heights[TND_TEXT_N_STYLES];
    if (heights[style] <= 0)
        heights[style] = measure(style, "Åg")->height;
    return heights[style];
}

double tnd_text_width(TndTextStyle style, const char *text)
{
    return measure(style, text)->width;
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

/* Where in `length` a text starts, and its size, both along the text's direction.  FALSE: there is no room for it. */
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

static PangoLayout *layout_new(PangoContext *context, Key key)
{
    PangoLayout *layout = pango_layout_new(context);
    apply(layout, key.style, key.text);
    pango_layout_set_ellipsize(layout, key.cut >= 0 ? PANGO_ELLIPSIZE_MIDDLE : PANGO_ELLIPSIZE_NONE);
    pango_layout_set_width(layout, key.cut);
    return layout;
}

/* The caller unreferences it. */
static PangoLayout *get_layout(PangoContext *context, const TndText *text)
{
    Kept *kept = get_kept();
    double length = text->is_upright ? text->box.height : text->box.width;
    Key key = {text->style, text->is_cut ? (int)(length * PANGO_SCALE) : -1, text->text};
    if (context != kept->drawing)
        return layout_new(context, key);
    PangoLayout *layout = g_hash_table_lookup(kept->layouts.of_key, &key);
    if (!layout) {
        layout = layout_new(context, key);
        keep(&kept->layouts, key, layout);
    }
    return g_object_ref(layout);
}

/* All images share one context.  The caller unreferences it. */
static PangoContext *get_context(cairo_t *cr)
{
    Kept *kept = get_kept();
    gboolean are_pixels = cairo_surface_get_type(cairo_get_group_target(cr)) == CAIRO_SURFACE_TYPE_IMAGE;
    cairo_matrix_t now;
    cairo_get_matrix(cr, &now);
    are_pixels &= now.xx == 1 && now.yy == 1 && now.xy == 0 && now.yx == 0;
    if (are_pixels && kept->drawing)
        return g_object_ref(kept->drawing);
    PangoContext *context = pango_cairo_create_context(cr);
    prepare(context);
    if (are_pixels)
        kept->drawing = g_object_ref(context);
    return context;
}

void tnd_text_draw(const GArray *texts, cairo_t *cr)
{
    PangoContext *context = get_context(cr);
    for (guint i = 0; i < texts->len; i++) {
        const TndText *text = &g_array_index(texts, TndText, i);
        PangoLayout *layout = get_layout(context, text);
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
        g_object_unref(layout);
    }
    g_object_unref(context);
}

static const cairo_user_data_key_t theme_key;

void tnd_text_set_theme(cairo_t *cr, TndTheme theme)
{
    cairo_set_user_data(cr, &theme_key, GUINT_TO_POINTER(theme), NULL);
}

guint32 tnd_text_theme_colour(TndTheme theme, guint32 colour)
{
    static const guint32 colours[TND_THEME_N][TND_COLOURS_END - TND_INK] = {
        {0x202124, 0x5f6368, 0xffffff, 0xf1f3f4, 0xbdc1c6}, {0xf0f0f0, 0xb4b8bd, 0x242424, 0x323232, 0x5c6064}};
    return colour >= TND_INK ? colours[theme][colour - TND_INK] : colour;
}

void tnd_text_set_colour(cairo_t *cr, guint32 colour)
{
    const guint32 rgb = tnd_text_theme_colour(GPOINTER_TO_UINT(cairo_get_user_data(cr, &theme_key)), colour);
    cairo_set_source_rgb(cr, (rgb >> 16 & 255) / 255.0, (rgb >> 8 & 255) / 255.0, (rgb & 255) / 255.0);
}
