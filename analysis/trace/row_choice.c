/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Matches each part of the text with every row, because there are few parts.
 */
#include "analysis/trace/row_choice.h"
#include "analysis/base/label_pattern.h"

#include <gio/gio.h>
#include <string.h>

#define RANK "rank:"

typedef struct {
    guint low, high;
} Range;

/* A row and its names. */
typedef struct {
    struct tnd_prv_place place;
    const char *name, *task_name; /* NULL: the default */
} Row;

/* A part of the text: numbers, or a pattern for names. */
typedef struct {
    guint n_ranges; /* 0: a pattern; 1: tasks; 2: applications and tasks; 3: applications, tasks and threads */
    Range ranges[3];
    const char *pattern;
} Part;

char *tnd_row_choice_default_name(const struct tnd_prv_place *place)
{
    return g_strdup_printf("THREAD %u.%u.%u", place->application, place->task, place->thread);
}

static gboolean take_number(const char **at, guint *number)
{
    guint64 read = 0;
    const char *begin = *at;
    for (; g_ascii_isdigit(**at); ++*at)
        read = MIN(read * 10 + (guint64)(**at - '0'), G_MAXUINT32 - 1);
    *number = (guint)read;
    return *at > begin;
}

/* Parses "*", "3" or "3-7". */
static gboolean take_range(const char **at, Range *range)
{
    if (**at == '*') {
        ++*at;
        *range = (Range){0, G_MAXUINT};
        return TRUE;
    }
    if (!take_number(at, &range->low))
        return FALSE;
    range->high = range->low;
    if (**at != '-')
        return TRUE;
    ++*at;
    return take_number(at, &range->high);
}

static void parse_part(const char *text, Part *part)
{
    *part = (Part){0};
    gboolean is_rank = g_str_has_prefix(text, RANK);
    const char *at = is_rank ? text + strlen(RANK) : text;
    do {
        if (!take_range(&at, &part->ranges[part->n_ranges]))
            break;
        part->n_ranges++;
    } while (!is_rank && *at == '.' && part->n_ranges < 3 && *++at);
    if (*at || !part->n_ranges) {
        part->n_ranges = 0;
        part->pattern = text;
    } else if (is_rank && part->ranges[0].high != G_MAXUINT) {
        part->ranges[0].low++;
        part->ranges[0].high++;
    }
}

static gboolean is_in(const Range *range, guint number)
{
    return number >= range->low && number <= range->high;
}

static gboolean part_matches(const Part *part, const Row *row)
{
    const struct tnd_prv_place *place = &row->place;
    const Range *ranges = part->ranges;
    if (part->n_ranges == 1)
        return is_in(&ranges[0], place->task);
    if (part->n_ranges > 1)
        return is_in(&ranges[0], place->application) && is_in(&ranges[1], place->task) &&
               (part->n_ranges == 2 || is_in(&ranges[2], place->thread));
    if (row->task_name && tnd_label_pattern_matches(part->pattern, row->task_name))
        return TRUE;
    if (row->name)
        return tnd_label_pattern_matches(part->pattern, row->name);
    char *name = tnd_row_choice_default_name(place);
    gboolean matches = tnd_label_pattern_matches(part->pattern, name);
    g_free(name);
    return matches;
}

static const char *name_of(const struct tnd_row *row, enum tnd_row_level level, gsize index)
{
    const char *name = row && index < row->n_names[level] ? row->names[level][index] : NULL;
    return name && *name ? name : NULL;
}

static GArray *list_rows(const struct tnd_prv_header *header, const struct tnd_row *names)
{
    GArray *rows = g_array_new(FALSE, FALSE, sizeof(Row));
    gsize n_tasks = 0;
    for (guint32 a = 0; a < header->n_applications; a++)
        for (guint32 t = 0; t < header->applications[a].n_tasks; t++, n_tasks++)
            for (guint32 h = 0; h < header->applications[a].tasks[t].n_threads; h++) {
                Row row = {{0, a + 1, t + 1, h + 1},
                           name_of(names, TND_ROW_THREAD, rows->len),
                           name_of(names, TND_ROW_TASK, n_tasks)};
                g_array_append_val(rows, row);
            }
    return rows;
}

/* Sets `chosen` for the rows that a part matches, and returns how many there are. */
static guint choose(const char *text, const GArray *rows, gboolean *chosen)
{
    Part part;
    guint n = 0;
    parse_part(text, &part);
    for (guint i = 0; i < rows->len; i++)
        if (part_matches(&part, &g_array_index(rows, Row, i))) {
            chosen[i] = TRUE;
            n++;
        }
    return n;
}

gboolean *tnd_row_choice_parse(const char *text, const struct tnd_prv_header *header, const struct tnd_row *row,
                               GError **error)
{
    GArray *rows = list_rows(header, row);
    gboolean *chosen = g_new0(gboolean, rows->len + 1);
    char **parts = g_strsplit(text, ",", -1);
    gboolean is_name = parts[0] && parts[1] && choose(text, rows, chosen) > 0; /* names may have commas */
    for (char **part = parts; *part && !is_name && chosen; part++) {
        if (choose(g_strstrip(*part), rows, chosen) > 0)
            continue;
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                    "got \"%s\", takes %s: no row of the trace is \"%s\"", text, TND_ROW_CHOICE_TAKES, *part);
        g_clear_pointer(&chosen, g_free);
    }
    g_strfreev(parts);
    g_array_unref(rows);
    return chosen;
}

gboolean *tnd_row_choice_of_trace(const TndTrace *trace, const char *text, GError **error)
{
    struct tnd_row *names = tnd_row_new();
    for (guint row = 0; row < tnd_trace_n_threads(trace); row++)
        tnd_row_add(names, TND_ROW_THREAD, tnd_trace_thread(trace, row)->name);
    gboolean *chosen = tnd_row_choice_parse(text, tnd_trace_header(trace), names, error);
    tnd_row_free(names);
    return chosen;
}
