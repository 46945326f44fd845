/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Speedscope's own format: a profile for each thread, with its samples in the order of time.
 */
#ifndef TND_SPEEDSCOPE_H
#define TND_SPEEDSCOPE_H

#include "analysis/convert/conversion.h"

void tnd_speedscope_write(const TndConversion *conversion);

#endif
