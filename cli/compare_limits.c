/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads conditions and holds them against numbers.
 */
#include "cli/compare_limits.h"

#include "analysis/base/label_pattern.h"
#include "analysis/base/likeness.h"
#include "analysis/base/quantity.h"
#include "cli/cli.h"

#include <string.h>

static void free_limit(gpointer self)
{
    TndCompareLimit *limit = self;
    g_free(limit->text);
    g_free(limit->pattern);
    g_free(limit->limit);
    g_free(limit);
}

/* The last sign in a text, because names of C++ have signs, too; NULL: there is none. */
static const char *last_sign(const char *text)
{
    const char *above = strrchr(text, '>'), *below = strrchr(text, '<');
    return MAX(above, below);
}

/* NULL: complained. */
static TndCompareLimit *parse(const char *text)
{
    const char *sign = last_sign(text);
    TndCompareLimit *limit = g_new0(TndCompareLimit, 1);
    limit->text = g_strdup(text);
    if (sign) {
        limit->is_above = *sign == '>';
        limit->pattern = g_strstrip(g_strndup(text, (gsize)(sign - text)));
        limit->limit = g_strstrip(g_strdup(sign + 1));
    }
    if (sign && *limit->pattern && (*limit->limit == '+' || *limit->limit == '-'))
        return limit;
    tnd_cli_complain(
        "compare",
        "--fail-if: got \"%s\", takes NAME > LIMIT or NAME < LIMIT, the limit being one of the difference, "
        "with its sign: 'useful > +5%%', 'elapsed > +2s', 'load-balance < -3points'",
        text);
    free_limit(limit);
    return NULL;
}

GPtrArray *tnd_compare_limits_parse(char **texts)
{
    GPtrArray *limits = g_ptr_array_new_with_free_func(free_limit);
    for (guint i = 0; texts && texts[i]; i++) {
        TndCompareLimit *limit = parse(texts[i]);
        if (!limit) {
            g_ptr_array_unref(limits);
            return NULL;
        }
        g_ptr_array_add(limits, limit);
    }
    return limits;
}

/* The limit in the unit of the line's number.  FALSE: complained. */
static gboolean limit_of(double *value, const TndCompareLimit *limit, const TndComparedLine *line)
{
    const char *unit = tnd_figure_infos[line->kind].unit, *own = strcmp(unit, "%") == 0 ? "points" : unit;
    if (tnd_quantity_parse(value, limit->limit, "%")) {
        *value *= line->difference.before / 100;
        return TRUE;
    }
    if (tnd_quantity_parse(value, limit->limit, own))
        return TRUE;
    char *example = tnd_quantity_text(2, own);
    tnd_cli_complain("compare", "--fail-if: got \"%s\", takes a limit of %s as +5%% or +%s", limit->text, line->name,
                     example);
    g_free(example);
    return FALSE;
}

static gboolean holds(const TndCompareLimit *limit, const TndComparedLine *line, double value)
{
    double change = tnd_run_comparison_change(line);
    return limit->is_above ? change - line->sure > value : change + line->sure < value;
}

/* Says which name may be meant, and the kinds of names that there are. */
static void complain_of_name(const TndCompareLimit *limit, const TndRunComparison *comparison)
{
    GString *kinds = g_string_new(NULL);
    GPtrArray *names = g_ptr_array_new();
    guint kind = TND_FIGURE_N;
    for (guint i = 0; i < comparison->lines->len; i++) {
        const TndComparedLine *line = &g_array_index(comparison->lines, TndComparedLine, i);
        const char *name = tnd_figure_infos[line->kind].name;
        g_ptr_array_add(names, line->name);
        if (line->kind != kind)
            g_string_append_printf(kinds, "%s%s%s", kinds->len ? ", " : "", name,
                                   g_str_has_suffix(name, ":") ? "..." : "");
        kind = line->kind;
    }
    g_ptr_array_add(names, NULL);
    const char *nearest = tnd_likeness_nearest(limit->pattern, (const char *const *)names->pdata);
    char *meant = nearest ? g_strdup_printf("; did you mean %s?", nearest) : g_strdup(".");
    tnd_cli_complain("compare", "--fail-if: got \"%s\", no number is called \"%s\"%s There are %s (--all prints them)",
                     limit->text, limit->pattern, meant, kinds->str);
    g_free(meant);
    g_ptr_array_unref(names);
    g_string_free(kinds, TRUE);
}

/* Appends the verdicts of a condition.  FALSE: complained. */
static gboolean judge(GArray *verdicts, const TndCompareLimit *limit, const TndRunComparison *comparison)
{
    gboolean is_pattern = strpbrk(limit->pattern, "*?") != NULL, is_found = FALSE;
    for (guint i = 0; i < comparison->lines->len; i++) {
        const TndComparedLine *line = &g_array_index(comparison->lines, TndComparedLine, i);
        gboolean is_named = strcmp(limit->pattern, line->name) == 0;
        double value;
        if (!is_named && !(is_pattern && tnd_label_pattern_matches(limit->pattern, line->name)))
            continue;
        is_found = TRUE;
        if (!is_named && !line->is_tested)
            continue;
        if (!limit_of(&value, limit, line))
            return FALSE;
        TndCompareVerdict verdict = {limit, line, holds(limit, line, value)};
        g_array_append_val(verdicts, verdict);
    }
    if (!is_found)
        complain_of_name(limit, comparison);
    return is_found;
}

GArray *tnd_compare_limits_judge(const GPtrArray *limits, const TndRunComparison *comparison)
{
    GArray *verdicts = g_array_new(FALSE, FALSE, sizeof(TndCompareVerdict));
    for (guint i = 0; i < limits->len; i++)
        if (!judge(verdicts, g_ptr_array_index(limits, i), comparison)) {
            g_array_unref(verdicts);
            return NULL;
        }
    return verdicts;
}
