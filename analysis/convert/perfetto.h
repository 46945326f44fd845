/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Perfetto's trace packets: states, calls, counters and samples.
 */
#ifndef TND_PERFETTO_H
#define TND_PERFETTO_H

#include "analysis/convert/conversion.h"

void tnd_perfetto_write(const TndConversion *conversion);

#endif
