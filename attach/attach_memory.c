/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The other side of unwind/unwind_memory.h.  What unwind tables said of a place is kept for all processes in one table
 * (unwind/unwind_cache.h): the generation tells them apart, a new one each time that the code of one changes.
 */
#include "attach/attach_memory.h"

#include "attach/attach_file.h"
#include "runtime/modules.h"
#include "unwind/unwind_memory.h"

#include <string.h>

struct module {
    guint64 low, high, shift; /* shift: from its addresses to where the file's bytes are here */
    const TndAttachFile *file;
};

struct TndAttachMemory {
    int pid;
    GArray *modules;   /* struct module, in the order of addresses */
    GHashTable *files; /* path: TndAttachFile, NULL: it cannot be read */
    guint64 generation;
};

uint64_t tnd_modules_generation;

static const TndAttachMemory *walked; /* whose stack is being walked */

static void free_file(gpointer file)
{
    tnd_attach_file_free(file);
}

static void change(TndAttachMemory *memory)
{
    static guint64 last;
    memory->generation = ++last;
}

TndAttachMemory *tnd_attach_memory_new(int pid)
{
    TndAttachMemory *memory = g_new0(TndAttachMemory, 1);
    memory->pid = pid;
    memory->modules = g_array_new(FALSE, FALSE, sizeof(struct module));
    memory->files = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_file);
    change(memory);
    return memory;
}

void tnd_attach_memory_free(TndAttachMemory *memory)
{
    g_array_unref(memory->modules);
    g_hash_table_unref(memory->files);
    g_free(memory);
}

/* The file of a mapping: as the process's root directory has it, or, if it has been deleted or replaced, what is
 * mapped, if we may read that. */
static TndAttachFile *open_file(const TndAttachMemory *memory, const TndAttachMapping *mapping)
{
    if (g_str_equal(mapping->path, "[vdso]"))
        return tnd_attach_file_of_kernel();
    if (mapping->path[0] != '/')
        return NULL;
    char *places[] = {
        g_strdup_printf("/proc/%d/map_files/%" G_GINT64_MODIFIER "x-%" G_GINT64_MODIFIER "x", memory->pid, mapping->low,
                        mapping->high),
        g_strdup_printf("/proc/%d/root%s", memory->pid, mapping->path),
        g_strdup(mapping->path),
    };
    TndAttachFile *file = NULL;
    for (guint i = 0; i < G_N_ELEMENTS(places); i++) {
        if (!file && !(i > 0 && g_str_has_suffix(mapping->path, " (deleted)")))
            file = tnd_attach_file_open(places[i]);
        g_free(places[i]);
    }
    return file;
}

static const TndAttachFile *find_file(TndAttachMemory *memory, const TndAttachMapping *mapping)
{
    gpointer file;
    if (!g_hash_table_lookup_extended(memory->files, mapping->path, NULL, &file)) {
        file = open_file(memory, mapping);
        g_hash_table_insert(memory->files, g_strdup(mapping->path), file);
    }
    return file;
}

/* The first module that ends behind an address. */
static guint find_place(const TndAttachMemory *memory, guint64 address)
{
    guint low = 0, high = memory->modules->len;
    while (low < high) {
        guint middle = low + (high - low) / 2;
        if (g_array_index(memory->modules, struct module, middle).high <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static const struct module *find_module(const TndAttachMemory *memory, guint64 address)
{
    guint i = find_place(memory, address);
    const struct module *module = i < memory->modules->len ? &g_array_index(memory->modules, struct module, i) : NULL;
    return module && module->low <= address ? module : NULL;
}

gboolean tnd_attach_memory_map(TndAttachMemory *memory, const TndAttachMapping *mapping, guint64 *bias)
{
    const TndAttachFile *file = find_file(memory, mapping);
    gboolean has_code = file && tnd_attach_file_bias(file, mapping->offset, mapping->low, bias);
    guint at = find_place(memory, mapping->low), end = at;
    while (end < memory->modules->len && g_array_index(memory->modules, struct module, end).low < mapping->high)
        end++;
    g_array_remove_range(memory->modules, at, end - at);
    if (has_code) {
        struct module module = {mapping->low, mapping->high, (guint64)(uintptr_t)file->low - file->first - *bias, file};
        g_array_insert_val(memory->modules, at, module);
    }
    change(memory);
    return has_code;
}

bool tnd_unwind_memory_object(uint64_t pc, struct tnd_unwind_object *object)
{
    const struct module *module = find_module(walked, pc);
    if (!module || !module->file->index)
        return false;
    *object = (struct tnd_unwind_object){module->file->low, module->file->high, module->file->index, module->shift};
    return true;
}

/* Only code is read like this, which is in the file as it is in the process. */
bool tnd_unwind_memory_load(uint64_t address, uint64_t *value)
{
    const struct module *module = find_module(walked, address);
    if (!module || module->high - address < sizeof *value)
        return false;
    const guint8 *here = (const guint8 *)(uintptr_t)(address + module->shift);
    if (here < module->file->low || here >= module->file->high || (gsize)(module->file->high - here) < sizeof *value)
        return false;
    memcpy(value, here, sizeof *value);
    return true;
}

guint tnd_attach_memory_walk(TndAttachMemory *memory, const TndAttachMoment *moment, guint64 *frames, guint max,
                             gboolean *deeper)
{
    struct tnd_unwind_state state;
    guint n = 0;
    memcpy(state.registers, moment->registers, sizeof state.registers);
    walked = memory;
    tnd_modules_generation = memory->generation;
    gboolean is_aligned = state.registers[TND_UNWIND_SP] % 8 == 0; /* else words of the copy cannot be read */
    tnd_unwind_tables_begin_copied(&state, moment->stack, is_aligned ? moment->n_bytes : 0);
    do
        frames[n++] = state.registers[TND_UNWIND_PC];
    while (n < max && tnd_unwind_tables_step(&state) && state.registers[TND_UNWIND_PC]);
    if (state.is_astray && n > 1)
        n--;
    /* The walk came to the end of the copy: the next frame's words are not in it. */
    guint64 end = moment->registers[TND_UNWIND_SP] + moment->n_bytes, room = 512;
    *deeper = n == max || (moment->is_cut && state.registers[TND_UNWIND_SP] + room >= end);
    return n;
}
