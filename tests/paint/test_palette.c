/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Colours can be told apart and texts can be read, computed: contrast as WCAG 2.1 defines it, distances in the space
 * OKLab of colours as people without one kind of cones see them (matrices of Machado, Oliveira and Fernandes, 2009).
 */
#include "viewer/paint/palette.h"

#include <math.h>

/* A distance of 0.02 is just seen; these are of colours that are small and not side by side. */
#define LEAST_NEAR 0.08 /* of codes that are less than TND_PALETTE_APART from each other */
#define LEAST_ANY 0.03  /* of any two of the table */
#define LEAST_TO_CANVAS 0.35

enum { N_EYES = 4 };
static const double eyes[N_EYES][9] = {
    {1, 0, 0, 0, 1, 0, 0, 0, 1},
    {0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998},
    {0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881},
    {1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900},
};

static void multiply(const double *matrix, const double *from, double *to)
{
    for (guint i = 0; i < 3; i++)
        to[i] = matrix[3 * i] * from[0] + matrix[3 * i + 1] * from[1] + matrix[3 * i + 2] * from[2];
}

static void see(guint32 rgb, guint eye, double *lab)
{
    static const double cones[] = {0.4122214708, 0.5363325363, 0.0514459929, 0.2119034982, 0.6806995451,
                                   0.1073969566, 0.0883024619, 0.2817188376, 0.6299787005};
    static const double to_lab[] = {0.2104542553, 0.7936177850, -0.0040720468, 1.9779984951, -2.4285922050,
                                    0.4505937099, 0.0259040371, 0.7827717662,  -0.8086757660};
    double light[3], seen[3], excited[3];
    for (guint i = 0; i < 3; i++) {
        const double part = (rgb >> (16 - 8 * i) & 255) / 255.0;
        light[i] = part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4);
    }
    multiply(eyes[eye], light, seen);
    for (guint i = 0; i < 3; i++)
        seen[i] = CLAMP(seen[i], 0, 1);
    multiply(cones, seen, excited);
    for (guint i = 0; i < 3; i++)
        excited[i] = cbrt(excited[i]);
    multiply(to_lab, excited, lab);
}

static double distance(guint32 a, guint32 b, guint eye)
{
    double x[3], y[3];
    see(a, eye, x);
    see(b, eye, y);
    return sqrt((x[0] - y[0]) * (x[0] - y[0]) + (x[1] - y[1]) * (x[1] - y[1]) + (x[2] - y[2]) * (x[2] - y[2]));
}

static void test_distances(void)
{
    for (guint eye = 0; eye < N_EYES; eye++)
        for (guint i = 0; i < TND_PALETTE_MUTED; i++) {
            g_assert_cmpfloat(distance(tnd_palette_muted[i], TND_CANVAS, eye), >=, LEAST_TO_CANVAS);
            for (guint j = 0; j < i; j++) {
                const guint apart = MIN(i - j, TND_PALETTE_MUTED - (i - j));
                const double found = distance(tnd_palette_muted[i], tnd_palette_muted[j], eye);
                g_assert_cmpfloat(found, >=, apart < TND_PALETTE_APART ? LEAST_NEAR : LEAST_ANY);
            }
        }
}

/* As pictures have them, beyond the end of the table, too.  The first and the last call of every program, and those
 * that most have in between, are of different colours. */
static void test_codes(void)
{
    enum { N = 300, INIT = 31, FINALIZE = 32, COMMON = 14 };
    const TndPaletteScale muted = {.kind = TND_PALETTE_CODE, .zero_is_code = TRUE};
    for (guint eye = 0; eye < N_EYES; eye++) {
        for (guint code = 0; code < N; code++)
            for (guint other = code + 1; other < code + TND_PALETTE_APART; other++)
                g_assert_cmpfloat(distance(tnd_palette_colour(&muted, code), tnd_palette_colour(&muted, other), eye),
                                  >=, LEAST_NEAR);
        for (guint code = 1; code <= COMMON; code++)
            for (guint other = INIT; other <= FINALIZE; other++)
                g_assert_cmpfloat(distance(tnd_palette_colour(&muted, code), tnd_palette_colour(&muted, other), eye),
                                  >=, LEAST_ANY);
    }
    /* Paraver's states do not pass. */
    g_assert_cmpfloat(distance(0xff0000, 0xeb0000, 0), <, LEAST_NEAR);
}

/* Each step of a gradient is lighter than the one before, and the first one is not the canvas. */
static void test_gradient(void)
{
    double before = LEAST_TO_CANVAS;
    for (guint i = 0; i <= 32; i++) {
        double lab[3], least = INFINITY;
        for (guint eye = 0; eye < N_EYES; eye++) {
            see(tnd_palette_gradient(TND_COLOURS_MUTED, i / 32.0), eye, lab);
            least = MIN(least, lab[0]);
        }
        g_assert_cmpfloat(least, >, before);
        before = least;
    }
    g_assert_cmphex(tnd_palette_gradient(TND_COLOURS_PARAVER, 0), ==, 0x00ff00);
    g_assert_cmphex(tnd_palette_gradient(TND_COLOURS_PARAVER, 1), ==, 0x0000ff);
}

static void test_contrast(void)
{
    static const guint32 inks[] = {TND_INK, TND_INK_SOFT}, papers[] = {TND_PAPER, TND_PAPER_SOFT};
    for (TndTheme theme = 0; theme < TND_THEME_N; theme++)
        for (guint i = 0; i < G_N_ELEMENTS(inks); i++)
            for (guint j = 0; j < G_N_ELEMENTS(papers); j++)
                g_assert_cmpfloat(tnd_palette_contrast(tnd_text_theme_colour(theme, inks[i]),
                                                       tnd_text_theme_colour(theme, papers[j])),
                                  >=, 4.5);
    for (guint32 rgb = 0; rgb <= 0xffffff; rgb += 4111) /* numbers on coloured cells */
        g_assert_cmpfloat(tnd_palette_contrast(tnd_palette_ink_on(rgb), rgb), >=, 4.5);
    g_assert_cmpfloat_with_epsilon(tnd_palette_contrast(0x000000, 0xffffff), 21, 1e-9);
    g_assert_cmpfloat_with_epsilon(tnd_palette_contrast(0x777777, 0xffffff), 4.48, 0.01);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/palette/distances", test_distances);
    g_test_add_func("/palette/codes", test_codes);
    g_test_add_func("/palette/gradient", test_gradient);
    g_test_add_func("/palette/contrast", test_contrast);
    return g_test_run();
}
