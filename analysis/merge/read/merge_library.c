/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names of functions of wrapped libraries, and notes for the user.
 */
#include "analysis/merge/read/merge_library.h"
#include "analysis/merge/base/merge_note.h"
#include "analysis/merge/read/merge_names.h"
#include "analysis/merge/read/symbols.h"

#include <string.h>

/* As the recorder says it. */
enum { ABSENT = 0, LOADED = 1, WRAPPED = 2 };

char *tnd_merge_library_name(const char *text)
{
    char *symbol = g_strndup(text, strcspn(text, TND_MERGE_MORE));
    char *plain = tnd_symbols_demangle(symbol);
    char *name = g_strconcat(plain ? plain : symbol, text + strlen(symbol), NULL);
    g_free(plain);
    g_free(symbol);
    return name;
}

static const char *file_of(const char *name)
{
    const char *more = strstr(name, TND_MERGE_MORE);
    return more ? more + strlen(TND_MERGE_MORE) : "";
}

static int compare_texts(gconstpointer a, gconstpointer b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void list_files(TndMerge *merge)
{
    const GPtrArray *names = merge->library_names;
    GHashTable *places = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < names->len; i++)
        if (g_hash_table_add(places, (gpointer)file_of(names->pdata[i])))
            g_ptr_array_add(merge->library_files, (gpointer)file_of(names->pdata[i]));
    g_ptr_array_sort(merge->library_files, compare_texts);
    for (guint i = 0; i < merge->library_files->len; i++)
        g_hash_table_insert(places, merge->library_files->pdata[i], GUINT_TO_POINTER(i + 1));
    merge->library_file_of = g_new0(guint32, names->len + 1);
    for (guint i = 0; i < names->len; i++)
        merge->library_file_of[i + 1] = GPOINTER_TO_UINT(g_hash_table_lookup(places, file_of(names->pdata[i])));
    g_hash_table_unref(places);
}

static int compare_wishes(gconstpointer a, gconstpointer b)
{
    const TndMergeLibraryWish *x = a, *y = b;
    int order = (x->number > y->number) - (x->number < y->number);
    if (!order)
        order = strcmp(x->pattern, y->pattern);
    return order ? order : (y->state > x->state) - (y->state < x->state); /* what went furthest comes first */
}

/* Appends the patterns that went only so far. */
static void list_wishes(const TndMerge *merge, guint32 state, GString *text)
{
    const TndMergeLibraryWish *before = NULL;
    for (guint i = 0; i < merge->library_wishes->len; i++) {
        const TndMergeLibraryWish *wish = &g_array_index(merge->library_wishes, TndMergeLibraryWish, i);
        gboolean is_new = !before || before->number != wish->number || strcmp(before->pattern, wish->pattern) != 0;
        before = wish;
        if (is_new && wish->state == state)
            g_string_append_printf(text, "%s'%s'", text->len ? ", " : "", wish->pattern);
    }
}

static void add_sentence(GString *about, const TndMerge *merge, guint32 state, const char *before, const char *after)
{
    GString *list = g_string_new(NULL);
    list_wishes(merge, state, list);
    if (list->len)
        g_string_append_printf(about, "%s%s%s%s", about->len ? "; " : "", before, list->str, after);
    g_string_free(list, TRUE);
}

void tnd_merge_library_run(TndMerge *merge)
{
    list_files(merge);
    merge->library_sums = g_new0(TndMergeFunctionSum, merge->library_names->len + 1);
    g_array_sort(merge->library_wishes, compare_wishes);
    GString *about = g_string_new(NULL);
    add_sentence(about, merge, ABSENT, "nothing was loaded that is ", "");
    add_sentence(about, merge, LOADED, "no other file calls functions that were asked for of ", "");
    if (about->len) {
        merge->result->about_library = g_strdup_printf("library: %s", about->str);
        tnd_merge_note(merge, "%s", merge->result->about_library);
    }
    g_string_free(about, TRUE);
}

void tnd_merge_library_tell_counted(TndMerge *merge)
{
    guint64 n = 0, n_functions = 0;
    for (guint i = 1; i <= merge->library_names->len; i++) {
        n += merge->library_sums[i].n_counted;
        n_functions += merge->library_sums[i].n_counted != 0;
    }
    if (!n)
        return;
    char *before = merge->result->about_library;
    char *sentence = g_strdup_printf("%" G_GUINT64_FORMAT " short calls of %" G_GUINT64_FORMAT
                                     " function%s were counted instead of recorded (--library-short all records them)",
                                     n, n_functions, n_functions == 1 ? "" : "s");
    tnd_merge_note(merge, "library: %s", sentence);
    merge->result->about_library = g_strconcat(before ? before : "library: ", before ? "; " : "", sentence, NULL);
    g_free(before);
    g_free(sentence);
}
