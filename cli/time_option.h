/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A stretch of time on the command line: BEGIN:END, two times or parts of the duration, each of which may be missing.
 */
#ifndef TND_TIME_OPTION_H
#define TND_TIME_OPTION_H

#include "analysis/rewrite/rewrite_cut.h"

/* Leaves *begin or *end as it is if the text (NULL: none) does not say it.  FALSE: complained. */
gboolean tnd_time_option_parse(const char *command, const char *option, const char *text, TndRewriteTime *begin,
                               TndRewriteTime *end);

#endif
