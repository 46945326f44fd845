/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Code addresses to names.  Functions come from the symbol tables of the file, of its separate debug file (by build id
 * or by the file's link to it) and of the small one that some systems pack into the file (.gnu_debugdata), sorted once
 * and searched in O(log n).  A symbol answers only for the bytes that it says are its own, so that code of a stripped
 * library is not given to whatever exported function stands before it.  Lines come from libbfd, which reads DWARF of
 * the file or of its separate debug file.  Where no symbol tells, the index of the unwind tables still says where
 * functions begin and end: they are named by that place ("gzip+0x4a30").
 *
 * Cost: about 100 ns a new address for the function, a few us to ms for the line (measured, tests/bench); asked again,
 * one hash look-up.  Memory: the symbol tables of the modules asked about.
 */
#define PACKAGE "tandem" /* bfd.h wants to know who includes it */
#include "analysis/merge/read/symbols.h"

#include "analysis/base/unxz.h"
#include "analysis/merge/read/elf_file.h"
#include "analysis/merge/read/elf_unwind.h"
#include "formats/regular_file.h"

#include <bfd.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEBUG_DIRECTORY "/usr/lib/debug"
#define MAX_UNPACKED_BYTES ((gsize)256 << 20)

enum { DEMANGLE_PARAMS = 1, DEMANGLE_ANSI = 2 }; /* DMGL_PARAMS, DMGL_ANSI of binutils' demangle.h, not installed */

struct function {
    guint64 begin, end;
    guint64 limit;     /* the section's end */
    const char *name;  /* in the mapped file, or libbfd's */
    gboolean is_sized; /* the symbol says where it ends; otherwise that is where the next one begins, or the limit */
};

enum { ITSELF, DEBUG_FILE, PACKED, N_FILES };

struct module {
    char *name;             /* base name */
    GBytes *files[N_FILES]; /* NULL: there is none */
    TndElfFile elf;         /* itself; without bytes if it cannot be read */
    GArray *functions;      /* of struct function, by begin; begins are distinct */
    bfd *lines;             /* NULL: none */
    asymbol **bfd_symbols;
    asymbol *stubs;      /* what libbfd makes up for calls into other files: "sin@plt" */
    GHashTable *answers; /* guint64 * -> TndSymbol * */
};

struct TndSymbols {
    GHashTable *modules; /* path -> struct module * */
    GStringChunk *strings;
    GPtrArray *inlined; /* all TndSymbolInlined, to be freed */
};

static const char *name_at(const TndElfFile *elf, guint64 strings, guint64 strings_size, guint64 offset)
{
    if (strings > elf->size || strings_size > elf->size - strings || offset >= strings_size)
        return NULL;
    const char *name = (const char *)elf->bytes + strings + offset;
    return memchr(name, 0, strings_size - offset) && *name ? name : NULL;
}

/* Adds the functions of the symbol table whose section header is at `section`. */
static void add_table(GArray *functions, const TndElfFile *elf, guint64 headers, guint header_size, guint64 section)
{
    guint64 offset = tnd_elf_file_word(elf, section, 16, 24), size = tnd_elf_file_word(elf, section, 20, 32);
    guint64 entry = tnd_elf_file_word(elf, section, 36, 56),
            link = tnd_elf_file_number(elf, section + (elf->is_64 ? 40 : 24), 4);
    guint64 names = headers + link * header_size;
    guint64 strings = tnd_elf_file_word(elf, names, 16, 24), strings_size = tnd_elf_file_word(elf, names, 20, 32);
    if (entry < (elf->is_64 ? 24 : 16) || offset > elf->size || size > elf->size - offset)
        return;
    for (guint64 at = offset; at + entry <= offset + size; at += entry) {
        guint info = (guint)tnd_elf_file_number(elf, at + (elf->is_64 ? 4 : 12), 1);
        guint type = info & 15, index = (guint)tnd_elf_file_number(elf, at + (elf->is_64 ? 6 : 14), 2);
        guint64 value = tnd_elf_file_word(elf, at, 4, 8), bytes = tnd_elf_file_word(elf, at, 8, 16);
        if ((type != STT_FUNC && type != STT_GNU_IFUNC && !(type == STT_NOTYPE && bytes)) || index == SHN_UNDEF)
            continue;
        const char *name = name_at(elf, strings, strings_size, tnd_elf_file_number(elf, at, 4));
        guint64 within = headers + (guint64)index * header_size;
        guint64 limit = tnd_elf_file_word(elf, within, 12, 16) + tnd_elf_file_word(elf, within, 20, 32);
        if (name && value)
            g_array_append_vals(functions, &(struct function){value, value + bytes, limit, name, bytes > 0}, 1);
    }
}

static void add_functions(GArray *functions, GBytes *file)
{
    TndElfFile elf;
    if (!file || !tnd_elf_file_open(&elf, g_bytes_get_data(file, NULL), g_bytes_get_size(file)))
        return;
    guint64 headers = tnd_elf_file_word(&elf, 0, 32, 40);
    guint header_size = (guint)tnd_elf_file_number(&elf, elf.is_64 ? 58 : 46, 2);
    guint n_headers = (guint)tnd_elf_file_number(&elf, elf.is_64 ? 60 : 48, 2);
    for (guint i = 0; i < n_headers; i++) {
        guint64 section = headers + (guint64)i * header_size;
        guint64 type = tnd_elf_file_number(&elf, section + 4, 4);
        if (type == SHT_SYMTAB || type == SHT_DYNSYM)
            add_table(functions, &elf, headers, header_size, section);
    }
}

/* The last function that begins at an address or before it; NULL: none. */
static const struct function *find_function(const GArray *functions, guint64 address)
{
    const struct function *all = (const struct function *)(const void *)functions->data;
    guint low = 0, high = functions->len; /* all[low - 1].begin <= address < all[high].begin */
    while (low < high) {
        guint middle = low + (high - low) / 2;
        if (all[middle].begin <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? &all[low - 1] : NULL;
}

/* Of several names of one address the best: the longest extent, then the fewest leading underscores, then by name. */
static int compare_functions(gconstpointer a, gconstpointer b)
{
    const struct function *f = a, *g = b;
    if (f->begin != g->begin)
        return f->begin < g->begin ? -1 : 1;
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
        if (!all[i].is_sized)
            all[i].end = i + 1 < n && all[i + 1].begin < all[i].limit ? all[i + 1].begin : all[i].limit;
}

static void free_module(gpointer data)
{
    struct module *module = data;
    if (module->lines)
        bfd_close(module->lines);
    g_free(module->bfd_symbols);
    free(module->stubs); /* libbfd's malloc */
    for (guint i = 0; i < N_FILES; i++)
        g_clear_pointer(&module->files[i], g_bytes_unref);
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
        g_array_append_vals(module->functions, &(struct function){begin, begin, limit, stub->name, FALSE}, 1);
    }
    g_free(dynamic);
}

/* NULL: it cannot be read. */
static GBytes *map_file(const char *path)
{
    int fd = path ? tnd_regular_file_open(path) : -1;
    GMappedFile *map = fd >= 0 ? g_mapped_file_new_from_fd(fd, FALSE, NULL) : NULL;
    GBytes *bytes = map ? g_mapped_file_get_bytes(map) : NULL;
    if (map)
        g_mapped_file_unref(map);
    if (fd >= 0)
        close(fd);
    return bytes;
}

/* libbfd's file; NULL: it cannot be read. */
static bfd *open_lines(const char *path)
{
    int fd = tnd_regular_file_open(path);
    bfd *file = fd >= 0 ? bfd_fdopenr(path, NULL, fd) : NULL; /* which closes the descriptor, whatever happens */
    if (file && !bfd_check_format(file, bfd_object)) {
        bfd_close(file);
        file = NULL;
    }
    return file;
}

/* Whether one of the places where a debug file of that name may be has something that libbfd would wait for. */
static gboolean is_other_anywhere(const char *name, const char *folder)
{
    char *const paths[] = {g_path_is_absolute(name) ? g_strdup(name) : g_build_filename(folder, name, NULL),
                           g_build_filename(folder, ".debug", name, NULL),
                           g_build_filename(DEBUG_DIRECTORY, folder, name, NULL),
                           g_build_filename(DEBUG_DIRECTORY, name, NULL)};
    gboolean is_other = FALSE;
    for (guint i = 0; i < G_N_ELEMENTS(paths); i++) {
        is_other |= tnd_regular_file_is_other(paths[i]);
        g_free(paths[i]);
    }
    return is_other;
}

/* The name of the debug file by the build id, in DEBUG_DIRECTORY; NULL: the file has none.  Free with g_free. */
static char *build_id_name(bfd *file)
{
    enum { HEAD_BYTES = 16 }; /* of the note: three lengths, and "GNU" */
    bfd_byte *note = NULL;
    asection *section = bfd_get_section_by_name(file, ".note.gnu.build-id");
    GString *name = NULL;
    if (section && bfd_section_size(section) > HEAD_BYTES + 1 && bfd_malloc_and_get_section(file, section, &note)) {
        name = g_string_new(".build-id/");
        for (gsize i = HEAD_BYTES; i < bfd_section_size(section); i++)
            g_string_append_printf(name, i == HEAD_BYTES ? "%02x/" : "%02x", note[i]);
        g_string_append(name, ".debug");
    }
    free(note); /* libbfd's malloc */
    return name ? g_string_free(name, FALSE) : NULL;
}

/* libbfd opens debug files that a file names, and waits if one of them is a pipe. */
static gboolean would_wait(bfd *file, const char *path)
{
    unsigned long crc;
    bfd_size_type n;
    bfd_byte *id = NULL;
    char *real = realpath(path, NULL), *folder = g_path_get_dirname(real ? real : path);
    char *names[] = {bfd_get_debug_link_info(file, &crc), bfd_get_alt_debug_link_info(file, &n, &id), NULL};
    char *by_id = build_id_name(file);
    gboolean would = by_id && is_other_anywhere(by_id, DEBUG_DIRECTORY);
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        would |= names[i] && is_other_anywhere(names[i], folder);
        free(names[i]); /* libbfd's malloc */
    }
    free(id);
    g_free(by_id);
    g_free(folder);
    free(real);
    return would;
}

static GBytes *map_debug_file(bfd *file)
{
    char *path = bfd_follow_build_id_debuglink(file, DEBUG_DIRECTORY);
    if (!path)
        path = bfd_follow_gnu_debuglink(file, DEBUG_DIRECTORY);
    GBytes *bytes = map_file(path);
    free(path); /* libbfd's malloc */
    return bytes;
}

/* The file that is packed into a section; NULL: none. */
static GBytes *unpack_symbols(bfd *file)
{
    bfd_byte *packed = NULL;
    asection *section = bfd_get_section_by_name(file, ".gnu_debugdata");
    GBytes *bytes = section && bfd_malloc_and_get_section(file, section, &packed)
                        ? tnd_unxz(packed, bfd_section_size(section), MAX_UNPACKED_BYTES)
                        : NULL;
    free(packed); /* libbfd's malloc */
    return bytes;
}

static struct module *open_module(const char *path)
{
    struct module *module = g_new0(struct module, 1);
    module->name = g_path_get_basename(path);
    module->functions = g_array_new(FALSE, FALSE, sizeof(struct function));
    module->answers = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
    GBytes *file = module->files[ITSELF] = map_file(path);
    if (!file || !tnd_elf_file_open(&module->elf, g_bytes_get_data(file, NULL), g_bytes_get_size(file))) {
        module->elf = (TndElfFile){0};
        return module;
    }
    module->lines = open_lines(path);
    if (module->lines && would_wait(module->lines, path)) {
        bfd_close(module->lines);
        module->lines = NULL;
    }
    if (module->lines) {
        module->lines->flags |= BFD_DECOMPRESS;
        long n_symbols;
        module->bfd_symbols = read_bfd_symbols(module->lines, FALSE, &n_symbols);
        add_stubs(module, n_symbols);
        module->files[DEBUG_FILE] = map_debug_file(module->lines);
        module->files[PACKED] = unpack_symbols(module->lines);
    }
    for (guint i = 0; i < N_FILES; i++)
        add_functions(module->functions, module->files[i]);
    sort_functions(module->functions);
    return module;
}

/* The name of the function that an address is in; NULL: that is not known.  *place: where the function begins, if that
 * is all that is known; else 0. */
static const char *name_function(const struct module *module, guint64 address, guint64 *place)
{
    const struct function *function = find_function(module->functions, address);
    guint64 begin, end;
    gboolean is_within = function && address < function->end;
    *place = 0;
    if (is_within && function->is_sized)
        return function->name;
    if (!tnd_elf_unwind_find(&module->elf, address, &begin, &end) || (is_within && begin <= function->begin))
        return is_within ? function->name : NULL;
    if (address >= end)
        return NULL;
    function = find_function(module->functions, begin);
    if (function && function->begin == begin)
        return function->name;
    *place = begin;
    return NULL;
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

/* The functions that were inlined at the place that libbfd was asked about last; `function` is the innermost.  The
 * function around all of them has the name `outermost`, which the debug information may know by another one; a part of
 * it may be inlined into the rest. */
static const TndSymbolInlined *keep_inlined(TndSymbols *symbols, struct module *module, const char *function,
                                            const char *outermost)
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
    const char *other_name = innermost && function ? keep_name(symbols, module, function) : NULL;
    for (TndSymbolInlined *at = innermost; at && outermost; at = (TndSymbolInlined *)at->into)
        if (at->function == other_name)
            at->function = outermost;
    return innermost;
}

static TndSymbol *resolve(TndSymbols *symbols, struct module *module, guint64 address)
{
    TndSymbol *symbol = g_new0(TndSymbol, 1);
    symbol->module = module->name;
    const char *file = NULL, *dwarf_function = NULL;
    guint line = 0;
    find_line(module, address, &file, &dwarf_function, &line);
    guint64 place;
    const char *name = name_function(module, address, &place);
    if (name)
        symbol->function = keep_name(symbols, module, name);
    else if (dwarf_function && line)
        symbol->function = keep_name(symbols, module, dwarf_function);
    else if (place)
        symbol->function = keep_place(symbols, module, place);
    if (line)
        symbol->inlined = keep_inlined(symbols, module, dwarf_function, symbol->function);
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

char *tnd_symbols_demangle(const char *symbol)
{
    char *plain = bfd_demangle(NULL, symbol, DEMANGLE_PARAMS | DEMANGLE_ANSI), *name = g_strdup(plain);
    free(plain);
    return name;
}
