/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stacks, a line each: functions from the outermost inwards with semicolons between them, and a number.
 */
#ifndef TND_COLLAPSED_H
#define TND_COLLAPSED_H

#include "analysis/convert/conversion.h"

void tnd_collapsed_write(const TndConversion *conversion);

#endif
