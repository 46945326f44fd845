/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A histogram described by a configuration of Paraver's: a table, or one table (a plane) for each value of a third
 * window.
 *
 * Cost: one pass over the bursts of the windows for all planes together, or over the messages.
 */
#ifndef TND_CFG_HISTOGRAM_H
#define TND_CFG_HISTOGRAM_H

#include "analysis/histogram/histogram.h"

typedef struct {
    guint n_planes;
    char **plane_names; /* the values of the third window; without one there is one plane, whose name is NULL */
    TndHistogram **planes;
    guint shown; /* index of the plane that the file shows, else of the first one */
} TndCfgTables;

/* Makes the histogram `index` of the configuration, from 0 on; `views` are the configuration's windows.  Planes without
 * values are left out.  Of the overrides (may be NULL) the stretch of time, the rows and the order of the columns
 * replace those of the file if they are set; first_row and n_rows leave some of the rows out; the progress is called.
 * NULL and error: there is no such histogram, it uses something that is not supported, or it was cancelled
 * (G_IO_ERROR_CANCELLED). */
TndCfgTables *tnd_cfg_histogram_new(TndView *const *views, const TndCfg *cfg, guint index,
                                    const TndHistogramOptions *overrides, GError **error);

/* Writes the planes as CSV, one after another, each after a line with its name if it has one. */
gboolean tnd_cfg_histogram_write_csv(const TndCfgTables *tables, FILE *file, gboolean is_long, GError **error);

void tnd_cfg_histogram_free(TndCfgTables *tables);

#endif
