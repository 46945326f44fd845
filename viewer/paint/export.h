/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pictures into files: png, svg or pdf by the name's ending, through the same paint code as the window.
 */
#ifndef TND_EXPORT_H
#define TND_EXPORT_H

#include "viewer/paint/histogram_table.h"
#include "viewer/paint/timeline.h"

gboolean tnd_export_timeline(const TndTimelineSubject *subject, const char *path, int width, int height,
                             GError **error);

/* Size 0 x 0: the natural one. */
gboolean tnd_export_histogram(const TndHistogramTableSubject *subject, const char *path, int width, int height,
                              GError **error);

#endif
