/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The code addresses that samples, callers and other records tell of: distinct addresses of each image, then a name
 * and a line for each, then values in the order of names, so that a function has one value in all processes and in
 * every merge of the same run.
 *
 * An address in a stack (TND_MERGE_ADDRESS_IN_STACK: of a sample, or of a call) is named by the function as it was
 * written, and by those into which that one was inlined; others, of code that begins to run, by the function whose code
 * it is. A function of Python stands among addresses with a bit that marks it. Where a file was unloaded and another
 * one loaded at its place, an address has one answer for each file, and the record's time tells them apart. Each rank
 * names the addresses of a share of the processes, and they tell each other.
 */
#include "analysis/merge/read/merge_addresses.h"
#include "analysis/merge/read/merge_code.h"
#include "analysis/merge/read/merge_names.h"
#include "analysis/merge/read/merge_python.h"
#include "analysis/merge/read/symbols.h"

#include <string.h>

/* What an address is in one of the files that were loaded there. */
struct answer {
    guint64 load_ticks;
    guint32 function, line; /* their values */
    struct answer *next;    /* of the file that was loaded there before this one */
    struct answer *into;    /* in a stack, the function that this one is inlined into; NULL: it is not inlined */
};

struct entry {
    guint64 address; /* perhaps with TND_MERGE_ADDRESS_IN_STACK or TND_MERGE_ADDRESS_OF_PYTHON; 0: the entry is free */
    struct answer *answers; /* that of the file that was loaded last is the first */
};

/* A hash table with open addressing, at most half full. */
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

void tnd_merge_addresses_add(TndMergeProcess *process, guint64 address)
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

/* The bytes are the number of addresses, then each address. */
void tnd_merge_addresses_tell(const TndMergeProcess *process, GByteArray *addresses)
{
    const struct address_table *table = process->addresses;
    guint64 n = table ? table->n_used : 0;
    g_byte_array_append(addresses, (const guint8 *)&n, sizeof n);
    for (gsize i = 0; table && i < (gsize)1 << table->n_bits; i++)
        if (table->entries[i].address)
            g_byte_array_append(addresses, (const guint8 *)&table->entries[i].address, sizeof(guint64));
}

void tnd_merge_addresses_learn(TndMergeProcess *process, const guint8 **at)
{
    guint64 n, address;
    memcpy(&n, *at, sizeof n);
    for (*at += sizeof n; n; n--, *at += sizeof address) {
        memcpy(&address, *at, sizeof address);
        tnd_merge_addresses_add(process, address);
    }
}

void tnd_merge_addresses_free(TndMergeProcess *process)
{
    struct address_table *table = process->addresses;
    for (gsize i = 0; table && i < (gsize)1 << table->n_bits; i++)
        while (table->entries[i].answers) {
            struct answer *answer = table->entries[i].answers;
            table->entries[i].answers = answer->into ? answer->into : answer->next;
            if (answer->into)
                answer->into->next = answer->next;
            g_free(answer);
        }
    if (table)
        g_free(table->entries);
    g_clear_pointer(&process->addresses, g_free);
}

/* Where code is that no file has. */
static const TndMergeModule in_memory = {.path = (char[]){"[JIT code]"}};

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

/* Whether a module is none that the loader read from a file, but the kernel's or the program's own making. */
static gboolean is_no_file(const char *module)
{
    return module[0] == '[';
}

/* Code without a function's name has that of what it is in: [libfoo.so], [vdso]. */
static char *function_label(const TndSymbol *symbol)
{
    if (symbol->function)
        return g_strdup(symbol->function);
    return is_no_file(symbol->module) ? g_strdup(symbol->module) : g_strdup_printf("[%s]", symbol->module);
}

/* A line's name is the file without its folders and the number of the line; its path follows. */
static char *place_label(const char *file, guint line)
{
    char *path = g_path_is_absolute(file) ? g_canonicalize_filename(file, NULL) : g_strdup(file);
    const char *slash = strrchr(path, '/');
    char *label = g_strdup_printf("%s:%u" TND_MERGE_MORE "%s", slash ? slash + 1 : path, line, path);
    g_free(path);
    return label;
}

static char *line_label(const TndSymbol *symbol, guint64 offset)
{
    if (symbol->file)
        return place_label(symbol->file, symbol->line);
    if (symbol->function)
        return g_strdup_printf("%s (%s)", symbol->function, symbol->module);
    if (is_no_file(symbol->module))
        return g_strdup(symbol->module);
    return g_strdup_printf("%s+0x%" G_GINT64_MODIFIER "x", symbol->module, offset);
}

static struct answer *new_answer(struct naming *naming, guint64 load_ticks, char *function, char *line)
{
    struct answer *answer = g_new0(struct answer, 1);
    answer->load_ticks = load_ticks;
    answer->function = intern(naming->functions, naming->function_names, function);
    answer->line = intern(naming->lines, naming->line_names, line);
    return answer;
}

/* In a stack, the first answer is the function as it was written, and leads to those that it was inlined into. */
static struct answer *new_answers(struct naming *naming, guint64 load_ticks, const TndSymbol *symbol, guint64 offset,
                                  gboolean is_in_stack)
{
    struct answer *first = NULL, **place = &first;
    char *function = function_label(symbol), *line = line_label(symbol, offset);
    for (const TndSymbolInlined *inlined = is_in_stack ? symbol->inlined : NULL; inlined; inlined = inlined->into) {
        *place = new_answer(naming, load_ticks, g_strdup(inlined->function), line);
        place = &(*place)->into;
        line = inlined->into_file ? place_label(inlined->into_file, inlined->into_line) : g_strdup(function);
    }
    *place = new_answer(naming, load_ticks, function, line);
    return first;
}

/* The answer for a function of Python; its line is where the function begins. */
static struct answer *new_python_answer(struct naming *naming, const TndMergeProcess *process, guint64 number)
{
    const GPtrArray *names = process->python_names;
    const char *name = number < names->len && names->pdata[number] ? names->pdata[number] : TND_MERGE_PYTHON_OTHERS;
    const char *place = strstr(name, TND_MERGE_MORE), *colon = place ? strrchr(place, ':') : NULL;
    if (!colon)
        return new_answer(naming, 0, g_strdup(name), g_strdup(name));
    char *file = g_strndup(place + 1, (gsize)(colon - place - 1));
    char *line = place_label(file, (guint)g_ascii_strtoull(colon + 1, NULL, 10));
    g_free(file);
    return new_answer(naming, 0, g_strdup(name), line);
}

static void add_answer(struct entry *entry, struct answer *answer)
{
    struct answer **place = &entry->answers;
    while (*place && (*place)->load_ticks > answer->load_ticks)
        place = &(*place)->next;
    answer->next = *place;
    *place = answer;
}

/* The answer for an address in a module, or in none that was loaded from a file. */
static struct answer *new_answer_in(struct naming *naming, TndMergeProcess *process, guint64 address,
                                    const TndMergeModule *module, gboolean is_in_stack)
{
    guint64 offset = address - module->bias;
    if (!is_no_file(module->path))
        return new_answers(naming, module->load_ticks, tnd_symbols_find(naming->symbols, module->path, offset), offset,
                           is_in_stack);
    const TndSymbol symbol = {.function = tnd_merge_code_find(process, address), .module = module->path};
    return new_answers(naming, module->load_ticks, &symbol, offset, is_in_stack);
}

/* Asks every file that was ever loaded over the address, in this image or, if it is in none, in the one that it was
 * forked from.  Code that is in none was made in memory, if the image told of its files at all. */
static void name_address(TndMerge *merge, struct naming *naming, TndMergeProcess *process, struct entry *entry)
{
    guint64 address = entry->address & ~TND_MERGE_ADDRESS_IN_STACK;
    gboolean is_in_stack = address != entry->address;
    if (address & TND_MERGE_ADDRESS_OF_PYTHON)
        add_answer(entry, new_python_answer(naming, process, address & ~TND_MERGE_ADDRESS_OF_PYTHON));
    gboolean is_known = process->modules->len > 0;
    for (guint depth = 0; process && !entry->answers && depth < 64; depth++) {
        for (guint i = 0; i < process->modules->len; i++) {
            const TndMergeModule *module = &g_array_index(process->modules, TndMergeModule, i);
            if (address >= module->low && address < module->high)
                add_answer(entry, new_answer_in(naming, process, address, module, is_in_stack));
        }
        if (!entry->answers && tnd_merge_code_find(process, address))
            add_answer(entry, new_answer_in(naming, process, address, &in_memory, is_in_stack));
        process = tnd_merge_names_parent(merge, process);
    }
    if (!entry->answers && is_known) {
        const TndSymbol symbol = {.module = in_memory.path};
        add_answer(entry, new_answers(naming, 0, &symbol, address, is_in_stack));
    }
    if (!entry->answers) {
        char *unknown = g_strdup_printf("0x%" G_GINT64_MODIFIER "x", address);
        add_answer(entry, new_answer(naming, 0, unknown, g_strdup(unknown)));
    }
}

static int compare_indices(gconstpointer a, gconstpointer b, gpointer names)
{
    return strcmp(((GPtrArray *)names)->pdata[*(const guint32 *)a], ((GPtrArray *)names)->pdata[*(const guint32 *)b]);
}

/* Sorts names, and returns which value each index became. */
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

static void for_each_entry(TndMerge *merge, TndMergeProcess *process,
                           void (*visit)(TndMerge *, TndMergeProcess *, struct entry *, gpointer), gpointer data)
{
    struct address_table *table = process->addresses;
    for (gsize i = 0; process->is_shown && table && i < (gsize)1 << table->n_bits; i++)
        if (table->entries[i].address)
            visit(merge, process, &table->entries[i], data);
}

static void visit_to_name(TndMerge *merge, TndMergeProcess *process, struct entry *entry, gpointer naming)
{
    name_address(merge, naming, process, entry);
}

static void visit_to_number(TndMerge *merge, TndMergeProcess *process, struct entry *entry, gpointer data)
{
    guint32 *const *values = data;
    for (struct answer *answer = entry->answers; answer; answer = answer->next)
        for (struct answer *level = answer; level; level = level->into) {
            level->function = values[0][level->function];
            level->line = values[1][level->line];
        }
}

/* Names the addresses of this rank's share of the processes. */
static void name_share(TndMerge *merge, struct naming *naming, const guint *ranks)
{
    for (guint i = 0; i < merge->processes->len; i++)
        if (ranks[i] == merge->team->rank)
            for_each_entry(merge, merge->processes->pdata[i], visit_to_name, naming);
}

/* A share goes from one rank to another as bytes. */
static void put(GByteArray *told, gconstpointer bytes, gsize n_bytes)
{
    g_byte_array_append(told, bytes, (guint)n_bytes);
}

static void get(const guint8 **at, gpointer bytes, gsize n_bytes)
{
    memcpy(bytes, *at, n_bytes);
    *at += n_bytes;
}

static void put_names(GByteArray *told, const GPtrArray *names)
{
    put(told, &names->len, sizeof names->len);
    for (guint i = 0; i < names->len; i++)
        put(told, names->pdata[i], strlen(names->pdata[i]) + 1);
}

/* Returns which index of ours each index of the other rank is. */
static guint32 *get_names(const guint8 **at, GHashTable *known, GPtrArray *names)
{
    guint n;
    get(at, &n, sizeof n);
    guint32 *indices = g_new(guint32, n + 1);
    for (guint i = 1; i <= n; i++) {
        indices[i] = intern(known, names, g_strdup((const char *)*at));
        *at += strlen((const char *)*at) + 1;
    }
    return indices;
}

static void put_count(GByteArray *told, const struct answer *first, gsize next)
{
    guint32 n = 0;
    for (const struct answer *at = first; at; at = G_STRUCT_MEMBER(struct answer *, at, next))
        n++;
    put(told, &n, sizeof n);
}

static void visit_to_tell(TndMerge *merge, TndMergeProcess *process, struct entry *entry, gpointer told)
{
    put(told, &entry->address, sizeof entry->address);
    put_count(told, entry->answers, offsetof(struct answer, next));
    for (const struct answer *answer = entry->answers; answer; answer = answer->next) {
        put_count(told, answer, offsetof(struct answer, into));
        for (const struct answer *level = answer; level; level = level->into)
            put(told, level, offsetof(struct answer, next));
    }
}

/* Takes an answer, with those for the functions that it is inlined into. */
static struct answer *get_answer(const guint8 **at, const guint32 *functions, const guint32 *lines)
{
    struct answer *first = NULL, **place = &first;
    guint32 n;
    for (get(at, &n, sizeof n); n; n--, place = &(*place)->into) {
        struct answer *level = *place = g_new0(struct answer, 1);
        get(at, level, offsetof(struct answer, next));
        level->function = functions[level->function];
        level->line = lines[level->line];
    }
    return first;
}

/* Takes the answers to all of a process's addresses. */
static void get_answers(const guint8 **at, TndMergeProcess *process, const guint32 *functions, const guint32 *lines)
{
    const struct address_table *table = process->addresses;
    for (guint i = 0; process->is_shown && table && i < table->n_used; i++) {
        guint64 address;
        guint32 n;
        get(at, &address, sizeof address);
        get(at, &n, sizeof n);
        struct answer **place = &find_entry(table, address)->answers;
        for (; n; n--, place = &(*place)->next)
            *place = get_answer(at, functions, lines);
    }
}

/* Gives this rank's answers to all others, and takes theirs. */
static void exchange_answers(TndMerge *merge, struct naming *naming, const guint *ranks)
{
    GByteArray *told = g_byte_array_new(), *take = g_byte_array_new();
    gsize *begins = g_new(gsize, merge->team->n_ranks + 1);
    put_names(told, naming->function_names);
    put_names(told, naming->line_names);
    for (guint i = 0; i < merge->processes->len; i++)
        if (ranks[i] == merge->team->rank)
            for_each_entry(merge, merge->processes->pdata[i], visit_to_tell, told);
    tnd_merge_team_tell(merge->team, told, take, begins);
    for (guint rank = 0; rank < merge->team->n_ranks; rank++) {
        if (rank == merge->team->rank)
            continue;
        const guint8 *at = take->data + begins[rank];
        guint32 *functions = get_names(&at, naming->functions, naming->function_names);
        guint32 *lines = get_names(&at, naming->lines, naming->line_names);
        for (guint i = 0; i < merge->processes->len; i++)
            if (ranks[i] == rank)
                get_answers(&at, merge->processes->pdata[i], functions, lines);
        g_free(functions);
        g_free(lines);
    }
    g_free(begins);
    g_byte_array_unref(take);
    g_byte_array_unref(told);
}

/* Which rank names the addresses of which process.  Of several threads one names all, because libbfd serves one. */
static guint *share_processes(const TndMerge *merge)
{
    guint *ranks = g_new0(guint, MAX(merge->processes->len, 1));
    guint64 *loads = g_new0(guint64, merge->team->n_ranks);
    for (guint i = 0; i < merge->processes->len && !merge->team->is_one_process; i++) {
        const TndMergeProcess *process = merge->processes->pdata[i];
        guint n_addresses = process->is_shown && process->addresses ? process->addresses->n_used : 0;
        ranks[i] = tnd_merge_team_assign(merge->team, loads, n_addresses);
    }
    g_free(loads);
    return ranks;
}

void tnd_merge_addresses_run(TndMerge *merge)
{
    struct naming naming = {
        .symbols = tnd_symbols_new(),
        .functions = g_hash_table_new(g_str_hash, g_str_equal),
        .lines = g_hash_table_new(g_str_hash, g_str_equal),
        .function_names = merge->function_names,
        .line_names = merge->line_names,
    };
    guint *ranks = share_processes(merge);
    name_share(merge, &naming, ranks);
    if (merge->team->n_ranks > 1)
        exchange_answers(merge, &naming, ranks);
    tnd_merge_names_shorten(merge->function_names, "()");
    tnd_merge_names_shorten(merge->line_names, "[]");
    guint32 *values[2] = {sort_names(merge->function_names), sort_names(merge->line_names)};
    for (guint i = 0; i < merge->processes->len; i++)
        for_each_entry(merge, merge->processes->pdata[i], visit_to_number, values);
    g_free(values[0]);
    g_free(values[1]);
    g_free(ranks);
    g_hash_table_unref(naming.functions);
    g_hash_table_unref(naming.lines);
    tnd_symbols_free(naming.symbols);
}

/* NULL: the address was not remembered. */
static const struct answer *find_answer(const TndMergeProcess *process, guint64 address, guint64 ticks)
{
    const struct answer *answer =
        process->addresses && address ? find_entry(process->addresses, address)->answers : NULL;
    while (answer && answer->next && answer->load_ticks > ticks)
        answer = answer->next;
    return answer;
}

void tnd_merge_addresses_find(const TndMergeProcess *process, guint64 address, guint64 ticks, guint32 *function,
                              guint32 *line)
{
    const struct answer *answer = find_answer(process, address, ticks);
    *function = answer ? answer->function : 0;
    *line = answer ? answer->line : 0;
}

guint tnd_merge_addresses_levels(const TndMergeProcess *process, guint64 address, guint64 ticks, TndMergeLevel *levels,
                                 guint max)
{
    guint n = 0;
    for (const struct answer *at = find_answer(process, address, ticks); at && n < max; at = at->into)
        levels[n++] = (TndMergeLevel){at->function, at->line};
    return n;
}
