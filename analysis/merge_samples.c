/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What samples and callers saw: distinct code addresses of each image, then a name and a line for each, then values in
 * the order of names, so that a function has one value in all processes and in every merge of the same run.
 *
 * Where a file was unloaded and another one loaded at its place, an address has one answer per file; the sample's time
 * tells them apart.
 */
#include "analysis/merge_parts.h"
#include "analysis/symbols.h"

#include <string.h>

/* What an address is in one of the files that were loaded there. */
struct answer {
    guint64 load_ticks;
    guint32 function, line; /* values */
    struct answer *next;    /* loaded before */
};

struct entry {
    guint64 address;        /* 0: free */
    struct answer *answers; /* the latest load first */
};

/* Open addressing, at most half full. */
struct address_table {
    struct entry *entries;
    guint n_used, n_bits;
};

static struct entry *find_entry(const struct address_table *table, guint64 address)
{
    guint mask = (1u << table->n_bits) - 1;
    guint at = (guint)((address * G_GUINT64_CONSTANT(0x9e3779b97f4a7c15)) >> (64 - table->n_bits));
    while (table->entries[at].address && table->entries[at].address != address)
        at = (at + 1) & mask;
    return &table->entries[at];
}

static void grow_table(struct address_table *table)
{
    struct address_table bigger = {.n_bits = table->n_bits ? table->n_bits + 1 : 8, .n_used = table->n_used};
    bigger.entries = g_new0(struct entry, (gsize)1 << bigger.n_bits);
    for (gsize i = 0; table->n_bits && i < (gsize)1 << table->n_bits; i++)
        if (table->entries[i].address)
            *find_entry(&bigger, table->entries[i].address) = table->entries[i];
    g_free(table->entries);
    *table = bigger;
}

void tnd_merge_samples_add(TndMergeProcess *process, guint64 address)
{
    if (!process->addresses) {
        process->addresses = g_new0(struct address_table, 1);
        grow_table(process->addresses);
    }
    struct address_table *table = process->addresses;
    struct entry *entry = find_entry(table, address);
    if (entry->address || !address)
        return;
    entry->address = address;
    if (++table->n_used > 1u << (table->n_bits - 1))
        grow_table(table);
}

/* How many, then each. */
void tnd_merge_samples_tell(const TndMergeProcess *process, GByteArray *addresses)
{
    const struct address_table *table = process->addresses;
    guint64 n = table ? table->n_used : 0;
    g_byte_array_append(addresses, (const guint8 *)&n, sizeof n);
    for (gsize i = 0; table && i < (gsize)1 << table->n_bits; i++)
        if (table->entries[i].address)
            g_byte_array_append(addresses, (const guint8 *)&table->entries[i].address, sizeof(guint64));
}

void tnd_merge_samples_learn(TndMergeProcess *process, const guint8 **at)
{
    guint64 n, address;
    memcpy(&n, *at, sizeof n);
    for (*at += sizeof n; n; n--, *at += sizeof address) {
        memcpy(&address, *at, sizeof address);
        tnd_merge_samples_add(process, address);
    }
}

void tnd_merge_samples_free(TndMergeProcess *process)
{
    struct address_table *table = process->addresses;
    for (gsize i = 0; table && i < (gsize)1 << table->n_bits; i++)
        while (table->entries[i].answers) {
            struct answer *answer = table->entries[i].answers;
            table->entries[i].answers = answer->next;
            g_free(answer);
        }
    if (table)
        g_free(table->entries);
    g_clear_pointer(&process->addresses, g_free);
}

/* Names on the way to values: function and line are indices into the two arrays until they are sorted. */
struct naming {
    TndSymbols *symbols;
    GHashTable *functions, *lines; /* name -> index + 1 */
    GPtrArray *function_names, *line_names;
};

static guint32 intern(GHashTable *known, GPtrArray *names, char *name)
{
    guint32 index = GPOINTER_TO_UINT(g_hash_table_lookup(known, name));
    if (index) {
        g_free(name);
        return index;
    }
    g_ptr_array_add(names, name);
    g_hash_table_insert(known, name, GUINT_TO_POINTER(names->len));
    return names->len;
}

static char *function_label(const TndSymbol *symbol, guint64 offset)
{
    if (symbol->function)
        return g_strdup(symbol->function);
    return g_strdup_printf("%s+0x%" G_GINT64_MODIFIER "x", symbol->module, offset);
}

static char *line_label(const TndSymbol *symbol, const char *function)
{
    if (!symbol->file)
        return symbol->function ? g_strdup_printf("%s (%s)", function, symbol->module) : g_strdup(function);
    const char *slash = strrchr(symbol->file, '/');
    return g_strdup_printf("%s:%u", slash ? slash + 1 : symbol->file, symbol->line);
}

static void add_answer(struct naming *naming, struct entry *entry, guint64 load_ticks, char *function, char *line)
{
    struct answer *answer = g_new(struct answer, 1);
    answer->load_ticks = load_ticks;
    answer->function = intern(naming->functions, naming->function_names, function);
    answer->line = intern(naming->lines, naming->line_names, line);
    struct answer **place = &entry->answers;
    while (*place && (*place)->load_ticks > load_ticks)
        place = &(*place)->next;
    answer->next = *place;
    *place = answer;
}

/* Asks every file that was ever loaded over the address, in this image or, if it is in none, in the one that it was
 * forked from. */
static void name_address(TndMerge *merge, struct naming *naming, const TndMergeProcess *process, struct entry *entry)
{
    for (guint depth = 0; process && !entry->answers && depth < 64; depth++) {
        for (guint i = 0; i < process->modules->len; i++) {
            const TndMergeModule *module = &g_array_index(process->modules, TndMergeModule, i);
            if (entry->address < module->low || entry->address >= module->high)
                continue;
            guint64 offset = entry->address - module->bias;
            const TndSymbol *symbol = tnd_symbols_find(naming->symbols, module->path, offset);
            char *function = function_label(symbol, offset);
            add_answer(naming, entry, module->load_ticks, function, line_label(symbol, function));
        }
        process = tnd_merge_names_parent(merge, process);
    }
    if (!entry->answers) {
        char *unknown = g_strdup_printf("0x%" G_GINT64_MODIFIER "x", entry->address);
        add_answer(naming, entry, 0, unknown, g_strdup(unknown));
    }
}

static int compare_indices(gconstpointer a, gconstpointer b, gpointer names)
{
    return strcmp(((GPtrArray *)names)->pdata[*(const guint32 *)a], ((GPtrArray *)names)->pdata[*(const guint32 *)b]);
}

/* Sorts names; the answer says which value each index became. */
static guint32 *sort_names(GPtrArray *names)
{
    guint32 *order = g_new(guint32, MAX(names->len, 1)), *values = g_new(guint32, names->len + 1);
    for (guint i = 0; i < names->len; i++)
        order[i] = i;
    g_qsort_with_data(order, (gint)names->len, sizeof *order, compare_indices, names);
    gpointer *sorted = g_new(gpointer, MAX(names->len, 1));
    for (guint i = 0; i < names->len; i++) {
        sorted[i] = names->pdata[order[i]];
        values[order[i] + 1] = i + 1;
    }
    if (names->len)
        memcpy(names->pdata, sorted, names->len * sizeof *sorted);
    g_free(sorted);
    g_free(order);
    return values;
}

static void for_each_entry(TndMerge *merge, void (*visit)(TndMerge *, TndMergeProcess *, struct entry *, gpointer),
                           gpointer data)
{
    for (guint i = 0; i < merge->processes->len; i++) {
        TndMergeProcess *process = merge->processes->pdata[i];
        struct address_table *table = process->addresses;
        for (gsize j = 0; process->is_shown && table && j < (gsize)1 << table->n_bits; j++)
            if (table->entries[j].address)
                visit(merge, process, &table->entries[j], data);
    }
}

static void visit_to_name(TndMerge *merge, TndMergeProcess *process, struct entry *entry, gpointer naming)
{
    name_address(merge, naming, process, entry);
}

static void visit_to_number(TndMerge *merge, TndMergeProcess *process, struct entry *entry, gpointer data)
{
    guint32 *const *values = data;
    for (struct answer *answer = entry->answers; answer; answer = answer->next) {
        answer->function = values[0][answer->function];
        answer->line = values[1][answer->line];
    }
}

void tnd_merge_samples_run(TndMerge *merge)
{
    struct naming naming = {
        .symbols = tnd_symbols_new(),
        .functions = g_hash_table_new(g_str_hash, g_str_equal),
        .lines = g_hash_table_new(g_str_hash, g_str_equal),
        .function_names = merge->function_names,
        .line_names = merge->line_names,
    };
    for_each_entry(merge, visit_to_name, &naming);
    guint32 *values[2] = {sort_names(merge->function_names), sort_names(merge->line_names)};
    for_each_entry(merge, visit_to_number, values);
    g_free(values[0]);
    g_free(values[1]);
    g_hash_table_unref(naming.functions);
    g_hash_table_unref(naming.lines);
    tnd_symbols_free(naming.symbols);
}

void tnd_merge_samples_find(const TndMergeProcess *process, guint64 address, guint64 ticks, guint32 *function,
                            guint32 *line)
{
    *function = *line = 0;
    if (!process->addresses || !address)
        return;
    const struct answer *answer = find_entry(process->addresses, address)->answers;
    while (answer && answer->next && answer->load_ticks > ticks)
        answer = answer->next;
    if (answer) {
        *function = answer->function;
        *line = answer->line;
    }
}
