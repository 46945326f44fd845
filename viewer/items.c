/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The list is short, so it is made anew whenever a file is added.
 */
#include "viewer/items.h"

#include "viewer/view_groups.h"

TndItems *tnd_items_new(void)
{
    TndItems *items = g_new0(TndItems, 1);
    items->rules = g_ptr_array_new();
    items->files = g_ptr_array_new_with_free_func((GDestroyNotify)tnd_cfg_file_free);
    items->list = g_array_new(FALSE, FALSE, sizeof(TndItem));
    return items;
}

void tnd_items_free(TndItems *items)
{
    g_ptr_array_unref(items->rules);
    g_ptr_array_unref(items->files);
    g_array_unref(items->list);
    g_free(items);
}

static void append(TndItems *items, TndItem item)
{
    g_array_append_val(items->list, item);
}

/* The views of a group, below its heading. */
static void append_group(TndItems *items, guint group)
{
    gboolean has_heading = FALSE;
    for (guint i = 0; i < items->rules->len; i++) {
        const TndViewRule *rule = items->rules->pdata[i];
        if (tnd_view_groups_of(rule->name) != group)
            continue;
        if (!has_heading)
            append(items, (TndItem){.kind = TND_ITEM_HEADING, .title = tnd_view_groups[group]});
        has_heading = TRUE;
        append(items, (TndItem){.kind = TND_ITEM_VIEW, .name = rule->name, .title = rule->title});
    }
}

static void fill_list(TndItems *items)
{
    g_array_set_size(items->list, 0);
    for (guint group = 0; tnd_view_groups[group]; group++)
        append_group(items, group);
    for (guint i = 0; i < items->files->len; i++) {
        TndCfgFile *file = items->files->pdata[i];
        append(items, (TndItem){.kind = TND_ITEM_HEADING, .file = file, .title = file->title});
        for (guint window = 0; file->views[window]; window++) {
            const TndViewRule *rule = tnd_view_rule(file->views[window]);
            append(items, (TndItem){TND_ITEM_WINDOW, file, window, rule->name, rule->title});
        }
        for (guint table = 0; table < file->cfg->histograms->len; table++)
            append(items, (TndItem){TND_ITEM_TABLE, file, table, NULL, file->tables[table].title});
    }
}

void tnd_items_set_trace(TndItems *items, const TndTrace *trace)
{
    const TndViewRule *const *rules = tnd_view_rules();
    g_ptr_array_set_size(items->files, 0);
    g_ptr_array_set_size(items->rules, 0);
    for (guint i = 0; trace && rules[i]; i++)
        if (tnd_view_available(trace, rules[i]))
            g_ptr_array_add(items->rules, (gpointer)rules[i]);
    fill_list(items);
}

static guint place_of(const TndItems *items, const char *path)
{
    guint i = 0;
    while (i < items->files->len && !tnd_cfg_file_is(items->files->pdata[i], path))
        i++;
    return i;
}

TndCfgFile *tnd_items_find_file(const TndItems *items, const char *path)
{
    guint place = place_of(items, path);
    return place < items->files->len ? items->files->pdata[place] : NULL;
}

void tnd_items_add_file(TndItems *items, TndCfgFile *file)
{
    guint place = place_of(items, file->cfg->path);
    if (place < items->files->len)
        g_ptr_array_remove_index(items->files, place);
    g_ptr_array_insert(items->files, (gint)place, file);
    fill_list(items);
}

static char *help_of_file(const TndCfgFile *file)
{
    GString *text = g_string_new(file->cfg->path);
    if (file->cfg->description && *file->cfg->description)
        g_string_append_printf(text, "\n%s", file->cfg->description);
    for (guint i = 0; file->cfg->unknown_keys[i]; i++)
        g_string_append_printf(text, "\n%s: %s", file->cfg->unknown_keys[i], TND_CFG_UNKNOWN_KEY);
    return g_string_free(text, FALSE);
}

char *tnd_items_help(const TndItems *items, const TndItem *item)
{
    switch (item->kind) {
    case TND_ITEM_HEADING:
        return item->file ? help_of_file(item->file) : NULL;
    case TND_ITEM_WINDOW: {
        const TndView *view = item->file->views[item->number];
        return g_strdup_printf("A window of %s: rows are %s", item->file->title,
                               tnd_levels_word(tnd_view_level(view), TRUE));
    }
    case TND_ITEM_TABLE:
        return g_strdup_printf("A histogram of %s, of the window \342\200\234%s\342\200\235", item->file->title,
                               tnd_view_rule(tnd_cfg_file_control(item->file, item->number))->title);
    default:
        for (guint i = 0; i < items->rules->len; i++)
            if (((const TndViewRule *)items->rules->pdata[i])->name == item->name)
                return g_strdup(((const TndViewRule *)items->rules->pdata[i])->help);
        return g_strdup("");
    }
}
