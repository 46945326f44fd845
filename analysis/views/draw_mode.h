/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Draw modes: which value a pixel shows that has several, because it covers many bursts or many rows.
 */
#ifndef TND_DRAW_MODE_H
#define TND_DRAW_MODE_H

#include "analysis/bursts/row_grids.h"

typedef enum {
    TND_MODE_TIME, /* each value in as many pixels as it has of their time */
    TND_MODE_MAXIMUM,
    TND_MODE_MINIMUM, /* of the values that are not 0 */
    TND_MODE_FIRST,
    TND_MODE_LAST,
    TND_MODE_RANDOM,
    TND_MODE_AVERAGE,  /* over time; not for codes */
    TND_MODE_MAJORITY, /* the value with most of the time */
    TND_MODE_N
} TndDrawMode;

typedef struct {
    const char *name;    /* on the command line */
    const char *caption; /* in pictures */
    TndGridsKind kind;   /* what it is read from */
    TndGridsPlace place;
    gboolean has_parts; /* it is made of many samples of each pixel */
} TndDrawModeRule;

const TndDrawModeRule *tnd_draw_mode_rule(TndDrawMode mode);

/* FALSE: no mode has this name. */
gboolean tnd_draw_mode_parse(const char *name, TndDrawMode *mode);

/* The names of all modes, with commas between them; free with g_free. */
char *tnd_draw_mode_names(void);

/* Makes n columns of n * TND_DRAW_MODE_PARTS samples, in place, for a mode that has parts. */
#define TND_DRAW_MODE_PARTS 16
void tnd_draw_mode_reduce(TndDrawMode mode, double *values, guint n);

/* The same for codes; only for TND_MODE_MAJORITY. */
void tnd_draw_mode_reduce_codes(guint16 *codes, guint n);

#endif
