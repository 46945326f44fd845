/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writes pictures to files: png, svg or pdf, by the name's ending; "-.png" and the like are standard output.  They are
 * painted by the same code as the window.
 */
#ifndef TND_EXPORT_H
#define TND_EXPORT_H

#include "viewer/paint/flame.h"
#include "viewer/paint/histogram_table.h"
#include "viewer/paint/marks.h"

/* marks: what is drawn over the timelines; NULL: nothing. */
gboolean tnd_export_stack(const TndLaneStackSubject *subject, const TndMarks *marks, const char *path, int width,
                          int height, GError **error);

/* As high as it needs. */
gboolean tnd_export_flame(const TndFlameSubject *subject, const char *path, int width, GError **error);

/* A size of 0 x 0 means the natural size. */
gboolean tnd_export_histogram(const TndHistogramTableSubject *subject, const char *path, int width, int height,
                              GError **error);

#endif
