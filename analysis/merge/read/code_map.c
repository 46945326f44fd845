/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ranges of all lines are cut at each other's ends into pieces that do not overlap, each with the name of the last
 * line that covers it; an address is sought among the pieces.
 */
#include "analysis/merge/read/code_map.h"

#include <string.h>

/* An end of a line's range. */
struct border {
    guint64 address;
    guint line;
    gboolean is_begin;
};

/* From here up to the next piece. */
struct piece {
    guint64 begin;
    const char *name; /* NULL: nothing is known of it */
};

struct TndCodeMap {
    GPtrArray *names; /* of each line that counts */
    GArray *pieces;   /* struct piece, by begin */
};

/* A name becomes a line of a file of labels. */
static char *make_printable(const char *name, gsize n_bytes)
{
    char *copy = g_strndup(name, n_bytes), *printable = g_utf8_make_valid(g_strstrip(copy), -1);
    for (char *c = printable; *c; c++)
        if (g_ascii_iscntrl(*c))
            *c = '?';
    g_free(copy);
    return printable;
}

static void read_line(TndCodeMap *map, GArray *borders, const char *line, gsize n_bytes)
{
    char *at;
    guint64 begin = g_ascii_strtoull(line, &at, 16);
    if (at == line || *at != ' ' || at >= line + n_bytes)
        return;
    const char *number = at + 1;
    guint64 size = g_ascii_strtoull(number, &at, 16);
    if (at == number || *at != ' ' || at >= line + n_bytes || !size || begin + size < begin)
        return;
    char *name = make_printable(at + 1, n_bytes - (gsize)(at + 1 - line));
    if (!*name) {
        g_free(name);
        return;
    }
    struct border both[] = {{begin, map->names->len, TRUE}, {begin + size, map->names->len, FALSE}};
    g_array_append_vals(borders, both, 2);
    g_ptr_array_add(map->names, name);
}

static int compare_borders(gconstpointer a, gconstpointer b)
{
    const struct border *x = a, *y = b;
    return (x->address > y->address) - (x->address < y->address);
}

static int compare_lines(gconstpointer a, gconstpointer b)
{
    return (GPOINTER_TO_UINT(a) > GPOINTER_TO_UINT(b)) - (GPOINTER_TO_UINT(a) < GPOINTER_TO_UINT(b));
}

static void make_pieces(TndCodeMap *map, const GArray *borders)
{
    GTree *open = g_tree_new(compare_lines); /* the lines that cover the place where the loop is */
    for (guint i = 0; i < borders->len; i++) {
        const struct border *border = &g_array_index(borders, struct border, i);
        gpointer line = GUINT_TO_POINTER(border->line + 1);
        if (border->is_begin)
            g_tree_insert(open, line, line);
        else
            g_tree_remove(open, line);
        if (i + 1 < borders->len && border[1].address == border->address)
            continue;
        GTreeNode *last = g_tree_node_last(open);
        const char *name = last ? map->names->pdata[GPOINTER_TO_UINT(g_tree_node_key(last)) - 1] : NULL;
        g_array_append_vals(map->pieces, &(struct piece){border->address, name}, 1);
    }
    g_tree_unref(open);
}

TndCodeMap *tnd_code_map_new(const char *text)
{
    TndCodeMap *map = g_new(TndCodeMap, 1);
    map->names = g_ptr_array_new_with_free_func(g_free);
    map->pieces = g_array_new(FALSE, FALSE, sizeof(struct piece));
    GArray *borders = g_array_new(FALSE, FALSE, sizeof(struct border));
    while (text && *text) {
        const char *end = strchrnul(text, '\n');
        read_line(map, borders, text, (gsize)(end - text));
        text = *end ? end + 1 : end;
    }
    g_array_sort(borders, compare_borders);
    make_pieces(map, borders);
    g_array_unref(borders);
    return map;
}

void tnd_code_map_free(TndCodeMap *map)
{
    if (!map)
        return;
    g_ptr_array_unref(map->names);
    g_array_unref(map->pieces);
    g_free(map);
}

const char *tnd_code_map_find(const TndCodeMap *map, guint64 address)
{
    guint low = 0, high = map->pieces->len; /* all pieces before `low` begin at the address or before it */
    while (low < high) {
        guint middle = low + (high - low) / 2;
        if (g_array_index(map->pieces, struct piece, middle).begin <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? g_array_index(map->pieces, struct piece, low - 1).name : NULL;
}
