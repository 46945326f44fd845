/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists of patterns.  Context: pattern.h.
 */
#include "runtime/pattern.h"

#include "runtime/run.h"

#include <fnmatch.h>
#include <stdio.h>
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

bool tnd_pattern_wants(const char *only, const char *excluded, const char *name)
{
    return (!*only || tnd_pattern_means(only, name)) && !tnd_pattern_means(excluded, name);
}

void tnd_pattern_note_unmet(const char *setting, const char *list, unsigned n, const char *(*name_of)(unsigned i))
{
    char pattern[TND_PATTERN_BYTES], sentence[2 * TND_PATTERN_BYTES];
    int n_text = snprintf(sentence, sizeof sentence, "%s: no function is called ", setting);
    const char *before = "";
    while ((list = tnd_pattern_next(list, pattern))) {
        unsigned i = 0;
        while (i < n && !(name_of(i) && fnmatch(pattern, name_of(i), 0) == 0))
            i++;
        if (i < n || n_text >= (int)sizeof sentence)
            continue;
        n_text += snprintf(sentence + n_text, sizeof sentence - (size_t)n_text, "%s'%s'", before, pattern);
        before = ", ";
    }
    if (*before)
        tnd_run_note(sentence);
}
