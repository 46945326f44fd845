/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The command line of tview, read without any display.
 */
#ifndef TND_ARGUMENTS_H
#define TND_ARGUMENTS_H

#include "analysis/histogram/histogram.h"
#include "viewer/paint/timeline.h"

typedef struct {
    char *trace; /* NULL: none was given */
    char *view;
    char *export_path, *csv_path;
    int width, height; /* 0: the natural size */
    gboolean has_begin, has_end;
    guint64 begin_ns, end_ns;
    guint first_row, last_row; /* 1-based; 0: all */
    TndMessagesShown messages;
    gboolean fits_scale, is_histogram, lists_views, shows_version;
    gboolean has_draw;
    TndDraw draw;
    TndStatistic statistic;
    char **view_files, **cfgs; /* NULL: none were given */
    guint table;               /* of the last of cfgs, from 1 on; 0: it was not given */
    char *plane;
} TndArguments;

/* FALSE: a wrong use, error says what. */
gboolean tnd_arguments_parse(TndArguments *arguments, int argc, char **argv, GError **error);
void tnd_arguments_clear(TndArguments *arguments);

#endif
