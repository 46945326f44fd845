/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Positions are looked up in an array with an entry for each row of the level.
 */
#include "viewer/paint/row_order.h"

#include <gio/gio.h>
#include <string.h>

TndRowOrder *tnd_row_order_new(const guint *rows, guint n, guint n_pinned, guint n_all)
{
    TndRowOrder *order = g_new0(TndRowOrder, 1);
    order->n = n;
    order->n_pinned = n_pinned;
    order->n_all = n_all;
    order->rows = g_memdup2(rows, n * sizeof *rows);
    order->position = g_new(guint, n_all);
    memset(order->position, 0xff, n_all * sizeof *order->position);
    for (guint i = 0; i < n; i++)
        order->position[rows[i]] = i;
    return order;
}

void tnd_row_order_free(TndRowOrder *order)
{
    g_free(order->rows);
    g_free(order->position);
    g_free(order);
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

static void add_range(GArray *rows, gboolean *has, guint from, guint to)
{
    for (guint i = 0; i <= MAX(from, to) - MIN(from, to); i++) {
        guint row = from < to ? from + i : from - i;
        if (!has[row])
            g_array_append_val(rows, row);
        has[row] = TRUE;
    }
}

/* Adds what a part of a list names.  FALSE and error: nothing. */
static gboolean add_part(GArray *rows, gboolean *has, const char *part, guint n_all, TndRowOrderFind find,
                         gpointer data, GError **error)
{
    guint64 from, to;
    if (is_range(part, &from, &to) && MIN(from, to) >= 1 && MAX(from, to) <= n_all) {
        add_range(rows, has, (guint)from - 1, (guint)to - 1);
        return TRUE;
    }
    if (!find || !*part || is_range(part, &from, &to)) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                    "got '%s'; rows are a list like 3, 8-5, 1 with numbers from 1 to %u", part, n_all);
        return FALSE;
    }
    gboolean *found = find(part, data, error);
    for (guint row = 0; found && row < n_all; row++)
        if (found[row])
            add_range(rows, has, row, row);
    g_free(found);
    return found != NULL;
}

TndRowOrder *tnd_row_order_parse(const char *text, guint n_all, TndRowOrderFind find, gpointer data, GError **error)
{
    char **parts = g_strsplit(text, ",", -1);
    GArray *rows = g_array_new(FALSE, FALSE, sizeof(guint));
    gboolean *has = g_new0(gboolean, n_all);
    gboolean is_good = parts[0] || add_part(rows, has, text, n_all, NULL, NULL, error); /* it is empty */
    for (guint i = 0; is_good && parts[i]; i++)
        is_good = add_part(rows, has, g_strstrip(parts[i]), n_all, find, data, error);
    TndRowOrder *order =
        is_good ? tnd_row_order_new((const guint *)(const void *)rows->data, rows->len, 0, n_all) : NULL;
    g_array_unref(rows);
    g_strfreev(parts);
    g_free(has);
    return order;
}

char *tnd_row_order_text(const TndRowOrder *order, guint n_all)
{
    GString *text = g_string_new(NULL);
    const guint n = order ? order->n : n_all;
    for (guint i = 0, end; i < n; i = end) {
        const guint first = order ? order->rows[i] : i;
        gint step = 0;
        for (end = i + 1; end < n; end++) {
            const guint row = order ? order->rows[end] : end, before = order ? order->rows[end - 1] : end - 1;
            const gint here = row == before + 1 ? 1 : row + 1 == before ? -1 : 0;
            if (!here || (step && here != step))
                break;
            step = here;
        }
        const guint last = order ? order->rows[end - 1] : end - 1;
        g_string_append_printf(text, "%s%u", i ? ", " : "", first + 1);
        if (last != first)
            g_string_append_printf(text, "-%u", last + 1);
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

guint tnd_row_order_row(const TndRowOrder *order, guint first, guint line)
{
    if (!order)
        return first + line;
    return order->rows[line < order->n_pinned ? line : first + line];
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
