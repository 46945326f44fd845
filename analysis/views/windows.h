/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The windows of a configuration of Paraver's, over a trace: bursts of any row, made on first use and kept.
 *
 * What a window uses that is not known is named by tnd_windows_new, never passed over.
 */
#ifndef TND_WINDOWS_H
#define TND_WINDOWS_H

#include "analysis/base/cores.h"
#include "analysis/bursts/row_bursts.h"
#include "analysis/cfg/cfg.h"

typedef struct TndWindows TndWindows;

/* Neither is owned.  NULL and error (the window, the function, what there is) if a function or a level is not known. */
TndWindows *tnd_windows_new(const TndTrace *trace, const TndCfg *cfg, GError **error);
void tnd_windows_free(TndWindows *windows);

const TndTrace *tnd_windows_trace(const TndWindows *windows);
const TndCfg *tnd_windows_cfg(const TndWindows *windows);

/* As in the configuration; its level and the events of its filters as they are in this trace. */
const TndCfgWindow *tnd_windows_window(const TndWindows *windows, guint window);

/* Rows of a window are those of its level. */
TndLevel tnd_windows_level(const TndWindows *windows, guint window);
guint tnd_windows_n_rows(const TndWindows *windows, guint window);

/* Contiguous from 0 to the trace's end, neighbours of equal value not merged, those of no length kept.  Several threads
 * may ask at once. */
const TndRowBursts *tnd_windows_row(TndWindows *windows, guint window, guint row);

/* Makes them for the rows that are TRUE (NULL: all), on all cores; teller: as for tnd_cores_run_telling, an item a row
 * of the window. */
gboolean tnd_windows_prepare(TndWindows *windows, guint window, const gboolean *rows, TndCoresTeller *teller);

/* A state's or an event value's label, where the window's values are those, else a number; free with g_free. */
char *tnd_windows_value_text(const TndWindows *windows, guint window, double value);

/* Nanoseconds of the window's unit of time. */
double tnd_windows_unit_ns(const TndWindows *windows, guint window);
const char *tnd_windows_unit_name(guint unit); /* "ns", "us", ... */

#endif
