/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Conditions on a number as users write them: ">5", "<=1ms", "=64k".  Several hold together.
 */
#ifndef TND_BOUNDS_H
#define TND_BOUNDS_H

#include <glib.h>
#include <math.h>

typedef struct {
    double more, less, equal; /* NaN: no condition */
} TndBounds;

#define TND_BOUNDS_NONE ((TndBounds){NAN, NAN, NAN})

/* What numbers are: plain ones, times with a unit, in ns, sizes, in bytes.  Flags. */
typedef enum { TND_BOUNDS_PLAIN = 1, TND_BOUNDS_TIME = 2, TND_BOUNDS_SIZE = 4 } TndBoundsTake;

/* Reads one condition and adds it.  FALSE: the text is none. */
gboolean tnd_bounds_parse(TndBounds *bounds, const char *text, TndBoundsTake takes);

gboolean tnd_bounds_are_set(const TndBounds *bounds);
gboolean tnd_bounds_hold(const TndBounds *bounds, double number);

#endif
