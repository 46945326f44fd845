/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A call tree as a picture: each function is a box as wide as the CPU time in it, on top of the function that called
 * it.  An SVG file that needs nothing else; pointing at a box shows the whole name and the numbers.
 *
 * Cost: some us for each function that is drawn; those of less than a tenth of a pixel are left out.
 */
#ifndef TND_FLAME_GRAPH_H
#define TND_FLAME_GRAPH_H

#include "analysis/reports/call_change.h"

#include <stdio.h>

void tnd_flame_graph_write(FILE *file, const TndCallTree *tree);

/* The tree of now, with colours that say how the share of each function has changed.  before: what it is compared with,
 * as a text. */
void tnd_flame_graph_write_change(FILE *file, const TndCallChange *change, const char *before);

#endif
