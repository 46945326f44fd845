/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows are searched on all cores.  Whenever enough hits came together, they are sorted and the latest dropped; from
 * then on, rows stop at the time of the last hit that is kept, and only count what comes later.
 */
#include "viewer/find.h"

#include "analysis/bursts/burst_walk.h"
#include "analysis/trace/bounds.h"
#include "analysis/trace/row_choice.h"

#include <gio/gio.h>
#include <math.h>
#include <string.h>

struct TndFind {
    TndView *view;
    char *text;
    char *words; /* folded to lower case; NULL: any value */
    TndBounds duration, value;
    gboolean *rows; /* [row] */
    guint n_rows;
};

typedef struct {
    const TndFind *find;
    GMutex mutex; /* protects what follows */
    GArray *hits;
    guint64 n_all;
    guint64 until_ns; /* later hits need not be kept */
} Search;

static gboolean complain(GError **error, const char *word, const char *takes)
{
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "got '%s', takes %s", word, takes);
    return FALSE;
}

/* Chooses rows of the view among those that are searched. */
static gboolean choose_rows(TndFind *find, const char *text, GError **error)
{
    const TndTrace *trace = tnd_view_trace(find->view);
    const TndLevel level = tnd_view_level(find->view);
    gboolean *threads = tnd_row_choice_of_trace(trace, text, error);
    gboolean *rows = threads ? tnd_levels_lift(trace, threads, level) : NULL;
    const gboolean is_good = rows != NULL;
    if (threads && !rows)
        complain(error, text, "no rows, because those of the view are CPUs");
    for (guint row = 0; is_good && row < find->n_rows; row++)
        find->rows[row] &= rows[row];
    g_free(rows);
    g_free(threads);
    return is_good;
}

/* The view that a query is about: that of in:, or of line:, or the selected one. */
static TndView *find_view(TndView *selected, char *const *words, GError **error)
{
    const TndTrace *trace = tnd_view_trace(selected);
    const char *name = NULL;
    for (guint i = 0; words[i]; i++)
        if (g_str_has_prefix(words[i], "in:"))
            name = words[i] + 3;
        else if (g_str_has_prefix(words[i], "line:") && !name)
            name = "call-sites";
    if (!name || !strcmp(name, tnd_view_rule(selected)->name))
        return tnd_view_share(selected);
    TndView *view = tnd_view_new(trace, name, error);
    double least, most;
    if (view && !tnd_view_range(view, 0, G_MAXUINT64, &least, &most)) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "the view %s has nothing to show in this trace%s",
                    name, strcmp(name, "call-sites") ? "" : ": record with --callers");
        g_clear_pointer(&view, tnd_view_free);
    }
    return view;
}

static gboolean parse_word(TndFind *find, const char *word, GString *text, GError **error)
{
    if (strchr("<>", *word))
        return tnd_bounds_parse(&find->duration, word, TND_BOUNDS_TIME) ||
               complain(error, word, "a duration, as >1ms or <20us");
    if (g_str_has_prefix(word, "value") && word[5] && strchr("<>=", word[5]))
        return tnd_bounds_parse(&find->value, word + 5, TND_BOUNDS_PLAIN | TND_BOUNDS_TIME) ||
               complain(error, word, "a number, as value>5");
    if (g_str_has_prefix(word, "rank:"))
        return choose_rows(find, word, error);
    if (g_str_has_prefix(word, "row:"))
        return choose_rows(find, word + 4, error);
    if (g_str_has_prefix(word, "in:"))
        return TRUE;
    if (g_str_has_prefix(word, "line:"))
        word += 5;
    g_string_append_printf(text, "%s%s", text->len ? " " : "", word);
    return TRUE;
}

static void list_rows(TndFind *find, const TndRowOrder *order)
{
    find->n_rows = tnd_view_n_rows(find->view);
    find->rows = g_new(gboolean, find->n_rows);
    const gboolean is_of_it = order && order->n_all == find->n_rows;
    for (guint row = 0; row < find->n_rows; row++)
        find->rows[row] = !is_of_it || order->position[row] != G_MAXUINT;
}

TndFind *tnd_find_new(TndView *view, const TndRowOrder *order, const char *text, GError **error)
{
    char *whole = g_strstrip(g_strdup(text)), **words = g_strsplit_set(whole, " \t", -1);
    TndFind *find = g_new0(TndFind, 1);
    GString *label = g_string_new(NULL);
    find->duration = find->value = TND_BOUNDS_NONE;
    gboolean is_good = *whole != '\0' || complain(error, "", TND_FIND_TAKES);
    find->view = is_good ? find_view(view, words, error) : NULL;
    is_good = find->view != NULL;
    if (is_good)
        list_rows(find, order);
    for (guint i = 0; is_good && words[i]; i++)
        is_good = !*words[i] || parse_word(find, words[i], label, error);
    find->words = label->len ? g_utf8_casefold(label->str, -1) : NULL;
    find->text = whole;
    g_string_free(label, TRUE);
    g_strfreev(words);
    if (!is_good)
        g_clear_pointer(&find, tnd_find_free);
    return find;
}

void tnd_find_free(TndFind *find)
{
    if (find->view)
        tnd_view_free(find->view);
    g_free(find->text);
    g_free(find->words);
    g_free(find->rows);
    g_free(find);
}

/* Whether the text of a value has the words.  known: answers of before, by the bits of the value. */
static gboolean is_called(const TndFind *find, double value, GHashTable *known)
{
    gpointer answer;
    gint64 bits;
    if (!find->words)
        return value != 0 || tnd_bounds_are_set(&find->value) || tnd_view_rule(find->view)->are_states;
    memcpy(&bits, &value, sizeof bits);
    if (g_hash_table_lookup_extended(known, &bits, NULL, &answer))
        return GPOINTER_TO_INT(answer);
    char *text = tnd_view_value_text(find->view, value), *folded = g_utf8_casefold(text, -1);
    const gboolean is = strstr(folded, find->words) != NULL;
    g_hash_table_insert(known, g_memdup2(&bits, sizeof bits), GINT_TO_POINTER(is));
    g_free(folded);
    g_free(text);
    return is;
}

static gint by_time(gconstpointer a, gconstpointer b)
{
    const TndFindHit *hit = a, *other = b;
    if (hit->begin_ns != other->begin_ns)
        return hit->begin_ns < other->begin_ns ? -1 : 1;
    return hit->row < other->row ? -1 : hit->row > other->row;
}

static void keep_earliest(Search *search)
{
    g_array_sort(search->hits, by_time);
    if (search->hits->len <= TND_FIND_MOST)
        return;
    g_array_set_size(search->hits, TND_FIND_MOST);
    search->until_ns = g_array_index(search->hits, TndFindHit, TND_FIND_MOST - 1).begin_ns;
}

static void search_row(guint row, gpointer data)
{
    Search *search = data;
    const TndFind *find = search->find;
    if (!find->rows[row])
        return;
    GArray *hits = g_array_new(FALSE, FALSE, sizeof(TndFindHit));
    GHashTable *known = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    TndBurstWalk walk = tnd_burst_walk_start(tnd_view_row(find->view, row), 0);
    g_mutex_lock(&search->mutex);
    const guint64 until_ns = search->until_ns;
    g_mutex_unlock(&search->mutex);
    guint64 n_all = 0;
    for (; walk.at; tnd_burst_walk_next(&walk)) {
        const TndFindHit hit = {row, walk.at->begin_ns, walk.at->end_ns, walk.at->value};
        if (!tnd_bounds_hold(&find->duration, (double)(hit.end_ns - hit.begin_ns)) ||
            !tnd_bounds_hold(&find->value, hit.value) || !is_called(find, hit.value, known))
            continue;
        n_all++;
        if (hit.begin_ns <= until_ns && hits->len <= TND_FIND_MOST)
            g_array_append_val(hits, hit);
    }
    tnd_burst_walk_end(&walk);
    g_hash_table_unref(known);
    g_mutex_lock(&search->mutex);
    g_array_append_vals(search->hits, hits->data, hits->len);
    search->n_all += n_all;
    if (search->hits->len > 4 * TND_FIND_MOST)
        keep_earliest(search);
    g_mutex_unlock(&search->mutex);
    g_array_unref(hits);
}

TndFindHits *tnd_find_run(const TndFind *find, TndTraceProgress progress, gpointer data)
{
    Search search = {.find = find, .hits = g_array_new(FALSE, FALSE, sizeof(TndFindHit)), .until_ns = G_MAXUINT64};
    TndCoresProgress *told = progress ? tnd_cores_progress_new(progress, data, find->n_rows) : NULL;
    TndFindHits *found = NULL;
    g_mutex_init(&search.mutex);
    const gboolean is_done = tnd_cores_run_with_progress(told, find->n_rows, search_row, &search);
    if (told)
        tnd_cores_progress_free(told);
    g_mutex_clear(&search.mutex);
    if (is_done) {
        keep_earliest(&search);
        found = g_new(TndFindHits, 1);
        *found = (TndFindHits){tnd_view_share(find->view), g_strdup(find->text), search.hits, search.n_all};
    } else {
        g_array_unref(search.hits);
    }
    return found;
}

void tnd_find_free_hits(TndFindHits *hits)
{
    if (!hits)
        return;
    tnd_view_free(hits->view);
    g_array_unref(hits->hits);
    g_free(hits->text);
    g_free(hits);
}
