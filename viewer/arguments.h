/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The command line of tview.  Reading it needs no display.
 */
#ifndef TND_ARGUMENTS_H
#define TND_ARGUMENTS_H

#include "analysis/histogram/histogram.h"
#include "viewer/paint/lane_stack.h"

typedef struct {
    char *trace;                  /* NULL: none was given */
    char *beside;                 /* a second trace; NULL: none was given */
    char *alignment;              /* of the two; NULL: none was given */
    char *session;                /* a file of session_file.h; NULL: none was given */
    gboolean is_plain;            /* nothing was given that says what is to be shown */
    gboolean is_fresh;            /* what was shown last is not to come back */
    char *export_path, *csv_path; /* NULL: not asked for */
    int width, height;            /* of the picture, in pixels; 0: the natural size */
    gboolean has_begin, has_end;
    guint64 begin_ns, end_ns;
    guint first_row, last_row; /* 1-based; 0: all */
    char *rows;                /* a list of rows in their order; NULL: none was given */
    TndMessagesShown messages;
    char *only_messages; /* which of them; NULL: all */
    TndLook look;
    gboolean shows_flags, fits_scale, is_histogram, is_profile, lists_views, shows_version;
    gboolean has_draw;
    TndDraw draw;
    TndStatistic statistic;
    char **views;              /* timelines, from the top on; NULL: the trace's first view */
    char *over;                /* a view over the first of them; NULL: none was given */
    char **view_files, **cfgs; /* NULL: none were given */
    guint table;               /* number of a histogram of the last of cfgs, from 1 on; 0: none was given */
    char *plane;               /* name of the plane to show; NULL: none was given */
    char *data, *planes;       /* other views of the histogram, as TND_TABLE_DATA and PLANES; NULL: none were given */
} TndArguments;

/* FALSE and error: the command line is wrong. */
gboolean tnd_arguments_parse(TndArguments *arguments, int argc, char **argv, GError **error);
void tnd_arguments_clear(TndArguments *arguments);

#endif
