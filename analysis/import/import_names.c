/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Labels are looked up in the table of event types, where "#" stands for a number.
 */
#include "analysis/import/import_names.h"

#include "formats/event_types.h"

#include <stdio.h>
#include <string.h>

#define OWN_VALUES 2048 /* new values of types whose values the table knows are from here on */

/* Counters of PAPI that views ask for by Extrae's numbers. */
static const struct {
    const char *name;
    guint32 type;
} papi[] = {{"PAPI_TOT_INS", 42000050}, {"PAPI_TOT_CYC", 42000059}};

TndImportNames *tnd_import_names_new(void)
{
    TndImportNames *names = g_new0(TndImportNames, 1);
    names->pcf = tnd_pcf_new();
    names->types = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    names->values = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    names->mpi = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
    names->next[TND_IMPORT_EVENT] = TND_TYPE_IMPORTED;
    names->next[TND_IMPORT_COUNTER] = TND_TYPE_COUNTER_NATIVE;
    names->next[TND_IMPORT_LEVEL] = TND_TYPE_USER_COUNTER;
    for (gsize i = 0; i < tnd_event_types_n; i++) {
        const struct tnd_event_type *type = &tnd_event_types[i];
        for (gsize j = 0; tnd_event_types_is_mpi(type->type) && j < type->n_values; j++)
            if (type->values[j].value) {
                const TndImportCall call = {type->type, type->values[j].value};
                g_hash_table_insert(names->mpi, (gpointer)(gsize)type->values[j].label, g_memdup2(&call, sizeof call));
            }
    }
    return names;
}

void tnd_import_names_free(TndImportNames *names)
{
    tnd_pcf_free(names->pcf);
    g_hash_table_unref(names->types);
    g_hash_table_unref(names->values);
    g_hash_table_unref(names->mpi);
    g_free(names);
}

/* Whether a label is that of an entry, or of the type of this number in its range (from 1). */
static gboolean is_label(const struct tnd_event_type *entry, const char *label, guint *number)
{
    const char *mark = strchr(entry->label, '#'), *end = label;
    *number = 1;
    if (!mark || entry->last == entry->type)
        return entry->last == entry->type && strcmp(entry->label, label) == 0;
    gsize before = (gsize)(mark - entry->label);
    if (strncmp(entry->label, label, before) != 0 || !g_ascii_isdigit(label[before]))
        return FALSE;
    *number = (guint)g_ascii_strtoull(label + before, (char **)&end, 10);
    return strcmp(mark + 1, end) == 0 && *number - 1 <= entry->last - entry->type;
}

static void define(TndImportNames *names, guint32 type, const char *label)
{
    const struct tnd_event_type *known = tnd_event_types_find(type);
    tnd_pcf_set_type(names->pcf, type, label);
    for (gsize i = 0; known && i < known->n_values; i++)
        tnd_pcf_set_value(names->pcf, type, known->values[i].value, known->values[i].label);
    g_hash_table_insert(names->types, g_strdup(label), GUINT_TO_POINTER(type));
}

guint32 tnd_import_names_known(TndImportNames *names, const char *label)
{
    guint32 type = GPOINTER_TO_UINT(g_hash_table_lookup(names->types, label));
    guint number;
    for (gsize i = 0; !type && i < tnd_event_types_n; i++)
        if (is_label(&tnd_event_types[i], label, &number))
            define(names, type = tnd_event_types[i].type + number - 1, label);
    return type;
}

guint32 tnd_import_names_type(TndImportNames *names, const char *label, TndImportKind kind)
{
    guint32 type = tnd_import_names_known(names, label);
    for (gsize i = 0; kind == TND_IMPORT_COUNTER && !type && i < G_N_ELEMENTS(papi); i++)
        if (g_str_has_prefix(label, papi[i].name))
            define(names, type = papi[i].type, label);
    if (!type)
        define(names, type = names->next[kind]++, label);
    return type;
}

gint64 tnd_import_names_value(TndImportNames *names, guint32 type, const char *label)
{
    char *key = g_strdup_printf("%u:%s", type, label), *end;
    gint64 *value = g_hash_table_lookup(names->values, key);
    if (value) {
        g_free(key);
        return *value;
    }
    const struct tnd_event_type *known = tnd_event_types_find(type);
    char own[128];
    if (!tnd_pcf_type(names->pcf, type) && tnd_event_types_label(type, own, sizeof own))
        define(names, type, own);
    value = g_new0(gint64, 1);
    g_hash_table_insert(names->values, key, value);
    for (gsize i = 0; known && i < known->n_values; i++)
        if (strcmp(known->values[i].label, label) == 0) {
            *value = known->values[i].value;
            return *value;
        }
    gint64 number = g_ascii_strtoll(label, &end, 10);
    if (*label && !*end)
        return *value = number;
    if (strcmp(label, "End") == 0) {
        tnd_pcf_set_value(names->pcf, type, 0, label);
        return 0;
    }
    key = g_strdup_printf("%u", type);
    gint64 *next = g_hash_table_lookup(names->values, key);
    if (!next) {
        next = g_new0(gint64, 1);
        *next = known && known->n_values > 1 ? OWN_VALUES : 1;
        g_hash_table_insert(names->values, g_strdup(key), next);
    }
    g_free(key);
    *value = (*next)++;
    if (!tnd_pcf_value_label(names->pcf, type, 0))
        tnd_pcf_set_value(names->pcf, type, 0, "End");
    tnd_pcf_set_value(names->pcf, type, *value, label);
    return *value;
}

TndImportCall tnd_import_names_mpi(TndImportNames *names, const char *name)
{
    const TndImportCall *call = g_hash_table_lookup(names->mpi, name);
    if (!call)
        return (TndImportCall){0};
    char label[128];
    if (tnd_event_types_label(call->type, label, sizeof label))
        tnd_import_names_known(names, label);
    return *call;
}

char *tnd_import_names_line(const char *file, guint line)
{
    const char *slash = strrchr(file, '/');
    return slash ? g_strdup_printf("%s:%u [%s]", slash + 1, line, file) : g_strdup_printf("%s:%u", file, line);
}

guint32 tnd_import_names_state(TndImportCall call)
{
    const struct tnd_event_value *value = tnd_event_types_value(call.type, call.value);
    const struct tnd_event_type *type = value ? NULL : tnd_event_types_find(call.type);
    return value ? value->state : type ? type->state : TND_STATE_NONE;
}
