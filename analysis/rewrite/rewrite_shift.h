/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Moves the rows of a trace in time, all by the same offset or each by its own.  What would come before 0 is cut off
 * (rewrite_cut.h); records are sorted again if rows move by different offsets (rewrite_order.h).
 */
#ifndef TND_REWRITE_SHIFT_H
#define TND_REWRITE_SHIFT_H

#include "analysis/rewrite/rewrite.h"

typedef struct {
    const char *rows; /* as in row_choice.h; NULL: all */
    gint64 offset_ns;
    const char *file; /* used instead if not NULL: lines "ROWS OFFSET", or "OFFSET" for one thread after another */
} TndRewriteShiftOptions;

/* Parses "1.5ms" or "-20us".  FALSE: the text is not an offset. */
gboolean tnd_rewrite_shift_parse(const char *text, gint64 *offset_ns);

gboolean tnd_rewrite_shift_run(const TndRewriteOptions *options, const TndRewriteShiftOptions *shift,
                               TndRewriteResult *result, GError **error);

#endif
