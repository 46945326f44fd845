/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A trace whose rows are moved in time, all or each by what is said of it.  What would come before 0 is cut off
 * (rewrite_cut.h); a trace whose rows are moved apart is put into order again (rewrite_order.h).
 */
#ifndef TND_REWRITE_SHIFT_H
#define TND_REWRITE_SHIFT_H

#include "analysis/rewrite/rewrite.h"

typedef struct {
    const char *rows; /* as row_choice.h takes them; NULL: all */
    gint64 offset_ns;
    const char *file; /* NULL: none; else instead: "ROWS OFFSET" a line, or "OFFSET", of one thread after another */
} TndRewriteShiftOptions;

/* "1.5ms", "-20us".  FALSE: it is none. */
gboolean tnd_rewrite_shift_parse(const char *text, gint64 *offset_ns);

gboolean tnd_rewrite_shift_run(const TndRewriteOptions *options, const TndRewriteShiftOptions *shift,
                               TndRewriteResult *result, GError **error);

#endif
