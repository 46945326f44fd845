/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The first pass: who was there, and what the other passes must know beforehand.
 */
#ifndef TND_MERGE_SCAN_H
#define TND_MERGE_SCAN_H

#include "analysis/merge/base/merge_model.h"

/* FALSE with error: it was cancelled, or no process recorded anything. */
gboolean tnd_merge_scan_run(TndMerge *merge, GError **error);

#endif
