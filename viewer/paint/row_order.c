/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Positions are looked up in an array with an entry for each row of the level.
 */
#include "viewer/paint/row_order.h"

#include <gio/gio.h>
#include <string.h>

TndRowOrder *tnd_row_order_new(const TndRowGroup *lines, guint n, guint n_pinned, guint n_all)
{
    TndRowOrder *order = g_new0(TndRowOrder, 1);
    order->n = n;
    order->n_pinned = n_pinned;
    order->n_all = n_all;
    order->first = g_new0(guint, n + 1);
    for (guint i = 0; i < n; i++)
        order->first[i + 1] = order->first[i] + lines[i].n;
    order->rows = g_new(guint, order->first[n]);
    order->position = g_new(guint, n_all);
    memset(order->position, 0xff, n_all * sizeof *order->position);
    for (guint i = 0; i < n; i++)
        for (guint j = 0; j < lines[i].n; j++) {
            order->rows[order->first[i] + j] = lines[i].rows[j];
            order->position[lines[i].rows[j]] = i;
        }
    return order;
}

TndRowOrder *tnd_row_order_usual(guint n_all)
{
    guint *rows = g_new(guint, n_all);
    TndRowGroup *lines = g_new(TndRowGroup, n_all);
    for (guint i = 0; i < n_all; i++) {
        rows[i] = i;
        lines[i] = (TndRowGroup){rows + i, 1};
    }
    TndRowOrder *order = tnd_row_order_new(lines, n_all, 0, n_all);
    g_free(lines);
    g_free(rows);
    return order;
}

void tnd_row_order_free(TndRowOrder *order)
{
    g_free(order->rows);
    g_free(order->first);
    g_free(order->position);
    g_free(order);
}

static gboolean is_of_group(const TndRowOrder *order, guint line, const guint *groups, guint group)
{
    gboolean is = TRUE;
    for (guint i = order->first[line]; is && i < order->first[line + 1]; i++)
        is = groups[order->rows[i]] == group;
    return is;
}

TndRowOrder *tnd_row_order_fold(const TndRowOrder *order, guint n_all, const guint *groups)
{
    TndRowOrder *usual = order ? NULL : tnd_row_order_usual(n_all);
    const TndRowOrder *from = order ? order : usual;
    TndRowGroup *lines = g_new(TndRowGroup, from->n);
    guint n = 0, n_pinned = 0;
    for (guint line = 0, end; line < from->n; line = end) {
        const guint group = groups[from->rows[from->first[line]]];
        const gboolean is_one = is_of_group(from, line, groups, group);
        for (end = line + 1; is_one && end < from->n && end != from->n_pinned && is_of_group(from, end, groups, group);)
            end++;
        lines[n++] = (TndRowGroup){from->rows + from->first[line], from->first[end] - from->first[line]};
        n_pinned += line < from->n_pinned;
    }
    TndRowOrder *folded = tnd_row_order_new(lines, n, n_pinned, n_all);
    g_free(lines);
    if (usual)
        tnd_row_order_free(usual);
    return folded;
}

static gboolean take_number(const char **text, guint64 *number)
{
    char *end;
    if (!g_ascii_isdigit(**text))
        return FALSE;
    *number = g_ascii_strtoull(*text, &end, 10);
    *text = end;
    return TRUE;
}

/* FALSE: it is neither a number nor a range. */
static gboolean is_range(const char *text, guint64 *from, guint64 *to)
{
    if (!take_number(&text, from))
        return FALSE;
    *to = *from;
    return *text == '\0' || (*text++ == '-' && take_number(&text, to) && *text == '\0');
}

/* A list that is being read. */
typedef struct {
    const TndRowOrderFind find;
    gpointer data;
    guint n_all;
    gboolean *has;       /* [row]: it was named */
    guint *rows, n_rows; /* in the order in which they were named */
    GArray *lengths;     /* of guint: how many rows each line has */
    gboolean is_folded;  /* within brackets */
} Reading;

static void add_row(Reading *reading, guint row)
{
    const guint one = 1;
    if (reading->has[row])
        return;
    reading->has[row] = TRUE;
    reading->rows[reading->n_rows++] = row;
    if (reading->is_folded)
        g_array_index(reading->lengths, guint, reading->lengths->len - 1)++;
    else
        g_array_append_val(reading->lengths, one);
}

/* Adds what a part of a list names.  FALSE and error: nothing. */
static gboolean add_part(Reading *reading, const char *part, GError **error)
{
    guint64 from, to;
    const guint n_all = reading->n_all;
    if (is_range(part, &from, &to) && MIN(from, to) >= 1 && MAX(from, to) <= n_all) {
        for (guint i = 0; i <= MAX(from, to) - MIN(from, to); i++)
            add_row(reading, (guint)(from < to ? from + i : from - i) - 1);
        return TRUE;
    }
    if (!reading->find || !*part || is_range(part, &from, &to)) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                    "got '%s'; rows are a list like 3, 8-5, [1-2] with numbers from 1 to %u", part, n_all);
        return FALSE;
    }
    gboolean *found = reading->find(part, reading->data, error);
    for (guint row = 0; found && row < n_all; row++)
        if (found[row])
            add_row(reading, row);
    g_free(found);
    return found != NULL;
}

/* Adds a part that may begin or end with a bracket. */
static gboolean add_bracketed(Reading *reading, char *part, GError **error)
{
    const guint none = 0;
    gboolean ends;
    if (*part == '[' && !reading->is_folded) {
        reading->is_folded = TRUE;
        g_array_append_val(reading->lengths, none);
        part = g_strchug(part + 1);
    }
    if ((ends = reading->is_folded && g_str_has_suffix(part, "]"))) {
        part[strlen(part) - 1] = '\0';
        g_strchomp(part);
    }
    const gboolean is_good = add_part(reading, part, error);
    const guint last = reading->lengths->len;
    if (ends && last && !g_array_index(reading->lengths, guint, last - 1)) /* all of its rows were named before */
        g_array_set_size(reading->lengths, last - 1);
    reading->is_folded &= !ends;
    return is_good;
}

static TndRowOrder *order_of(const Reading *reading)
{
    TndRowGroup *lines = g_new(TndRowGroup, reading->lengths->len);
    const guint *rows = reading->rows;
    for (guint i = 0; i < reading->lengths->len; i++) {
        lines[i] = (TndRowGroup){rows, g_array_index(reading->lengths, guint, i)};
        rows += lines[i].n;
    }
    TndRowOrder *order = tnd_row_order_new(lines, reading->lengths->len, 0, reading->n_all);
    g_free(lines);
    return order;
}

TndRowOrder *tnd_row_order_parse(const char *text, guint n_all, TndRowOrderFind find, gpointer data, GError **error)
{
    char **parts = g_strsplit(text, ",", -1);
    Reading reading = {.find = find,
                       .data = data,
                       .n_all = n_all,
                       .has = g_new0(gboolean, n_all),
                       .rows = g_new(guint, n_all),
                       .lengths = g_array_new(FALSE, FALSE, sizeof(guint))};
    gboolean is_good = parts[0] || add_part(&reading, "", error); /* it is empty */
    for (guint i = 0; is_good && parts[i]; i++)
        is_good = add_bracketed(&reading, g_strstrip(parts[i]), error);
    if (is_good && reading.is_folded) {
        is_good = FALSE;
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "got '%s'; a bracket is not closed", text);
    }
    TndRowOrder *order = is_good ? order_of(&reading) : NULL;
    g_array_unref(reading.lengths);
    g_free(reading.rows);
    g_free(reading.has);
    g_strfreev(parts);
    return order;
}

/* Appends rows as numbers and ranges. */
static void append_rows(GString *text, const guint *rows, guint n)
{
    for (guint i = 0, end; i < n; i = end) {
        gint step = 0;
        for (end = i + 1; end < n; end++) {
            const gint here = rows[end] == rows[end - 1] + 1 ? 1 : rows[end] + 1 == rows[end - 1] ? -1 : 0;
            if (!here || (step && here != step))
                break;
            step = here;
        }
        g_string_append_printf(text, "%s%u", i ? ", " : "", rows[i] + 1);
        if (end > i + 1)
            g_string_append_printf(text, "-%u", rows[end - 1] + 1);
    }
}

char *tnd_row_order_text(const TndRowOrder *order, guint n_all)
{
    GString *text = g_string_new(NULL);
    if (!order && n_all == 1)
        return g_string_free(g_string_append(text, "1"), FALSE);
    if (!order) {
        g_string_printf(text, "1-%u", n_all);
        return g_string_free(text, FALSE);
    }
    for (guint i = 0, end; i < order->n; i = end) {
        const guint *rows = order->rows + order->first[i];
        const gboolean is_folded = order->first[i + 1] - order->first[i] > 1;
        for (end = i + 1; !is_folded && end < order->n && order->first[end + 1] - order->first[end] == 1;)
            end++;
        g_string_append(text, i && is_folded ? ", [" : i ? ", " : is_folded ? "[" : "");
        append_rows(text, rows, order->first[end] - order->first[i]);
        g_string_append(text, is_folded ? "]" : "");
    }
    return g_string_free(text, FALSE);
}

guint tnd_row_order_last_place(const TndRowOrder *order, guint n_all)
{
    const guint n = order ? order->n - order->n_pinned : n_all;
    return n ? n - 1 : 0;
}

guint tnd_row_order_n_lines(const TndRowOrder *order, guint first, guint last)
{
    if (!order)
        return last - first + 1;
    return order->n == order->n_pinned ? order->n : order->n_pinned + last - first + 1;
}

static guint line_at(const TndRowOrder *order, guint first, guint line)
{
    return line < order->n_pinned ? line : first + line;
}

guint tnd_row_order_n_rows(const TndRowOrder *order, guint first, guint line)
{
    if (!order)
        return 1;
    const guint at = line_at(order, first, line);
    return order->first[at + 1] - order->first[at];
}

guint tnd_row_order_row_at(const TndRowOrder *order, guint first, guint line, guint i)
{
    return order ? order->rows[order->first[line_at(order, first, line)] + i] : first + line;
}

guint tnd_row_order_row(const TndRowOrder *order, guint first, guint line)
{
    return tnd_row_order_row_at(order, first, line, 0);
}

gboolean tnd_row_order_line(const TndRowOrder *order, guint first, guint row, gint64 *line)
{
    const guint position = order ? order->position[row] : row;
    *line = order && position < order->n_pinned ? position : (gint64)position - first;
    return position != G_MAXUINT;
}

guint tnd_row_order_place(const TndRowOrder *order, guint row)
{
    const guint position = order ? order->position[row] : row, n_pinned = order ? order->n_pinned : 0;
    return position == G_MAXUINT || position < n_pinned ? 0 : position - n_pinned;
}
