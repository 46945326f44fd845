/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Boxes are laid out once for a width; a row of them has their height and a line between.
 */
#include "viewer/paint/flame.h"

#include "analysis/base/quantity.h"
#include "viewer/paint/palette.h"

#include <math.h>

enum { MARGIN = 10, ROW = 19, LEAST_TEXT = 24, PAD = 4 };

struct TndFlame {
    TndFlameSubject subject;
    double width, top, height; /* top: of the first row */
    GArray *boxes, *texts;
    guint32 *colours; /* of the boxes */
};

/* What a name's colour becomes where another function is marked. */
static guint32 pale(guint32 rgb, guint32 paper)
{
    guint32 result = 0;
    for (int shift = 0; shift < 24; shift += 8)
        result |= ((rgb >> shift & 0xff) + 3 * (paper >> shift & 0xff)) / 4 << shift;
    return result;
}

TndRectangle tnd_flame_place(const TndFlame *flame, const TndFlameBox *box)
{
    double wide = flame->width - 2 * MARGIN, left = MARGIN + box->begin * wide;
    return (TndRectangle){left, flame->top + box->row * (double)ROW, (box->end - box->begin) * wide, ROW - 1};
}

static char *name_of(const TndCallTree *tree, guint node)
{
    if (!node)
        return g_strdup("all");
    char *name = tnd_call_tree_name(tree, tnd_call_tree_node(tree, node)->function);
    char *valid = g_utf8_make_valid(name, -1);
    g_free(name);
    return valid;
}

static void lay_out_box(TndFlame *flame, guint i)
{
    const TndFlameBox *box = &g_array_index(flame->boxes, TndFlameBox, i);
    const TndCallNode *node = tnd_call_tree_node(flame->subject.tree, box->node);
    char *name = name_of(flame->subject.tree, box->node);
    TndRectangle place = tnd_flame_place(flame, box);
    const guint32 paper = tnd_text_theme_colour(flame->subject.theme, TND_PAPER_SOFT);
    guint32 colour = box->node ? tnd_flame_boxes_colour(name) : paper;
    flame->colours[i] = flame->subject.marked && flame->subject.marked != node->function ? pale(colour, paper) : colour;
    if (place.width >= LEAST_TEXT) {
        place.x += PAD;
        place.width -= 2 * PAD;
        tnd_text_add(flame->texts, TND_TEXT_SMALL, TND_TEXT_LEFT, tnd_palette_ink_on(flame->colours[i]), place, name);
    }
    g_free(name);
}

static void lay_out_head(TndFlame *flame)
{
    const TndFlameSubject *subject = &flame->subject;
    struct {
        const char *text;
        TndTextStyle style;
        guint32 colour;
    } lines[] = {{subject->title, TND_TEXT_TITLE, TND_INK}, {subject->text, TND_TEXT_SMALL, TND_INK_SOFT}};
    flame->top = MARGIN;
    for (guint i = 0; i < G_N_ELEMENTS(lines); i++) {
        if (!lines[i].text)
            continue;
        double height = tnd_text_height(lines[i].style) + 4;
        TndRectangle place = {MARGIN, flame->top, flame->width - 2 * MARGIN, height};
        tnd_text_add(flame->texts, lines[i].style, TND_TEXT_LEFT, lines[i].colour, place, lines[i].text);
        flame->top += height;
    }
    flame->top += PAD;
}

TndFlame *tnd_flame_new(const TndFlameSubject *subject, double width)
{
    TndFlame *flame = g_new0(TndFlame, 1);
    flame->subject = *subject;
    flame->width = MAX(width, 2 * MARGIN + LEAST_TEXT);
    flame->texts = tnd_text_list_new();
    flame->boxes = tnd_flame_boxes_new(subject->tree, subject->top, 1 / (flame->width - 2 * MARGIN));
    flame->colours = g_new(guint32, flame->boxes->len);
    lay_out_head(flame);
    for (guint i = 0; i < flame->boxes->len; i++)
        lay_out_box(flame, i);
    flame->height = flame->top + tnd_flame_boxes_n_rows(flame->boxes) * (double)ROW + MARGIN;
    return flame;
}

void tnd_flame_free(TndFlame *flame)
{
    if (!flame)
        return;
    g_array_unref(flame->boxes);
    g_array_unref(flame->texts);
    g_free(flame->colours);
    g_free(flame);
}

void tnd_flame_paint(const TndFlame *flame, cairo_t *cr)
{
    tnd_text_set_theme(cr, flame->subject.theme);
    tnd_text_set_colour(cr, TND_PAPER);
    cairo_paint(cr);
    for (guint i = 0; i < flame->boxes->len; i++) {
        TndRectangle place = tnd_flame_place(flame, &g_array_index(flame->boxes, TndFlameBox, i));
        tnd_text_set_colour(cr, flame->colours[i]);
        cairo_rectangle(cr, place.x, place.y, MAX(place.width - 0.5, 0.5), place.height);
        cairo_fill(cr);
    }
    tnd_text_draw(flame->texts, cr);
}

void tnd_flame_outline(const TndFlame *flame, const TndFlameBox *box, cairo_t *cr)
{
    TndRectangle place = tnd_flame_place(flame, box);
    tnd_text_set_colour(cr, TND_INK);
    cairo_set_line_width(cr, 1);
    cairo_rectangle(cr, floor(place.x) + 0.5, floor(place.y) + 0.5, MAX(floor(place.width) - 1, 1), place.height - 1);
    cairo_stroke(cr);
}

double tnd_flame_height(const TndFlame *flame)
{
    return flame->height;
}

const TndFlameBox *tnd_flame_find(const TndFlame *flame, double x, double y)
{
    for (guint i = 0; y >= flame->top && i < flame->boxes->len; i++) {
        const TndFlameBox *box = &g_array_index(flame->boxes, TndFlameBox, i);
        TndRectangle place = tnd_flame_place(flame, box);
        if (box->row == (guint)((y - flame->top) / ROW) && x >= place.x && x < place.x + place.width)
            return box;
    }
    return NULL;
}

static char *number_text(const TndCallTree *tree, guint64 number)
{
    return tree->is_time ? tnd_quantity_text((double)number, "ns")
                         : g_strdup_printf("%" G_GUINT64_FORMAT " samples", number);
}

char *tnd_flame_words(const TndCallTree *tree, guint at)
{
    const TndCallNode *node = tnd_call_tree_node(tree, at);
    double all = (double)MAX(tnd_call_tree_node(tree, 0)->total, 1);
    char *name = name_of(tree, at), *total = number_text(tree, node->total), *self = number_text(tree, node->self);
    char *words = g_strdup_printf("%s: %s, %.2f %%; in itself %s, %.2f %%", name, total,
                                  100 * (double)node->total / all, self, 100 * (double)node->self / all);
    g_free(self);
    g_free(total);
    g_free(name);
    return words;
}

const GArray *tnd_flame_texts(const TndFlame *flame)
{
    return flame->texts;
}

const GArray *tnd_flame_boxes(const TndFlame *flame)
{
    return flame->boxes;
}
