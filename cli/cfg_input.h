/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads a configuration of Paraver's for a command, by itself or as a view.
 */
#ifndef TND_CFG_INPUT_H
#define TND_CFG_INPUT_H

#include "analysis/views/view.h"

/* Both report keys that are not Paraver's.  NULL and error: it failed. */
TndCfg *tnd_cfg_input_read(const char *path, GError **error);
TndView *tnd_cfg_input_view(const TndTrace *trace, const char *name, GError **error);

#endif
