/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Chrome's trace events in JSON: states, calls, counters and samples.
 */
#ifndef TND_CHROME_H
#define TND_CHROME_H

#include "analysis/convert/conversion.h"

void tnd_chrome_write(const TndConversion *conversion);

#endif
