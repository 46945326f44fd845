/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * CSV with one line for each state, call, counter's value, other event, sample and message, for data frames and
 * databases.  The columns are the same for all; a field that a line has no use for is empty.
 */
#ifndef TND_CSV_LINES_H
#define TND_CSV_LINES_H

#include "analysis/convert/conversion.h"

void tnd_csv_lines_write(const TndConversion *conversion);

#endif
