/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The items of the list of views: the views that have something to show in the trace, by groups that have headings
 * and, for each configuration of Paraver's that was opened, a heading, its windows and its tables.
 *
 * What it is not: it does not know which of them is shown.
 */
#ifndef TND_ITEMS_H
#define TND_ITEMS_H

#include "viewer/cfg_file.h"

typedef enum { TND_ITEM_VIEW, TND_ITEM_HEADING, TND_ITEM_WINDOW, TND_ITEM_TABLE } TndItemKind;

typedef struct {
    TndItemKind kind;
    TndCfgFile *file;  /* NULL: the item is a view, or the heading of a group of views */
    guint number;      /* of a window or a table in its file, from 0 on */
    const char *name;  /* of a view or a window; NULL: the item is another */
    const char *title; /* that is shown to the user */
} TndItem;

typedef struct {
    GPtrArray *rules; /* of const TndViewRule *: views that have something to show in the trace */
    GPtrArray *files; /* of TndCfgFile * */
    GArray *list;     /* of TndItem: all items, in their order */
} TndItems;

TndItems *tnd_items_new(void);
void tnd_items_free(TndItems *items);

/* Sets the items to the views of a trace, without configurations; trace NULL: to none. */
void tnd_items_set_trace(TndItems *items, const TndTrace *trace);

/* NULL: the configuration was not opened. */
TndCfgFile *tnd_items_find_file(const TndItems *items, const char *path);

/* Takes ownership of `file`, which replaces the one that was read from the same path before. */
void tnd_items_add_file(TndItems *items, TndCfgFile *file);

/* The text of the item's tooltip; free with g_free.  NULL: it has none. */
char *tnd_items_help(const TndItems *items, const TndItem *item);

#endif
