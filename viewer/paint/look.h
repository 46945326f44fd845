/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How pictures look, as the user chooses it, whatever they show.  All zeros are the defaults.
 */
#ifndef TND_LOOK_H
#define TND_LOOK_H

#include "analysis/views/draw_mode.h"

typedef struct {
    TndDrawMode mode;
} TndLook;

/* The mode for a view: an average of codes would be none of them, and is drawn by share of time. */
TndDrawMode tnd_look_mode(const TndLook *look, gboolean are_codes);

#endif
