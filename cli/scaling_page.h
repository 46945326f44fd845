/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The page of several runs, as one HTML file that needs no other one.
 */
#ifndef TND_SCALING_PAGE_H
#define TND_SCALING_PAGE_H

#include "cli/scaling_table.h"

/* Writes the file, or leaves what is there as it was; FALSE: complained. */
gboolean tnd_scaling_page_write(const TndScalingTable *table, const char *path);

#endif
