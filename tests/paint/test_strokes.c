/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines written into pixels against cairo's own.
 */
#include "viewer/paint/strokes.h"

#include <stdlib.h>

enum { WIDTH = 300, HEIGHT = 200, MARGIN = 20 };

static cairo_surface_t *draw(const GArray *strokes, double width, double opacity, gboolean is_apart)
{
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
    cairo_t *cr = cairo_create(surface);
    cairo_set_source_rgb(cr, 0, 0.2, 0.8);
    cairo_paint(cr);
    if (is_apart)
        cairo_push_group(cr); /* which is no image that may be written into */
    tnd_strokes_draw(strokes, width, opacity, (TndRectangle){MARGIN, MARGIN, WIDTH - 2 * MARGIN, HEIGHT - 2 * MARGIN},
                     cr);
    if (is_apart) {
        cairo_pop_group_to_source(cr);
        cairo_paint(cr);
    }
    cairo_destroy(cr);
    cairo_surface_flush(surface);
    return surface;
}

static guint channel(guint32 pixel, guint i)
{
    return pixel >> (8 * i) & 255;
}

static void check(const GArray *strokes, double width, double opacity)
{
    cairo_surface_t *ours = draw(strokes, width, opacity, FALSE), *theirs = draw(strokes, width, opacity, TRUE);
    const guint32 *a = (const guint32 *)(gpointer)cairo_image_surface_get_data(ours);
    const guint32 *b = (const guint32 *)(gpointer)cairo_image_surface_get_data(theirs);
    gsize stride = (gsize)cairo_image_surface_get_stride(ours) / 4;
    guint n_drawn = 0, n_near = 0;
    for (guint y = 0; y < HEIGHT; y++)
        for (guint x = 0; x < WIDTH; x++) {
            guint32 here = a[y * stride + x], there = b[y * stride + x];
            gboolean is_inside = x >= MARGIN && x < WIDTH - MARGIN && y >= MARGIN && y < HEIGHT - MARGIN;
            guint apart = 0;
            for (guint i = 0; i < 3; i++)
                apart = MAX(apart, (guint)abs((int)channel(here, i) - (int)channel(there, i)));
            n_drawn += (here & 0xffffff) != 0x0033cc;
            n_near += apart > 24; /* the ends of lines are cut straight */
            g_assert_cmpuint(apart, <=, is_inside ? 160 : 0);
        }
    g_assert_cmpuint(n_drawn, >, 20);
    g_assert_cmpuint(n_near, <=, 3 * strokes->len);
    cairo_surface_destroy(ours);
    cairo_surface_destroy(theirs);
}

static void test_lines(void)
{
    static const double lines[][4] = {{30, 30, 250, 170},      {250, 60, 40, 61},      {100, 170, 104.5, 25},
                                      {60.25, 50, 60.25, 150}, {40, 99.5, 260, 99.5},  {-5000, 80, 6000, 90},
                                      {150, -7000, 160, 7000}, {-500, -400, 800, 600}, {120, 120, 180, 180},
                                      {200, 40.4, 140, 100.9}, {50, 100, 50.3, 10000}};
    for (guint i = 0; i < G_N_ELEMENTS(lines); i++)
        for (double width = 0.6; width < 1.1; width += 0.4) {
            GArray *strokes = g_array_new(FALSE, FALSE, sizeof(TndStroke));
            TndStroke stroke = {lines[i][0], lines[i][1], lines[i][2], lines[i][3], 1, 0.96, 0.2};
            g_array_append_val(strokes, stroke);
            check(strokes, width, 1);
            check(strokes, width, 0.4);
            g_array_unref(strokes);
        }
}

/* What is drawn later is on top; a line of no length, or outside, is nothing. */
static void test_order(void)
{
    GArray *strokes = g_array_new(FALSE, FALSE, sizeof(TndStroke));
    const TndStroke many[] = {
        {100, 100.5, 200, 100.5, 1, 0, 0}, {150.5, 50, 150.5, 150, 0, 1, 0},     {60, 60, 60, 60, 1, 1, 1},
        {5, 0, 5, 200, 1, 1, 1},           {-1e13, 130.5, 1e13, 130.5, 1, 0, 0}, /* cairo knows no such places */
        {-100, 500, 400, 900, 1, 1, 1}};
    g_array_append_vals(strokes, many, G_N_ELEMENTS(many));
    cairo_surface_t *surface = draw(strokes, 1, 1, FALSE);
    const guint32 *pixels = (const guint32 *)(gpointer)cairo_image_surface_get_data(surface);
    gsize stride = (gsize)cairo_image_surface_get_stride(surface) / 4;
    g_assert_cmphex(pixels[100 * stride + 150] & 0xffffff, ==, 0x00ff00);
    g_assert_cmphex(pixels[100 * stride + 149] & 0xffffff, ==, 0xff0000);
    g_assert_cmphex(pixels[130 * stride + 160] & 0xffffff, ==, 0xff0000);
    g_assert_cmphex(pixels[60 * stride + 60] & 0xffffff, ==, 0x0033cc);
    g_assert_cmphex(pixels[60 * stride + 5] & 0xffffff, ==, 0x0033cc);
    cairo_surface_destroy(surface);
    g_array_unref(strokes);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/strokes/lines", test_lines);
    g_test_add_func("/strokes/order", test_order);
    return g_test_run();
}
