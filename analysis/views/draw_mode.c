/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of modes, and those that are made of many samples.
 */
#include "analysis/views/draw_mode.h"

#include <string.h>

static const TndDrawModeRule rules[TND_MODE_N] = {
    [TND_MODE_TIME] = {"time", "by share of time", TND_GRIDS_SAMPLES, TND_PLACE_FAIR, FALSE},
    [TND_MODE_MAXIMUM] = {"maximum", "maximum", TND_GRIDS_LARGEST, TND_PLACE_FAIR, FALSE},
    [TND_MODE_MINIMUM] = {"minimum", "minimum that is not 0", TND_GRIDS_SMALLEST, TND_PLACE_FAIR, FALSE},
    [TND_MODE_FIRST] = {"first", "first", TND_GRIDS_SAMPLES, TND_PLACE_FIRST, FALSE},
    [TND_MODE_LAST] = {"last", "last", TND_GRIDS_SAMPLES, TND_PLACE_LAST, FALSE},
    [TND_MODE_RANDOM] = {"random", "random", TND_GRIDS_SAMPLES, TND_PLACE_RANDOM, FALSE},
    [TND_MODE_AVERAGE] = {"average", "average", TND_GRIDS_SAMPLES, TND_PLACE_RANDOM, TRUE},
    [TND_MODE_MAJORITY] = {"majority", "majority", TND_GRIDS_SAMPLES, TND_PLACE_RANDOM, TRUE},
};

const TndDrawModeRule *tnd_draw_mode_rule(TndDrawMode mode)
{
    return &rules[mode];
}

gboolean tnd_draw_mode_parse(const char *name, TndDrawMode *mode)
{
    for (TndDrawMode at = 0; at < TND_MODE_N; at++)
        if (strcmp(rules[at].name, name) == 0) {
            *mode = at;
            return TRUE;
        }
    return FALSE;
}

char *tnd_draw_mode_names(void)
{
    GString *names = g_string_new(NULL);
    for (TndDrawMode at = 0; at < TND_MODE_N; at++)
        g_string_append_printf(names, "%s%s", at ? ", " : "", rules[at].name);
    return g_string_free(names, FALSE);
}

static double average_of(const double *values)
{
    double sum = 0;
    for (guint i = 0; i < TND_DRAW_MODE_PARTS; i++)
        sum += values[i];
    return sum / TND_DRAW_MODE_PARTS;
}

/* The index of the one of TND_DRAW_MODE_PARTS that occurs most, the first of several. */
#define MOST_FREQUENT(items, at)                                                                                       \
    for (guint i = 0, most = 0; i < TND_DRAW_MODE_PARTS && most < TND_DRAW_MODE_PARTS; i++) {                          \
        guint n_equal = 0;                                                                                             \
        for (guint j = 0; j < TND_DRAW_MODE_PARTS; j++)                                                                \
            n_equal += (items)[j] == (items)[i];                                                                       \
        at = n_equal > most ? i : at;                                                                                  \
        most = MAX(most, n_equal);                                                                                     \
    }

void tnd_draw_mode_reduce(TndDrawMode mode, double *values, guint n)
{
    for (guint column = 0; column < n; column++) {
        const double *parts = values + (gsize)column * TND_DRAW_MODE_PARTS;
        guint at = 0;
        if (mode == TND_MODE_MAJORITY)
            MOST_FREQUENT(parts, at)
        values[column] = mode == TND_MODE_MAJORITY ? parts[at] : average_of(parts);
    }
}

void tnd_draw_mode_reduce_codes(guint16 *codes, guint n)
{
    for (guint column = 0; column < n; column++) {
        const guint16 *parts = codes + (gsize)column * TND_DRAW_MODE_PARTS;
        guint at = 0;
        MOST_FREQUENT(parts, at)
        codes[column] = parts[at];
    }
}
