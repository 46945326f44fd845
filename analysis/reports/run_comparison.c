/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Joins the lists of runs by name, tests the numbers, and says what could not be compared.
 */
#include "analysis/reports/run_comparison.h"

#include "analysis/base/quantity.h"

#include <math.h>
#include <string.h>

/* The runs of both sides, those before first. */
typedef struct {
    TndRunFigures **all;
    guint n, n_before, n_after;
    const TndComparisonOptions *options;
} Runs;

static gboolean has_single(const Runs *runs)
{
    return runs->n_before == 1 || runs->n_after == 1;
}

/* A number in all runs, while it is collected. */
typedef struct {
    TndFigureKind kind;
    char *name;
    TndMeasured *measured; /* of each run */
} Number;

static void clear_number(gpointer number)
{
    g_free(((Number *)number)->name);
    g_free(((Number *)number)->measured);
}

static Number *get_number(GArray *numbers, GHashTable *places, const TndFigure *figure, const Runs *runs)
{
    gpointer at;
    if (!g_hash_table_lookup_extended(places, figure->name, NULL, &at)) {
        Number number = {figure->kind, g_strdup(figure->name), g_new(TndMeasured, runs->n)};
        for (guint i = 0; i < runs->n; i++)
            number.measured[i] = tnd_run_figures_none(runs->all[i], figure->kind);
        at = GUINT_TO_POINTER(numbers->len);
        g_hash_table_insert(places, number.name, at);
        g_array_append_val(numbers, number);
    }
    return &g_array_index(numbers, Number, GPOINTER_TO_UINT(at));
}

static GArray *collect(const Runs *runs)
{
    GArray *numbers = g_array_new(FALSE, FALSE, sizeof(Number));
    GHashTable *places = g_hash_table_new(g_str_hash, g_str_equal);
    g_array_set_clear_func(numbers, clear_number);
    for (guint run = 0; run < runs->n; run++)
        for (guint i = 0; i < runs->all[run]->figures->len; i++) {
            const TndFigure *figure = &g_array_index(runs->all[run]->figures, TndFigure, i);
            get_number(numbers, places, figure, runs)->measured[run] = figure->measured;
        }
    g_hash_table_unref(places);
    return numbers;
}

static gboolean is_of_rank(TndFigureKind kind)
{
    return kind >= TND_FIGURE_RANK_ELAPSED && kind <= TND_FIGURE_RANK_JOULES;
}

/* How often these are called depends on how long the program waits. */
static gboolean is_poll(const char *name)
{
    static const char *const polls[] = {"calls:MPI_Test",   "calls:MPI_Waitany", "calls:MPI_Waitsome",
                                        "calls:MPI_Iprobe", "calls:MPI_Improbe", "calls:MPI_Request_get_status"};
    for (guint i = 0; i < G_N_ELEMENTS(polls); i++)
        if (g_str_has_prefix(name, polls[i]))
            return TRUE;
    return FALSE;
}

static double largest(const Runs *runs, gsize offset)
{
    double most = 0;
    for (guint i = 0; i < runs->n; i++)
        most = MAX(most, G_STRUCT_MEMBER(double, runs->all[i], offset));
    return most;
}

#define LARGEST(runs, member) largest(runs, G_STRUCT_OFFSET(TndRunFigures, member))

/* What one run of a side leaves open.  Who shares a CPU also computes more slowly.  All that threads lacked may have
 * made a wait longer, which may be short. */
static double slack_of(const Runs *runs, const Number *number, double larger)
{
    const TndFigureInfo *info = &tnd_figure_infos[number->kind];
    const gboolean is_one = is_of_rank(number->kind) || number->kind == TND_FIGURE_ELAPSED;
    double slack = runs->options->threshold * larger;
    if (info->nature == TND_FIGURE_COUNTED)
        return is_poll(number->name) ? INFINITY : slack;
    if (info->nature == TND_FIGURE_COMPUTED)
        return slack + LARGEST(runs, preempted) * larger;
    if (info->nature == TND_FIGURE_DIVIDED || strcmp(info->unit, "ns") != 0)
        return slack + LARGEST(runs, lacked) * larger;
    return slack + LARGEST(runs, lacked_ns) / (is_one ? MAX(runs->all[0]->n_ranks, 1) : 1);
}

/* Whether a number is worth a test: it varies, and is no small part of the threads' time. */
static gboolean is_tested(const Runs *runs, const Number *number, const TndDifference *difference)
{
    const TndFigureInfo *info = &tnd_figure_infos[number->kind];
    gboolean varies = FALSE;
    double all = 0;
    for (guint i = 0; i < runs->n; i++) {
        varies |= number->measured[i].value != number->measured[0].value;
        all += strcmp(info->unit, "%") == 0 ? 100 : runs->all[i]->threads_ns;
    }
    return varies &&
           (!info->is_part || MAX(difference->before, difference->after) >= runs->options->least * all / runs->n);
}

static TndDifference difference_of(const Runs *runs, const Number *number)
{
    const TndMeasured *after = number->measured + runs->n_before;
    double of_before = 0, of_after = 0;
    for (guint i = 0; i < runs->n_before; i++)
        of_before += number->measured[i].value / runs->n_before;
    for (guint i = 0; i < runs->n_after; i++)
        of_after += after[i].value / runs->n_after;
    double slack = slack_of(runs, number, MAX(fabs(of_before), fabs(of_after)));
    return tnd_difference_of(number->measured, runs->n_before, after, runs->n_after, slack);
}

static void clear_line(gpointer line)
{
    g_free(((TndComparedLine *)line)->name);
}

static gboolean is_known(const Runs *runs, const Number *number)
{
    for (guint i = 0; i < runs->n; i++)
        if (isnan(number->measured[i].value) || (runs->all[i]->drops_calls && number->kind == TND_FIGURE_PYTHON_CALLS))
            return FALSE;
    return TRUE;
}

static void compare_numbers(TndRunComparison *comparison, const Runs *runs, GArray *numbers)
{
    for (guint i = 0; i < numbers->len; i++) {
        Number *number = &g_array_index(numbers, Number, i);
        if (!is_known(runs, number))
            continue;
        TndComparedLine line = {.kind = number->kind, .name = g_strdup(number->name)};
        line.difference = difference_of(runs, number);
        line.chance = tnd_difference_chance(&line.difference);
        line.is_tested = is_tested(runs, number, &line.difference);
        g_array_append_val(comparison->lines, line);
    }
}

/* Those that changed first, then the largest difference; of equal ones by name. */
static int compare_lines(gconstpointer a, gconstpointer b)
{
    const TndComparedLine *x = a, *y = b;
    double of_x = fabs(tnd_run_comparison_change(x)), of_y = fabs(tnd_run_comparison_change(y));
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->is_changed != y->is_changed)
        return x->is_changed ? -1 : 1;
    if (of_x != of_y)
        return of_x > of_y ? -1 : 1;
    return strcmp(x->name, y->name);
}

static void judge(TndRunComparison *comparison, const TndComparisonOptions *options)
{
    GArray *lines = comparison->lines;
    double *chances = g_new(double, lines->len + 1);
    for (guint i = 0; i < lines->len; i++)
        if (g_array_index(lines, TndComparedLine, i).is_tested)
            chances[comparison->n_tested++] = g_array_index(lines, TndComparedLine, i).chance;
    double level = tnd_difference_level(chances, comparison->n_tested, options->wrong);
    for (guint i = 0; i < lines->len; i++) {
        TndComparedLine *line = &g_array_index(lines, TndComparedLine, i);
        line->sure = tnd_difference_sure(&line->difference, level);
        line->is_changed = line->is_tested && line->chance <= level;
        comparison->n_changed += line->is_changed;
    }
    g_array_sort(lines, compare_lines);
    g_free(chances);
}

/* "4" or, if the runs of a side differ, "4 to 8". */
static char *range_text(TndRunFigures *const *runs, guint n, gsize offset)
{
    guint least = G_MAXUINT, most = 0;
    for (guint i = 0; i < n; i++) {
        guint number = G_STRUCT_MEMBER(guint, runs[i], offset);
        least = MIN(least, number);
        most = MAX(most, number);
    }
    return least == most ? g_strdup_printf("%u", least) : g_strdup_printf("%u to %u", least, most);
}

static void note_sizes(GPtrArray *notes, const Runs *runs)
{
    static const struct {
        const char *title, *what;
        gsize offset;
    } sizes[] = {
        {"Processes", "Numbers of the whole run are compared as they are, and of ranks those that all runs have.",
         G_STRUCT_OFFSET(TndRunFigures, n_ranks)},
        {"Threads", "Numbers are compared as they are.", G_STRUCT_OFFSET(TndRunFigures, n_threads)},
    };
    for (guint i = 0; i < G_N_ELEMENTS(sizes); i++) {
        char *before = range_text(runs->all, runs->n_before, sizes[i].offset);
        char *after = range_text(runs->all + runs->n_before, runs->n_after, sizes[i].offset);
        gboolean differ = strcmp(before, after) != 0 || strchr(before, ' ');
        if (differ)
            g_ptr_array_add(
                notes, g_strdup_printf("%s: %s before, %s after. %s", sizes[i].title, before, after, sizes[i].what));
        g_free(before);
        g_free(after);
        if (differ)
            return;
    }
}

static void note_periods(GPtrArray *notes, const Runs *runs)
{
    double least = INFINITY, most = 0;
    for (guint i = 0; i < runs->n; i++) {
        least = MIN(least, runs->all[i]->period_ns);
        most = MAX(most, runs->all[i]->period_ns);
    }
    if (least == most || least <= 0)
        return;
    char *shortest = tnd_quantity_text(least, "ns"), *longest = tnd_quantity_text(most, "ns");
    g_ptr_array_add(notes, g_strdup_printf("Sampling periods differ, %s to %s: times of functions are compared all the "
                                           "same, as each sample stands for the CPU time since the one before.",
                                           shortest, longest));
    g_free(shortest);
    g_free(longest);
}

/* The run that lacks a kind which another one has; NULL: none does. */
static const TndRunFigures *lacking(const Runs *runs, TndFigureKind kind)
{
    const TndRunFigures *without = NULL;
    gboolean has = FALSE;
    for (guint i = 0; i < runs->n; i++) {
        gboolean is_there = runs->all[i]->has >> kind & 1;
        has |= is_there;
        if (!is_there && !without)
            without = runs->all[i];
    }
    return has ? without : NULL;
}

static void note_lacks(GPtrArray *notes, const Runs *runs)
{
    for (guint run = 0; run < runs->n; run++) {
        GString *kinds = g_string_new(NULL);
        for (TndFigureKind kind = 0; kind < TND_FIGURE_N; kind++)
            if (lacking(runs, kind) == runs->all[run])
                g_string_append_printf(kinds, "%s%s", kinds->len ? ", " : "", tnd_figure_infos[kind].name);
        if (kinds->len)
            g_ptr_array_add(
                notes, g_strdup_printf("Not compared, because %s has none: %s.", runs->all[run]->path, kinds->str));
        g_string_free(kinds, TRUE);
    }
}

static char *percent_text(double share)
{
    return tnd_quantity_text(100 * share, "%");
}

static void note_several(TndRunComparison *comparison, const Runs *runs, const char *sure)
{
    g_ptr_array_add(
        comparison->notes,
        g_strdup_printf("%u and %u runs, compared by %s t; if nothing had changed, this table would be empty "
                        "with a probability of %s (Benjamini and Hochberg, for %u numbers).",
                        runs->n_before, runs->n_after, has_single(runs) ? "Student's" : "Welch's", sure,
                        comparison->n_tested));
}

static void note_single(TndRunComparison *comparison, const Runs *runs, const char *sure)
{
    const double threshold = runs->options->threshold, preempted = LARGEST(runs, preempted);
    char *from = percent_text(threshold), *computed = percent_text(threshold + preempted);
    char *divided = percent_text(threshold + LARGEST(runs, lacked));
    char *shared = percent_text(preempted), *lacked = tnd_quantity_text(LARGEST(runs, lacked_ns), "ns");
    char *samples = g_strdup_printf("; functions beyond what samples leave open (%s)", sure);
    g_ptr_array_add(comparison->notes,
                    g_strdup_printf("%s A number has changed from %s of the larger value on%s.",
                                    runs->n == 2 ? "One run of each side: they do not tell how runs vary."
                                                 : "One run of a side: it may be an unusual one.",
                                    from, runs->n == 2 ? samples : ""));
    if (LARGEST(runs, lacked) >= 0.0005)
        g_ptr_array_add(
            comparison->notes,
            g_strdup_printf("Functions have changed from %s on, because other threads had their CPU for %s of "
                            "the time; useful time and efficiencies from %s on, and times in waiting by "
                            "more than %s, because threads wanted a CPU and had none.",
                            computed, shared, divided, lacked));
    g_free(from);
    g_free(computed);
    g_free(divided);
    g_free(shared);
    g_free(lacked);
    g_free(samples);
}

static void note_method(TndRunComparison *comparison, const Runs *runs)
{
    char *sure = g_strdup_printf("%g %%", 100 * (1 - runs->options->wrong));
    if (runs->n > 2)
        note_several(comparison, runs, sure);
    if (has_single(runs))
        note_single(comparison, runs, sure);
    g_free(sure);
}

TndRunComparison *tnd_run_comparison_new(TndRunFigures *const *before, guint n_before, TndRunFigures *const *after,
                                         guint n_after, const TndComparisonOptions *options)
{
    TndRunComparison *comparison = g_new0(TndRunComparison, 1);
    Runs runs = {g_new(TndRunFigures *, n_before + n_after), n_before + n_after, n_before, n_after, options};
    memcpy(runs.all, before, n_before * sizeof *before);
    memcpy(runs.all + n_before, after, n_after * sizeof *after);
    comparison->notes = g_ptr_array_new_with_free_func(g_free);
    comparison->lines = g_array_new(FALSE, FALSE, sizeof(TndComparedLine));
    g_array_set_clear_func(comparison->lines, clear_line);
    GArray *numbers = collect(&runs);
    compare_numbers(comparison, &runs, numbers);
    judge(comparison, options);
    note_method(comparison, &runs);
    note_sizes(comparison->notes, &runs);
    note_periods(comparison->notes, &runs);
    note_lacks(comparison->notes, &runs);
    g_array_unref(numbers);
    g_free(runs.all);
    return comparison;
}

void tnd_run_comparison_free(TndRunComparison *comparison)
{
    if (!comparison)
        return;
    g_array_unref(comparison->lines);
    g_ptr_array_unref(comparison->notes);
    g_free(comparison);
}

const TndComparedLine *tnd_run_comparison_most(const TndRunComparison *comparison)
{
    const TndComparedLine *most = NULL;
    for (guint i = 0; i < comparison->lines->len; i++) {
        const TndComparedLine *line = &g_array_index(comparison->lines, TndComparedLine, i);
        const TndFigureInfo *info = &tnd_figure_infos[line->kind];
        if (line->is_changed && info->is_part && g_str_has_suffix(info->name, ":") &&
            (!most || fabs(tnd_run_comparison_change(line)) > fabs(tnd_run_comparison_change(most))))
            most = line;
    }
    return most;
}
