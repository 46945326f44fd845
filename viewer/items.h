/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What can be shown of a trace, as the list of views has it: the views that it has something for, and of each
 * configuration of Paraver's that was opened a heading, its windows and its tables.
 *
 * What it is not: it does not know which of them is shown.
 */
#ifndef TND_ITEMS_H
#define TND_ITEMS_H

#include "viewer/cfg_file.h"

typedef enum { TND_ITEM_VIEW, TND_ITEM_HEADING, TND_ITEM_WINDOW, TND_ITEM_TABLE } TndItemKind;

typedef struct {
    TndItemKind kind;
    TndCfgFile *file;  /* of all but views */
    guint number;      /* of a window or a table, from 0 on */
    const char *name;  /* of a view or a window */
    const char *title; /* to be shown */
} TndItem;

typedef struct {
    GPtrArray *rules; /* of const TndViewRule *: views that the trace has something for */
    GPtrArray *files; /* of TndCfgFile * */
    GArray *list;     /* of TndItem: all of it */
} TndItems;

TndItems *tnd_items_new(void);
void tnd_items_free(TndItems *items);

/* Of this trace, without configurations; NULL: nothing. */
void tnd_items_set_trace(TndItems *items, const TndTrace *trace);

/* NULL: it was not opened. */
TndCfgFile *tnd_items_find_file(const TndItems *items, const char *path);

/* Becomes theirs; in place of the one that was read of the same file before. */
void tnd_items_add_file(TndItems *items, TndCfgFile *file);

/* More about it, for who points at it; free with g_free. */
char *tnd_items_help(const TndItems *items, const TndItem *item);

#endif
