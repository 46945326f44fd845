/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A configuration of Paraver's that was opened over a trace: its windows as views, its histograms as tables.
 *
 * What it is not: what the file says (cfg.h), and what its windows and tables are (view.h, cfg_histogram.h).
 */
#ifndef TND_CFG_FILE_H
#define TND_CFG_FILE_H

#include "analysis/histogram/cfg_histogram.h"
#include "viewer/zoom.h"

/* The statistic that the file says. */
#define TND_CFG_FILE_OWN TND_STATISTIC_N

typedef struct {
    gint n_owners; /* atomic */
    TndCfg *cfg;
    TndView **views; /* of its windows, NULL at the end */
    char *title;     /* the file's name, without folders */
    struct TndCfgFileTable {
        const char *title;
        TndStatistic statistic; /* that the user chose, or TND_CFG_FILE_OWN */
        gboolean was_opened;
    } * tables; /* of its histograms */
} TndCfgFile;

/* NULL and error: it is no configuration, or uses what there is not. */
TndCfgFile *tnd_cfg_file_new(const TndTrace *trace, const char *path, GError **error);
TndCfgFile *tnd_cfg_file_share(TndCfgFile *file); /* one owner more */
void tnd_cfg_file_free(TndCfgFile *file);         /* one owner less */

/* Whether it is this file, however its path is written. */
gboolean tnd_cfg_file_is(const TndCfgFile *file, const char *path);

/* Whose columns the table has. */
TndView *tnd_cfg_file_control(const TndCfgFile *file, guint table);

/* What the file says that the table is of: a stretch of time, and the rows of its control window. */
TndZoom tnd_cfg_file_table_zoom(const TndCfgFile *file, guint table);

/* With the statistic that the user chose.  It only reads the file: another thread may do it. */
TndCfgTables *tnd_cfg_file_make(const TndCfgFile *file, guint table, TndStatistic statistic,
                                const TndHistogramOptions *wishes, GError **error);

#endif
