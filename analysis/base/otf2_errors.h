/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Errors of the OTF2 library, which it would print.  They belong to the process: one archive is handled at a time.
 */
#ifndef TND_OTF2_ERRORS_H
#define TND_OTF2_ERRORS_H

#include <glib.h>

/* From here on the first error is kept, until it is taken.  FALSE of take: there was one. */
void tnd_otf2_errors_begin(void);
gboolean tnd_otf2_errors_any(void);
gboolean tnd_otf2_errors_take(GError **error);

#endif
