/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists of patterns.  Context: pattern.h.
 */
#include "runtime/pattern.h"

#include <fnmatch.h>
#include <string.h>

const char *tnd_pattern_next(const char *list, char pattern[static TND_PATTERN_BYTES])
{
    list += strspn(list, ",");
    size_t n = strcspn(list, ",");
    if (n == 0)
        return NULL;
    size_t n_kept = n < TND_PATTERN_BYTES ? n : 0;
    memcpy(pattern, list, n_kept);
    pattern[n_kept] = '\0';
    return list + n;
}

bool tnd_pattern_means(const char *list, const char *name)
{
    char pattern[TND_PATTERN_BYTES];
    while ((list = tnd_pattern_next(list, pattern)))
        if (fnmatch(pattern, name, 0) == 0)
            return true;
    return false;
}
