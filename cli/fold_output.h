/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What `tandem fold` prints and writes.
 */
#ifndef TND_FOLD_OUTPUT_H
#define TND_FOLD_OUTPUT_H

#include "analysis/reports/fold_picture.h"

typedef struct {
    gboolean all;       /* all functions, not only the first ones */
    gboolean is_chosen; /* the region was not given */
} TndFoldOutputOptions;

/* Prints instances, phases, functions and curves. */
void tnd_fold_output_print(const TndFoldPicture *what, const TndFoldOutputOptions *options);

/* Says on stderr what makes the result doubtful. */
void tnd_fold_output_warn(const TndFoldPicture *what);

/* Write a file ("-": standard output): a line for each number, as CSV, and the picture.  FALSE: complained. */
gboolean tnd_fold_output_csv(const TndFoldPicture *what, const char *path);
gboolean tnd_fold_output_draw(const TndFoldPicture *what, const char *path);

#endif
