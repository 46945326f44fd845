/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Notes for the user about functions of Python that are not in the trace.
 */
#include "analysis/merge/read/merge_python.h"
#include "analysis/merge/base/merge_note.h"
#include "analysis/merge/read/merge_names.h"
#include "formats/fact.h"

#include <fnmatch.h>
#include <string.h>

#define MAX_UNMET 20

guint32 tnd_merge_python_value(const TndMerge *merge, const TndMergeProcess *process, guint32 number)
{
    guint32 value = number < process->python_names->len ? process->python_values[number] : 0;
    return value ? value : merge->python_names->len;
}

/* Whether a function that some image named fits a pattern.  An image that was killed did not say whether one did.  As
 * in the recorder, a pattern without a dot is for functions of any module. */
static gboolean meets_any(const TndMerge *merge, const char *pattern)
{
    gboolean has_dot = strchr(pattern, '.') != NULL, meets = FALSE;
    for (guint i = 0; i < merge->processes->len && !meets; i++) {
        const GPtrArray *names = ((const TndMergeProcess *)merge->processes->pdata[i])->python_names;
        for (guint number = 0; number < names->len && !meets; number++) {
            char *text = names->pdata[number];
            char *name = text ? g_strndup(text, strcspn(text, TND_MERGE_MORE)) : NULL;
            const char *dot = name && !has_dot ? strrchr(name, '.') : NULL;
            meets = name && fnmatch(pattern, dot ? dot + 1 : name, 0) == 0;
            g_free(name);
        }
    }
    return meets;
}

static int compare_wishes(gconstpointer a, gconstpointer b)
{
    const TndMergePythonWish *x = a, *y = b;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    int order = strcmp(x->pattern, y->pattern);
    return order ? order : y->is_met - x->is_met; /* the image that met it comes first */
}

static void note_unmet_wishes(TndMerge *merge)
{
    GString *unmet = g_string_new(NULL);
    const TndMergePythonWish *before = NULL;
    guint n_unmet = 0;
    g_array_sort(merge->python_wishes, compare_wishes);
    for (guint i = 0; i < merge->python_wishes->len; i++) {
        const TndMergePythonWish *wish = &g_array_index(merge->python_wishes, TndMergePythonWish, i);
        gboolean is_new = !before || before->line != wish->line || strcmp(before->pattern, wish->pattern) != 0;
        before = wish;
        if (is_new && !wish->is_met && !meets_any(merge, wish->pattern) && n_unmet++ < MAX_UNMET)
            g_string_append_printf(unmet, "%s'%s' (line %u of the list)", unmet->len ? ", " : "", wish->pattern,
                                   wish->line);
    }
    if (n_unmet > MAX_UNMET)
        g_string_append_printf(unmet, ", or of %u further names", n_unmet - MAX_UNMET);
    if (n_unmet) {
        merge->result->about_python = g_strdup_printf("python: nothing was called that is %s", unmet->str);
        tnd_merge_note(merge, "%s", merge->result->about_python);
    }
    g_string_free(unmet, TRUE);
}

static void note_short(TndMerge *merge)
{
    gboolean *is_short = g_new0(gboolean, merge->python_names->len + 1);
    guint n_short = 0;
    for (guint i = 0; i < merge->processes->len; i++) {
        const TndMergeProcess *process = merge->processes->pdata[i];
        for (guint k = 0; k < process->python_short->len; k++) {
            guint32 value = tnd_merge_python_value(merge, process, g_array_index(process->python_short, guint32, k));
            n_short += !is_short[value];
            is_short[value] = TRUE;
        }
    }
    g_free(is_short);
    if (!n_short)
        return;
    g_free(merge->result->about_python);
    merge->result->about_python = g_strdup_printf(
        "python: %u function%s turned out too short to be worth recording, and %s " TND_FACT_NOTE_NO_FURTHER
        "; `tandem stat --python-functions` lists the others, for --python",
        n_short, n_short == 1 ? "" : "s", n_short == 1 ? "was" : "were");
    tnd_merge_note(merge, "%s", merge->result->about_python);
}

/* If a process could not record its interpreter, the note about that is told at the end, as the reason why there are
 * no functions. */
static void note_unknown_interpreter(TndMerge *merge)
{
    const GPtrArray *notes = merge->result->notes;
    for (guint i = 0; i < notes->len && !merge->result->about_python; i++)
        if (g_str_has_prefix(notes->pdata[i], "python: functions of this interpreter "))
            merge->result->about_python = g_strdup(notes->pdata[i]);
}

void tnd_merge_python_run(TndMerge *merge)
{
    g_ptr_array_add(merge->python_names, (gpointer)TND_MERGE_PYTHON_OTHERS);
    merge->python_sums = g_new0(TndMergeFunctionSum, merge->python_names->len + 1);
    note_unmet_wishes(merge);
    note_short(merge);
    note_unknown_interpreter(merge);
}
