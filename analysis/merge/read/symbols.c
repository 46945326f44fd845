/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Code addresses to names.  Functions come from the file's own symbol tables, sorted once and searched in O(log n); a
 * symbol answers only for the bytes that it says are its own, so that code of a stripped library is not given to
 * whatever exported function stands before it.  Lines come from libbfd, which reads DWARF of the file or of its
 * separate debug file (by build id, under /usr/lib/debug).  Where no symbol tells, the index of the unwind tables still
 * says where functions begin: they are named by that place ("gzip+0x4a30").
 *
 * Cost: about 100 ns a new address for the function, a few us to ms for the line (measured, tests/bench); asked again,
 * one hash look-up.  Memory: the symbol tables of the modules asked about.
 */
#define PACKAGE "tandem" /* bfd.h wants to know who includes it */
#include "analysis/merge/read/symbols.h"

#include <bfd.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#define DEBUG_DIRECTORY "/usr/lib/debug"

enum { DEMANGLE_PARAMS = 1, DEMANGLE_ANSI = 2 }; /* DMGL_PARAMS, DMGL_ANSI of binutils' demangle.h, not installed */

struct function {
    guint64 begin, end; /* end == begin: as far as the next one, but not beyond limit */
    guint64 limit;      /* the section's end */
    const char *name;   /* in the mapped file, or libbfd's; NULL: it has none */
};

struct module {
    char *name;           /* base name */
    GMappedFile *maps[2]; /* the file, its separate debug file */
    GArray *functions;    /* of struct function, by begin; begins are distinct */
    bfd *lines;           /* NULL: none */
    asymbol **bfd_symbols;
    asymbol *stubs;      /* what libbfd makes up for calls into other files: "sin@plt" */
    GHashTable *answers; /* guint64 * -> TndSymbol * */
};

struct TndSymbols {
    GHashTable *modules; /* path -> struct module * */
    GStringChunk *strings;
    GPtrArray *inlined; /* all TndSymbolInlined, to be freed */
};

/* A file's bytes with its byte order and word size. */
struct elf {
    const guint8 *bytes;
    gsize size;
    gboolean is_64, is_big;
};

static guint64 read_number(const struct elf *elf, guint64 offset, guint n_bytes)
{
    if (offset > elf->size || elf->size - offset < n_bytes)
        return 0;
    guint64 value = 0;
    for (guint i = 0; i < n_bytes; i++)
        value = value << 8 | elf->bytes[offset + (elf->is_big ? i : n_bytes - 1 - i)];
    return value;
}

/* A field that stands at one offset in 32-bit files (4 bytes) and another in 64-bit ones (8 bytes). */
static guint64 read_word(const struct elf *elf, guint64 base, guint offset_32, guint offset_64)
{
    return elf->is_64 ? read_number(elf, base + offset_64, 8) : read_number(elf, base + offset_32, 4);
}

static gboolean open_elf(GMappedFile *map, struct elf *elf)
{
    elf->bytes = (const guint8 *)g_mapped_file_get_contents(map);
    elf->size = g_mapped_file_get_length(map);
    if (elf->size < 52 || memcmp(elf->bytes, ELFMAG, SELFMAG) != 0)
        return FALSE;
    elf->is_64 = elf->bytes[EI_CLASS] == ELFCLASS64;
    elf->is_big = elf->bytes[EI_DATA] == ELFDATA2MSB;
    return TRUE;
}

static const char *name_at(const struct elf *elf, guint64 strings, guint64 strings_size, guint64 offset)
{
    if (strings > elf->size || strings_size > elf->size - strings || offset >= strings_size)
        return NULL;
    const char *name = (const char *)elf->bytes + strings + offset;
    return memchr(name, 0, strings_size - offset) && *name ? name : NULL;
}

/* Adds the functions of the symbol table whose section header is at `section`. */
static void add_table(GArray *functions, const struct elf *elf, guint64 headers, guint header_size, guint64 section)
{
    guint64 offset = read_word(elf, section, 16, 24), size = read_word(elf, section, 20, 32);
    guint64 entry = read_word(elf, section, 36, 56), link = read_number(elf, section + (elf->is_64 ? 40 : 24), 4);
    guint64 names = headers + link * header_size;
    guint64 strings = read_word(elf, names, 16, 24), strings_size = read_word(elf, names, 20, 32);
    if (entry < (elf->is_64 ? 24 : 16) || offset > elf->size || size > elf->size - offset)
        return;
    for (guint64 at = offset; at + entry <= offset + size; at += entry) {
        guint info = (guint)read_number(elf, at + (elf->is_64 ? 4 : 12), 1);
        guint type = info & 15, index = (guint)read_number(elf, at + (elf->is_64 ? 6 : 14), 2);
        guint64 value = read_word(elf, at, 4, 8), bytes = read_word(elf, at, 8, 16);
        if ((type != STT_FUNC && type != STT_GNU_IFUNC && !(type == STT_NOTYPE && bytes)) || index == SHN_UNDEF)
            continue;
        const char *name = name_at(elf, strings, strings_size, read_number(elf, at, 4));
        guint64 within = headers + (guint64)index * header_size;
        guint64 limit = read_word(elf, within, 12, 16) + read_word(elf, within, 20, 32);
        if (name && value)
            g_array_append_vals(functions, &(struct function){value, value + bytes, limit, name}, 1);
    }
}

static void add_functions(GArray *functions, GMappedFile *map)
{
    struct elf elf;
    if (!map || !open_elf(map, &elf))
        return;
    guint64 headers = read_word(&elf, 0, 32, 40);
    guint header_size = (guint)read_number(&elf, elf.is_64 ? 58 : 46, 2);
    guint n_headers = (guint)read_number(&elf, elf.is_64 ? 60 : 48, 2);
    for (guint i = 0; i < n_headers; i++) {
        guint64 section = headers + (guint64)i * header_size;
        guint64 type = read_number(&elf, section + 4, 4);
        if (type == SHT_SYMTAB || type == SHT_DYNSYM)
            add_table(functions, &elf, headers, header_size, section);
    }
}

/* The function that an address belongs to among the first n, which are sorted; NULL: none. */
static const struct function *find_function(const GArray *functions, guint n, guint64 address)
{
    const struct function *all = (const struct function *)(const void *)functions->data;
    guint low = 0, high = n; /* all[low - 1].begin <= address < all[high].begin */
    while (low < high) {
        guint middle = low + (high - low) / 2;
        if (all[middle].begin <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low && address < all[low - 1].end ? &all[low - 1] : NULL;
}

/* Where the code that is loaded with an address ends. */
static guint64 segment_end(const struct elf *elf, guint64 address)
{
    guint64 headers = read_word(elf, 0, 28, 32);
    guint size = (guint)read_number(elf, elf->is_64 ? 54 : 42, 2), n = (guint)read_number(elf, elf->is_64 ? 56 : 44, 2);
    for (guint64 at = headers; at < headers + (guint64)n * size; at += size) {
        guint64 begin = read_word(elf, at, 8, 16), n_bytes = read_word(elf, at, 20, 40);
        if (read_number(elf, at, 4) == PT_LOAD && address >= begin && address - begin < n_bytes)
            return begin + n_bytes;
    }
    return address;
}

/* Adds, without a name, what begins at each place of the index of unwind tables that no function here covers.  The
 * index: version 1, three bytes that say how numbers are written, where the tables are, how many entries, and pairs of
 * 32-bit distances from the index itself, of which the first is the code's; other ways of writing are left alone. */
static void add_nameless(GArray *functions, const struct elf *elf, guint64 index, guint64 address)
{
    enum { HOW = 0x3b031b01 };
    guint n_named = functions->len;
    guint64 n = read_number(elf, index + 8, 4);
    if (elf->is_big || read_number(elf, index, 4) != HOW || n > elf->size / 8)
        return;
    for (guint64 i = 0; i < n; i++) {
        guint64 begin = address + (guint64)(gint64)(gint32)read_number(elf, index + 12 + 8 * i, 4);
        if (!find_function(functions, n_named, begin))
            g_array_append_vals(functions, &(struct function){begin, begin, segment_end(elf, begin), NULL}, 1);
    }
}

static void add_unwind_index(GArray *functions, GMappedFile *map)
{
    struct elf elf;
    if (!map || !open_elf(map, &elf))
        return;
    guint64 headers = read_word(&elf, 0, 28, 32);
    guint size = (guint)read_number(&elf, elf.is_64 ? 54 : 42, 2), n = (guint)read_number(&elf, elf.is_64 ? 56 : 44, 2);
    for (guint64 at = headers; at < headers + (guint64)n * size; at += size)
        if (read_number(&elf, at, 4) == PT_GNU_EH_FRAME)
            add_nameless(functions, &elf, read_word(&elf, at, 4, 8), read_word(&elf, at, 8, 16));
}

/* Of several names of one address the best: the longest extent, then the fewest leading underscores, then by name. */
static int compare_functions(gconstpointer a, gconstpointer b)
{
    const struct function *f = a, *g = b;
    if (f->begin != g->begin)
        return f->begin < g->begin ? -1 : 1;
    if (!f->name || !g->name)
        return !f->name - !g->name;
    if (f->end != g->end)
        return f->end > g->end ? -1 : 1;
    gsize f_underscores = strspn(f->name, "_"), g_underscores = strspn(g->name, "_");
    if (f_underscores != g_underscores)
        return f_underscores < g_underscores ? -1 : 1;
    return strcmp(f->name, g->name);
}

/* Sorts, drops second names, and lets a symbol without a size reach to its successor. */
static void sort_functions(GArray *functions)
{
    g_array_sort(functions, compare_functions);
    struct function *all = (struct function *)(void *)functions->data;
    guint n = 0;
    for (guint i = 0; i < functions->len; i++)
        if (!n || all[n - 1].begin != all[i].begin)
            all[n++] = all[i];
    g_array_set_size(functions, n);
    for (guint i = 0; i < n; i++)
        if (all[i].end == all[i].begin)
            all[i].end = i + 1 < n && all[i + 1].begin < all[i].limit ? all[i + 1].begin : all[i].limit;
}

static void free_module(gpointer data)
{
    struct module *module = data;
    if (module->lines)
        bfd_close(module->lines);
    g_free(module->bfd_symbols);
    free(module->stubs); /* libbfd's malloc */
    for (guint i = 0; i < 2; i++)
        if (module->maps[i])
            g_mapped_file_unref(module->maps[i]);
    g_array_unref(module->functions);
    g_hash_table_unref(module->answers);
    g_free(module->name);
    g_free(module);
}

/* libbfd wants the symbols too: it looks for functions of files that have no DWARF, and names stubs. */
static asymbol **read_bfd_symbols(bfd *file, gboolean is_dynamic, long *n)
{
    long size = is_dynamic ? bfd_get_dynamic_symtab_upper_bound(file) : bfd_get_symtab_upper_bound(file);
    asymbol **symbols = g_malloc0(MAX((gsize)MAX(size, 0), sizeof(asymbol *)));
    *n = 0;
    if (size > 0)
        *n = is_dynamic ? bfd_canonicalize_dynamic_symtab(file, symbols) : bfd_canonicalize_symtab(file, symbols);
    *n = MAX(*n, 0);
    return symbols;
}

static void add_stubs(struct module *module, long n_symbols)
{
    long n_dynamic;
    asymbol **dynamic = read_bfd_symbols(module->lines, TRUE, &n_dynamic);
    long n =
        bfd_get_synthetic_symtab(module->lines, n_symbols, module->bfd_symbols, n_dynamic, dynamic, &module->stubs);
    for (long i = 0; i < n; i++) {
        const asymbol *stub = &module->stubs[i];
        guint64 begin = bfd_asymbol_value(stub),
                limit = bfd_section_vma(stub->section) + bfd_section_size(stub->section);
        g_array_append_vals(module->functions, &(struct function){begin, begin, limit, stub->name}, 1);
    }
    g_free(dynamic);
}

static struct module *open_module(const char *path)
{
    struct module *module = g_new0(struct module, 1);
    module->name = g_path_get_basename(path);
    module->functions = g_array_new(FALSE, FALSE, sizeof(struct function));
    module->answers = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
    module->maps[0] = g_mapped_file_new(path, FALSE, NULL);
    if (!module->maps[0])
        return module;
    module->lines = bfd_openr(path, NULL);
    if (module->lines && !bfd_check_format(module->lines, bfd_object)) {
        bfd_close(module->lines);
        module->lines = NULL;
    }
    if (module->lines) {
        module->lines->flags |= BFD_DECOMPRESS;
        long n_symbols;
        module->bfd_symbols = read_bfd_symbols(module->lines, FALSE, &n_symbols);
        add_stubs(module, n_symbols);
        char *debug = bfd_follow_build_id_debuglink(module->lines, DEBUG_DIRECTORY);
        if (debug)
            module->maps[1] = g_mapped_file_new(debug, FALSE, NULL);
        free(debug); /* libbfd's malloc */
    }
    add_functions(module->functions, module->maps[0]);
    add_functions(module->functions, module->maps[1]);
    sort_functions(module->functions);
    add_unwind_index(module->functions, module->maps[0]);
    sort_functions(module->functions);
    return module;
}

static void find_line(struct module *module, guint64 address, const char **file, const char **function, guint *line)
{
    if (!module->lines)
        return;
    for (asection *section = module->lines->sections; section; section = section->next) {
        bfd_vma begin = bfd_section_vma(section);
        if (!(bfd_section_flags(section) & SEC_CODE) || address < begin || address - begin >= bfd_section_size(section))
            continue;
        unsigned discriminator;
        if (!bfd_find_nearest_line_discriminator(module->lines, section, module->bfd_symbols, address - begin, file,
                                                 function, line, &discriminator))
            *file = *function = NULL, *line = 0;
        return;
    }
}

/* A procedure of a module, __counted_MOD_loops as GNU Fortran calls it, in the way in which debuggers show it:
 * counted::loops.  NULL: it is none. */
static char *fortran_name(const char *name)
{
    const char *border = g_str_has_prefix(name, "__") ? strstr(name + 2, "_MOD_") : NULL;
    return border ? g_strdup_printf("%.*s::%s", (int)(border - name - 2), name + 2, border + strlen("_MOD_")) : NULL;
}

static const char *keep_name(TndSymbols *symbols, struct module *module, const char *name)
{
    char *plain = module->lines ? bfd_demangle(module->lines, name, DEMANGLE_PARAMS | DEMANGLE_ANSI) : NULL;
    char *fortran = plain ? NULL : fortran_name(name);
    const char *kept = g_string_chunk_insert_const(symbols->strings, plain ? plain : fortran ? fortran : name);
    free(plain); /* libbfd's malloc */
    g_free(fortran);
    return kept;
}

static const char *keep_place(TndSymbols *symbols, const struct module *module, guint64 begin)
{
    char *place = g_strdup_printf("%s+0x%" G_GINT64_MODIFIER "x", module->name, begin);
    const char *kept = g_string_chunk_insert_const(symbols->strings, place);
    g_free(place);
    return kept;
}

/* The functions that were inlined at the place that libbfd was asked about last; `function` is the innermost. */
static const TndSymbolInlined *keep_inlined(TndSymbols *symbols, struct module *module, const char *function)
{
    TndSymbolInlined *innermost = NULL, **place = &innermost;
    const char *file, *around;
    guint line;
    while (module->lines && function && bfd_find_inliner_info(module->lines, &file, &around, &line)) {
        *place = g_new0(TndSymbolInlined, 1);
        g_ptr_array_add(symbols->inlined, *place);
        (*place)->function = keep_name(symbols, module, function);
        (*place)->into_file = file ? g_string_chunk_insert_const(symbols->strings, file) : NULL;
        (*place)->into_line = line;
        place = (TndSymbolInlined **)&(*place)->into;
        function = around;
    }
    return innermost;
}

static TndSymbol *resolve(TndSymbols *symbols, struct module *module, guint64 address)
{
    TndSymbol *symbol = g_new0(TndSymbol, 1);
    symbol->module = module->name;
    const char *file = NULL, *dwarf_function = NULL;
    guint line = 0;
    find_line(module, address, &file, &dwarf_function, &line);
    if (line)
        symbol->inlined = keep_inlined(symbols, module, dwarf_function);
    const struct function *function = find_function(module->functions, module->functions->len, address);
    if (function && function->name)
        symbol->function = keep_name(symbols, module, function->name);
    else if (dwarf_function && line)
        symbol->function = keep_name(symbols, module, dwarf_function);
    else if (function)
        symbol->function = keep_place(symbols, module, function->begin);
    if (file && line) {
        symbol->file = g_string_chunk_insert_const(symbols->strings, file);
        symbol->line = line;
    }
    return symbol;
}

/* libbfd tells of odd debug information on stderr; what cannot be read is unknown, and that is all. */
static void ignore_fault(const char *format, va_list arguments) {}

TndSymbols *tnd_symbols_new(void)
{
    static gsize initialised;
    if (g_once_init_enter(&initialised)) {
        bfd_init();
        bfd_set_error_handler(ignore_fault);
        g_once_init_leave(&initialised, 1);
    }
    TndSymbols *symbols = g_new0(TndSymbols, 1);
    symbols->modules = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_module);
    symbols->strings = g_string_chunk_new(4096);
    symbols->inlined = g_ptr_array_new_with_free_func(g_free);
    return symbols;
}

void tnd_symbols_free(TndSymbols *symbols)
{
    if (!symbols)
        return;
    g_hash_table_unref(symbols->modules);
    g_string_chunk_free(symbols->strings);
    g_ptr_array_unref(symbols->inlined);
    g_free(symbols);
}

const TndSymbol *tnd_symbols_find(TndSymbols *symbols, const char *path, guint64 offset)
{
    struct module *module = g_hash_table_lookup(symbols->modules, path);
    if (!module) {
        module = open_module(path);
        g_hash_table_insert(symbols->modules, g_strdup(path), module);
    }
    TndSymbol *symbol = g_hash_table_lookup(module->answers, &offset);
    if (!symbol) {
        symbol = resolve(symbols, module, offset);
        g_hash_table_insert(module->answers, g_memdup2(&offset, sizeof offset), symbol);
    }
    return symbol;
}
