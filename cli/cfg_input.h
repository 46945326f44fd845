/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A configuration of Paraver's that a command is given, by itself or as a view.
 */
#ifndef TND_CFG_INPUT_H
#define TND_CFG_INPUT_H

#include "analysis/views/view.h"

/* Both tell of keys that neither Paraver nor we know.  NULL: error. */
TndCfg *tnd_cfg_input_read(const char *path, GError **error);
TndView *tnd_cfg_input_view(const TndTrace *trace, const char *name, GError **error);

#endif
