/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A configuration of Paraver's that a command is given.
 */
#ifndef TND_CFG_INPUT_H
#define TND_CFG_INPUT_H

#include "analysis/cfg/cfg.h"

/* Tells of keys that neither Paraver nor we know.  NULL: error. */
TndCfg *tnd_cfg_input_read(const char *path, GError **error);

#endif
