/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A choice between one trace and two.
 */
#include "viewer/opening.h"

#include "analysis/causes/alignment.h"

TndOpening *tnd_opening_new(const char *path, const char *beside, const char *alignment)
{
    TndOpening *opening = g_new(TndOpening, 1);
    *opening = (TndOpening){g_strdup(path), g_strdup(beside), g_strdup(alignment)};
    return opening;
}

void tnd_opening_free(TndOpening *opening)
{
    g_free(opening->path);
    g_free(opening->beside);
    g_free(opening->alignment);
    g_free(opening);
}

char *tnd_opening_text(const TndOpening *opening)
{
    char *name = g_path_get_basename(opening->path), *text;
    char *beside = opening->beside ? g_path_get_basename(opening->beside) : NULL;
    text = beside ? g_strdup_printf("Opening %s beside %s", beside, name) : g_strdup_printf("Opening %s", name);
    g_free(beside);
    g_free(name);
    return text;
}

TndTrace *tnd_opening_run(const TndOpening *opening, TndTraceProgress progress, gpointer user_data, GError **error)
{
    if (!opening->beside)
        return tnd_trace_open(opening->path, progress, user_data, error);
    return tnd_alignment_open(opening->path, opening->beside, opening->alignment ? opening->alignment : "start",
                              progress, user_data, error);
}

char *tnd_opening_key(const TndTrace *trace)
{
    char *path = g_canonicalize_filename(tnd_trace_path(trace), NULL);
    char *beside = tnd_trace_beside(trace) ? g_canonicalize_filename(tnd_trace_beside(trace), NULL) : NULL;
    char *key = beside ? g_strconcat(path, "\n", beside, NULL) : g_strdup(path);
    g_free(beside);
    g_free(path);
    return key;
}
