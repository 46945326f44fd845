/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading the ledger of a run's directories: a list of names for each kind.
 */
#include "analysis/merge/merge_missed.h"

#include "analysis/merge/base/merge_note.h"
#include "formats/fact.h"
#include "run/missed.h"

#define MAX_NAMES 8 /* that are told; of more, only how many */

static gint by_name(gconstpointer a, gconstpointer b)
{
    return g_strcmp0(*(const char *const *)a, *(const char *const *)b);
}

/* Adds what a run directory has of the ledger. */
static void read_ledger(const char *directory, GPtrArray *names[TND_MISSED_KINDS])
{
    GDir *dir = g_dir_open(directory, 0, NULL);
    const char *file, *program;
    enum tnd_missed kind;
    while (dir && (file = g_dir_read_name(dir)))
        if ((program = tnd_missed_program(file, &kind)) &&
            !g_ptr_array_find_with_equal_func(names[kind], program, g_str_equal, NULL))
            g_ptr_array_add(names[kind], g_strdup(program));
    if (dir)
        g_dir_close(dir);
}

static void tell(TndMerge *merge, enum tnd_missed kind, GPtrArray *names)
{
    GString *list = g_string_new(NULL);
    g_ptr_array_sort(names, by_name);
    for (guint i = 0; i < names->len && i < MAX_NAMES; i++) {
        char *name = g_utf8_make_valid(names->pdata[i], -1);
        g_string_append_printf(list, "%s%s", i ? ", " : "", name);
        g_free(name);
    }
    if (names->len > MAX_NAMES)
        g_string_append_printf(list, " and %u more", names->len - MAX_NAMES);
    tnd_merge_note(merge, TND_FACT_NOTE_MISSED "%s: %s (%s)", list->str, tnd_missed_reason(kind),
                   tnd_missed_cure(kind));
    g_string_free(list, TRUE);
}

void tnd_merge_missed_tell(TndMerge *merge)
{
    GPtrArray *names[TND_MISSED_KINDS];
    for (int kind = 0; kind < TND_MISSED_KINDS; kind++)
        names[kind] = g_ptr_array_new_with_free_func(g_free);
    read_ledger(merge->options->run_directory, names);
    for (const char *const *other = merge->options->others; other && *other; other++)
        read_ledger(*other, names);
    for (int kind = 0; kind < TND_MISSED_KINDS; kind++) {
        if (names[kind]->len)
            tell(merge, (enum tnd_missed)kind, names[kind]);
        g_ptr_array_unref(names[kind]);
    }
}
