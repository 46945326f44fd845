/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A configuration of Paraver's that was opened for a trace: its windows are views, its histograms are tables.
 *
 * What it is not: it does not parse the file (cfg.h), nor compute windows and tables (view.h, cfg_histogram.h).
 */
#ifndef TND_CFG_FILE_H
#define TND_CFG_FILE_H

#include "analysis/histogram/cfg_histogram.h"
#include "viewer/zoom.h"

/* In place of a statistic: the one that the file names. */
#define TND_CFG_FILE_OWN TND_STATISTIC_N

typedef struct {
    gint n_owners; /* references; atomic */
    TndCfg *cfg;
    TndView **views; /* one per window, NULL at the end */
    char *title;     /* the file's name without its folder */
    struct TndCfgFileTable {
        const char *title;
        TndStatistic statistic; /* chosen by the user, or TND_CFG_FILE_OWN */
        gboolean was_opened;
    } * tables; /* one per histogram */
} TndCfgFile;

/* NULL and error: the file is no configuration, or uses something that is not supported. */
TndCfgFile *tnd_cfg_file_new(const TndTrace *trace, const char *path, GError **error);
TndCfgFile *tnd_cfg_file_share(TndCfgFile *file); /* takes a reference */
void tnd_cfg_file_free(TndCfgFile *file);         /* drops a reference */

/* Whether `path` is this file, even if it is written differently. */
gboolean tnd_cfg_file_is(const TndCfgFile *file, const char *path);

/* The control window of a table, whose values make the columns; owned by the file. */
TndView *tnd_cfg_file_control(const TndCfgFile *file, guint table);

/* The time and the rows that a table covers by the file, the rows being those of its control window. */
TndZoom tnd_cfg_file_table_zoom(const TndCfgFile *file, guint table);

/* Makes a table, with this statistic or TND_CFG_FILE_OWN.  Only reads the file, so that any thread may call it. */
TndCfgTables *tnd_cfg_file_make(const TndCfgFile *file, guint table, TndStatistic statistic,
                                const TndHistogramOptions *wishes, GError **error);

#endif
