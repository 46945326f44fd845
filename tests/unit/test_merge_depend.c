/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Who waits for whom: the rules one by one, then random siblings against the rules taken literally, each against all
 * earlier ones.
 */
#include "analysis/merge/match/merge_depend.h"

#include <string.h>

#define N_SIBLINGS_MAX 40

/* Siblings as text: "out:a in:ab | all" are two, a letter is an address; what the second and later ones wait for. */
typedef struct {
    const char *siblings, *edges;
} Rule;

static const Rule rules[] = {
    {"out:a|out:a|out:a", "1<2 2<3"},
    {"out:a|in:a|in:a|out:a", "1<2 1<3 2<4 3<4"},
    {"in:a|in:a", ""},
    {"out:a|out:b|in:ab", "1<3 2<3"},
    {"out:ab|in:ab", "1<2"}, /* one line, however many addresses */
    {"mutex:a|mutex:a|in:a", "1<3 2<3"},
    {"out:a|mutex:a|mutex:a|out:a", "1<2 1<3 2<4 3<4"},
    {"set:a|set:a|mutex:a|set:a", "1<3 2<3 3<4"},
    {"in:a|set:a|in:a", "1<2 2<3"},
    {"in:a out:a|in:a", "1<2"}, /* not for itself */
    {"in:a|in:a out:a|in:a", "1<2 2<3"},
    {"in:a|mutex:a in:a|in:a", "1<2 2<3"}, /* of two kinds: as if it wrote */
    {"out:a|in:a set:a|set:a", "1<2 2<3"},
    {"out:a|out:b|in:a|all|in:a|out:c|all", "1<3 2<4 3<4 4<5 4<6 5<7 6<7"},
    {"all|all", "1<2"},
    {"in:a all|out:a", "1<2"},
    {"all in:a|all", "1<2"},
};

static enum tnd_task_depend read_kind(const char *word)
{
    static const char *const names[] = {"in", "out", "mutex", "set", "all"};
    for (guint i = 0; i < G_N_ELEMENTS(names); i++)
        if (g_str_has_prefix(word, names[i]) && strchr(":", word[strlen(names[i])]))
            return (enum tnd_task_depend)(TND_DEPEND_IN + i);
    g_assert_not_reached();
}

static void read_sibling(const char *text, GArray *words)
{
    char **clauses = g_strsplit(text, " ", -1);
    g_array_set_size(words, 0);
    for (char **clause = clauses; *clause; clause++) {
        guint64 kind = read_kind(*clause), word = kind;
        if (kind == TND_DEPEND_ALL)
            g_array_append_val(words, word);
        for (const char *letter = strchr(*clause, ':'); letter && *++letter;) {
            word = (guint64)*letter << 4 | kind;
            g_array_append_val(words, word);
        }
    }
    g_strfreev(clauses);
}

static gint compare_numbers(gconstpointer a, gconstpointer b)
{
    const TndMergeOmpTask *const *x = a, *const *y = b;
    return (gint)(*x)->number - (gint)(*y)->number;
}

static void test_rule(gconstpointer data)
{
    const Rule *rule = data;
    char **siblings = g_strsplit(rule->siblings, "|", -1);
    GArray *words = g_array_new(FALSE, FALSE, sizeof(guint64));
    GString *edges = g_string_new(NULL);
    TndMergeOmpTask *creator = tnd_merge_depend_new(100);
    for (guint i = 0; siblings[i]; i++) {
        TndMergeOmpTask *task = tnd_merge_depend_new(i + 1);
        read_sibling(siblings[i], words);
        tnd_merge_depend_add(creator, task, (const guint64 *)(gpointer)words->data, words->len);
        if (task->predecessors)
            g_ptr_array_sort(task->predecessors, compare_numbers);
        for (guint k = 0; task->predecessors && k < task->predecessors->len; k++)
            g_string_append_printf(edges, "%s%u<%u", edges->len ? " " : "",
                                   ((TndMergeOmpTask *)task->predecessors->pdata[k])->number, i + 1);
        tnd_merge_depend_release(task);
    }
    g_assert_cmpstr(edges->str, ==, rule->edges);
    tnd_merge_depend_release(creator);
    g_string_free(edges, TRUE);
    g_array_unref(words);
    g_strfreev(siblings);
}

static gboolean kinds_conflict(guint64 a, guint64 b)
{
    guint64 kind_a = a & 15, kind_b = b & 15;
    if (kind_a == TND_DEPEND_ALL || kind_b == TND_DEPEND_ALL)
        return TRUE;
    return a >> 4 == b >> 4 && (kind_a != kind_b || kind_a == TND_DEPEND_OUT);
}

static gboolean conflict(const GArray *a, const GArray *b)
{
    for (guint i = 0; i < a->len; i++)
        for (guint k = 0; k < b->len; k++)
            if (kinds_conflict(g_array_index(a, guint64, i), g_array_index(b, guint64, k)))
                return TRUE;
    return FALSE;
}

/* Whether i is before j, perhaps by others. */
typedef struct {
    gboolean is_before[N_SIBLINGS_MAX][N_SIBLINGS_MAX];
} Order;

static void add_before(Order *order, guint before, guint task)
{
    order->is_before[before][task] = TRUE;
    for (guint i = 0; i < before; i++)
        order->is_before[i][task] |= order->is_before[i][before];
}

static GArray *random_words(GRand *random, guint n_addresses)
{
    GArray *words = g_array_new(FALSE, FALSE, sizeof(guint64));
    for (gint n = g_rand_int_range(random, 1, 5); n > 0; n--) {
        guint64 kind = g_rand_int_range(random, 0, 30) == 0 ? TND_DEPEND_ALL : g_rand_int_range(random, 1, 5);
        guint64 address = (guint64)g_rand_int_range(random, 0, (gint)n_addresses) * 8 + 0x7f0000001000;
        guint64 word = kind == TND_DEPEND_ALL ? kind : address << 4 | kind;
        g_array_append_val(words, word);
    }
    return words;
}

/* The words in two records at times, as of tasks with very many. */
static void add_in_pieces(GRand *random, TndMergeOmpTask *creator, TndMergeOmpTask *task, const GArray *words)
{
    guint n_first = (guint)g_rand_int_range(random, 0, (gint)words->len + 1);
    const guint64 *first = (const guint64 *)(gconstpointer)words->data;
    tnd_merge_depend_add(creator, task, first, n_first);
    tnd_merge_depend_add(creator, task, first + n_first, words->len - n_first);
}

static void check_siblings(GRand *random)
{
    guint n = (guint)g_rand_int_range(random, 2, N_SIBLINGS_MAX), n_addresses = (guint)g_rand_int_range(random, 1, 8);
    GArray *words[N_SIBLINGS_MAX];
    TndMergeOmpTask *creator = tnd_merge_depend_new(G_MAXUINT32);
    Order literal = {0}, found = {0};
    for (guint j = 0; j < n; j++) {
        TndMergeOmpTask *task = tnd_merge_depend_new(j + 1);
        words[j] = random_words(random, n_addresses);
        add_in_pieces(random, creator, task, words[j]);
        for (guint i = 0; i < j; i++)
            if (conflict(words[i], words[j]))
                add_before(&literal, i, j);
        gboolean is_named[N_SIBLINGS_MAX] = {FALSE};
        for (guint k = 0; task->predecessors && k < task->predecessors->len; k++) {
            guint i = ((TndMergeOmpTask *)task->predecessors->pdata[k])->number - 1;
            g_assert_cmpuint(i, <, j);
            g_assert_false(is_named[i]);
            is_named[i] = TRUE;
            g_assert_true(conflict(words[i], words[j]));
            add_before(&found, i, j);
        }
        tnd_merge_depend_release(task);
    }
    g_assert_cmpmem(&found, sizeof found, &literal, sizeof literal);
    for (guint j = 0; j < n; j++)
        g_array_unref(words[j]);
    tnd_merge_depend_release(creator);
}

static void test_random(void)
{
    for (guint32 seed = 1; seed <= 3000; seed++) {
        GRand *random = g_rand_new_with_seed(seed);
        check_siblings(random);
        g_rand_free(random);
    }
}

/* Children of one do not wait for those of another, nor for what was before their creator closed. */
static void test_other_creators(void)
{
    const guint64 word = 0x1000 << 4 | TND_DEPEND_OUT;
    TndMergeOmpTask *creators[2] = {tnd_merge_depend_new(1), tnd_merge_depend_new(2)}, *tasks[3];
    for (guint i = 0; i < 3; i++) {
        tasks[i] = tnd_merge_depend_new(10 + i);
        tnd_merge_depend_add(creators[i == 1], tasks[i], &word, 1);
        tnd_merge_depend_close(creators[0]);
        g_assert_null(tasks[i]->predecessors);
    }
    for (guint i = 0; i < 3; i++)
        tnd_merge_depend_release(tasks[i]);
    tnd_merge_depend_release(creators[0]);
    tnd_merge_depend_release(creators[1]);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (guint i = 0; i < G_N_ELEMENTS(rules); i++) {
        char *path = g_strdup_printf("/merge_depend/rule/%u", i);
        g_test_add_data_func(path, &rules[i], test_rule);
        g_free(path);
    }
    g_test_add_func("/merge_depend/random", test_random);
    g_test_add_func("/merge_depend/other_creators", test_other_creators);
    return g_test_run();
}
