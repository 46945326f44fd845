/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reports an assertion that failed.
 */
#include "analysis/base/assertion.h"

#include <stdio.h>
#include <stdlib.h>

void tnd_assertion_fail(const char *expression, const char *file, int line, const char *function)
{
    fprintf(stderr, "%s:%d: %s: assertion failed: %s\n", file, line, function, expression);
    abort();
}
