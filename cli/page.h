/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `tandem report --output`: what there is to say of a run, as one HTML file that needs no other one.
 */
#ifndef TND_PAGE_H
#define TND_PAGE_H

#include "analysis/trace/trace.h"

/* Writes the file, or leaves what is there as it was.  Returns the exit status; not fine: complained. */
int tnd_page_write(const TndTrace *trace, const char *path);

#endif
