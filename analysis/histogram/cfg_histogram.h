/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A histogram that a configuration of Paraver's describes: a table, or one for each value of a third window.
 *
 * Cost: one pass over the bursts of the windows of every plane's rows together, or over the messages.
 */
#ifndef TND_CFG_HISTOGRAM_H
#define TND_CFG_HISTOGRAM_H

#include "analysis/histogram/histogram.h"

typedef struct {
    guint n_planes;
    char **plane_names; /* of values of the third window; one NULL without it */
    TndHistogram **planes;
    guint shown; /* of the planes: which the file shows, else the first one */
} TndCfgTables;

/* The index-th histogram of the configuration, whose windows the views are; planes without any value left out.  Of the
 * wishes (may be NULL) the stretch of time, the rows and the order of the columns hold instead of the file's, where
 * they are given, and their progress is told; first_row and n_rows leave some of the rows out.  NULL and error: it is
 * not there, uses what is not supported, or was ended (G_IO_ERROR_CANCELLED).
 */
TndCfgTables *tnd_cfg_histogram_new(TndView *const *views, const TndCfg *cfg, guint index,
                                    const TndHistogramOptions *wishes, GError **error);

/* CSV: the planes one after another, each after a line with its name if it has one. */
gboolean tnd_cfg_histogram_write_csv(const TndCfgTables *tables, FILE *file, gboolean is_long, GError **error);

void tnd_cfg_histogram_free(TndCfgTables *tables);

#endif
