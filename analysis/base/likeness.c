/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Likeness of names: Levenshtein's distance, byte by byte.
 */
#include "analysis/base/likeness.h"

#include <string.h>

#define LONGEST 200 /* bytes of a name that are compared; the rest is ignored */

static guint edits(const char *a, const char *b)
{
    guint row[LONGEST + 1];
    gsize n = strnlen(b, LONGEST);
    for (guint j = 0; j <= n; j++)
        row[j] = j;
    for (guint i = 0; i < LONGEST && a[i]; i++) {
        guint diagonal = row[0];
        row[0] = i + 1;
        for (guint j = 0; j < n; j++) {
            guint change = diagonal + (g_ascii_tolower(a[i]) != g_ascii_tolower(b[j]));
            diagonal = row[j + 1];
            row[j + 1] = MIN(change, MIN(row[j], row[j + 1]) + 1);
        }
    }
    return row[n];
}

static const char *last_part(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot && dot[1] ? dot + 1 : name;
}

static gboolean contains(const char *name, const char *wanted)
{
    char *all = g_ascii_strdown(name, -1), *part = g_ascii_strdown(wanted, -1);
    gboolean is_part = part[0] && strstr(all, part);
    g_free(all);
    g_free(part);
    return is_part;
}

guint tnd_likeness_distance(const char *wanted, const char *name)
{
    guint distance = edits(wanted, name);
    if (contains(name, wanted))
        distance = MIN(distance, 1);
    return MIN(distance, edits(last_part(wanted), last_part(name)) + 1);
}

guint tnd_likeness_limit(const char *wanted)
{
    return 1 + (guint)strnlen(last_part(wanted), LONGEST) / 3;
}

const char *tnd_likeness_nearest(const char *wanted, const char *const *names)
{
    const char *nearest = NULL;
    guint least = tnd_likeness_limit(wanted) + 1;
    for (; *names; names++) {
        guint distance = tnd_likeness_distance(wanted, *names);
        nearest = distance < least ? *names : nearest;
        least = MIN(distance, least);
    }
    return nearest;
}
