/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writes a trace as an OTF2 archive, which Vampir and Scalasca read: calls and regions, messages, collective calls,
 * counters, samples, and any other event as a parameter.
 *
 * Cost: some 200 ns an event.  Memory: a few MB, and for messages (row_messages.h).
 */
#ifndef TND_OTF2_WRITE_H
#define TND_OTF2_WRITE_H

#include "analysis/convert/conversion.h"

/* FALSE and error: it failed, or tandem was built without the library. */
gboolean tnd_otf2_write(const TndConversion *conversion, const char *directory, GError **error);

#endif
