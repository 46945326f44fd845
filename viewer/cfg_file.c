/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All windows are opened with the file.  This is cheap: their rows are only evaluated when they are shown.
 */
#include "viewer/cfg_file.h"

#include <string.h>

TndCfgFile *tnd_cfg_file_new(const TndTrace *trace, const char *path, GError **error)
{
    TndCfg *cfg = tnd_cfg_read(path, error);
    TndView **views = cfg ? tnd_view_new_of_cfg(trace, cfg, error) : NULL;
    if (!views) {
        tnd_cfg_free(cfg);
        return NULL;
    }
    TndCfgFile *file = g_new0(TndCfgFile, 1);
    file->n_owners = 1;
    file->cfg = cfg;
    file->views = views;
    file->title = g_path_get_basename(path);
    file->tables = g_new0(struct TndCfgFileTable, cfg->histograms->len + 1);
    for (guint i = 0; i < cfg->histograms->len; i++) {
        const char *name = tnd_cfg_histogram(cfg, i)->name;
        file->tables[i].title = name && *name ? name : "Histogram";
        file->tables[i].statistic = TND_CFG_FILE_OWN;
    }
    return file;
}

TndCfgFile *tnd_cfg_file_share(TndCfgFile *file)
{
    g_atomic_int_inc(&file->n_owners);
    return file;
}

void tnd_cfg_file_free(TndCfgFile *file)
{
    if (!file || !g_atomic_int_dec_and_test(&file->n_owners))
        return;
    tnd_view_free_all(file->views);
    tnd_cfg_free(file->cfg);
    g_free(file->tables);
    g_free(file->title);
    g_free(file);
}

gboolean tnd_cfg_file_is(const TndCfgFile *file, const char *path)
{
    char *own = g_canonicalize_filename(file->cfg->path, NULL), *other = g_canonicalize_filename(path, NULL);
    gboolean is_same = strcmp(own, other) == 0;
    g_free(own);
    g_free(other);
    return is_same;
}

TndView *tnd_cfg_file_control(const TndCfgFile *file, guint table)
{
    return file->views[tnd_cfg_histogram(file->cfg, table)->control];
}

TndZoom tnd_cfg_file_table_zoom(const TndCfgFile *file, guint table)
{
    TndView *control = tnd_cfg_file_control(file, table);
    TndZoom zoom = tnd_zoom_of_view(control), whole = tnd_zoom_whole(tnd_view_trace(control), tnd_view_level(control));
    if (!tnd_cfg_histogram(file->cfg, table)->is_within_window) {
        zoom.begin_ns = whole.begin_ns;
        zoom.end_ns = whole.end_ns;
    }
    return zoom;
}

TndCfgTables *tnd_cfg_file_make(const TndCfgFile *file, guint table, TndStatistic statistic,
                                const TndHistogramOptions *wishes, GError **error)
{
    GArray *own = file->cfg->histograms, *histograms = g_array_new(FALSE, FALSE, sizeof(TndCfgHistogram));
    TndCfg cfg = *file->cfg; /* a copy, as the file's own must not change */
    cfg.histograms = g_array_append_vals(histograms, own->data, own->len);
    if (statistic != TND_CFG_FILE_OWN)
        tnd_cfg_histogram(&cfg, table)->statistic = (char *)tnd_histogram_statistic_name(statistic);
    TndCfgTables *tables = tnd_cfg_histogram_new(file->views, &cfg, table, wishes, error);
    g_array_unref(histograms);
    return tables;
}
