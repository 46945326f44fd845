/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Profiles as pprof reads them: the samples of each thread, summed up by stack, compressed.
 */
#ifndef TND_PPROF_H
#define TND_PPROF_H

#include "analysis/convert/conversion.h"

void tnd_pprof_write(const TndConversion *conversion);

#endif
