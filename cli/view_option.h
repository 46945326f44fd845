/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Options that take a view and one of its values: VIEW:VALUE, VIEW=VALUE.
 */
#ifndef TND_VIEW_OPTION_H
#define TND_VIEW_OPTION_H

#include "analysis/views/view.h"

/* Opens the view, and finds the value by its text or as a number.  Names and values may contain the separator.  NULL:
 * complained, with values that are similar. */
TndView *tnd_view_option_open(const char *command, const char *option, const TndTrace *trace, const char *text,
                              char separator, double *value);

/* Parses a number. */
gboolean tnd_view_option_number(const char *text, double *number);

#endif
