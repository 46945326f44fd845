/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Times as people read them: a unit and round steps for an axis, and durations as text.
 */
#ifndef TND_RULER_H
#define TND_RULER_H

#include <glib.h>

typedef struct {
    const char *unit; /* "ns", "us", "ms", "s" */
    double unit_ns;   /* ns in a unit */
    guint64 first_ns; /* of the first tick inside */
    guint64 step_ns;  /* 1, 2 or 5 times a power of ten */
    guint n_ticks;
    guint n_decimals;
} TndRuler;

/* Ticks for [begin_ns, end_ns] on an axis of `length` pixels, far enough apart that their labels do not touch. */
TndRuler tnd_ruler_new(guint64 begin_ns, guint64 end_ns, double length);
char *tnd_ruler_label(const TndRuler *ruler, guint64 time_ns); /* the number without its unit; g_free */

/* "12.345 us", with enough decimals to distinguish times `resolution_ns` apart; 0: with all.  Free with g_free. */
char *tnd_ruler_time_text(guint64 time_ns, guint64 resolution_ns);

#endif
