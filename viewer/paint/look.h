/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How pictures look, as the user chooses it, whatever they show.  All zeros are the defaults.
 */
#ifndef TND_LOOK_H
#define TND_LOOK_H

#include "analysis/views/draw_mode.h"
#include "viewer/paint/text.h"

/* The scale of a gradient's colours. */
typedef enum {
    TND_SCALE_AUTO, /* logarithmic if the largest value is more than TND_SCALE_WIDE times the smallest, else linear */
    TND_SCALE_LINEAR,
    TND_SCALE_LOG,
    TND_SCALE_N
} TndScaleKind;

#define TND_SCALE_WIDE 100

/* The colours of values: muted ones, which the colour-blind tell apart, too; or those of the .pcf, and Paraver's green
 * to blue. */
typedef enum { TND_COLOURS_MUTED, TND_COLOURS_PARAVER, TND_COLOURS_N } TndColours;

typedef struct {
    TndDrawMode mode;
    TndColours colours;
    TndTheme theme;
    gboolean has_theme; /* the user has chosen it, so that it is not that of the window */
    TndScaleKind scale;
    gboolean has_limits;
    gboolean are_percentiles; /* the limits: 0 to 100; else they are in the unit of the view */
    double least, most;       /* limits of the gradient; values beyond have the colours of the ends */
} TndLook;

/* FALSE: this is no name of a scale, no "LEAST-MOST" ("10us-5ms", "0-100", or percentiles, "1%-99%"), no name of
 * colours or of a theme. */
gboolean tnd_look_parse_scale(TndLook *look, const char *name);
gboolean tnd_look_parse_limits(TndLook *look, const char *text);
gboolean tnd_look_parse_colours(TndLook *look, const char *name);
gboolean tnd_look_parse_theme(TndLook *look, const char *name);

/* One limit; FALSE: it is none.  is_percentile: it has a per cent sign. */
gboolean tnd_look_parse_limit(const char *text, double *limit, gboolean *is_percentile);

/* The names that are parsed. */
const char *tnd_look_scale_name(TndScaleKind scale);
const char *tnd_look_colours_name(TndColours colours);
const char *tnd_look_theme_name(TndTheme theme);
char *tnd_look_limits_text(const TndLook *look); /* NULL: it has none; free with g_free */

/* The mode for a view: an average of codes would be none of them, and is drawn by share of time. */
TndDrawMode tnd_look_mode(const TndLook *look, gboolean are_codes);

#endif
