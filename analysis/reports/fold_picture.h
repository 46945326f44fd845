/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A folded instance as a picture: the shares of functions, one above another, over the time in the mean instance, and
 * panels beneath with numbers of samples and with curves.  An SVG file that needs nothing else; pointing at a box shows
 * its numbers.
 */
#ifndef TND_FOLD_PICTURE_H
#define TND_FOLD_PICTURE_H

#include "analysis/reports/fold_phases.h"

#include <stdio.h>

/* All that is known of a folding. */
typedef struct {
    const TndTrace *trace;
    const char *region; /* "user-events=iteration" */
    const TndFoldInstances *instances;
    const TndFoldingOptions *options;
    const TndFolding *folding;
    const GArray *phases; /* TndFoldPhase */
} TndFoldPicture;

void tnd_fold_picture_write(FILE *file, const TndFoldPicture *picture);

#endif
