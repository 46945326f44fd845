/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading debug information with libdw: from the addresses of exported functions to entries that begin there.
 */
#include "cli/library_dwarf.h"

#include "cli/dwarf_type.h"
#include "formats/regular_file.h"

#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <gelf.h>
#include <gio/gio.h>
#include <string.h>

typedef struct {
    GHashTable *symbols; /* by address: GSList of names that lead there */
    GPtrArray *prototypes;
    Dwarf_Addr bias;           /* from addresses of the debug information to those of the table */
    TndDwarfLanguage language; /* of the unit that is read */
} Reading;

static void free_names(void *names)
{
    g_slist_free_full(names, g_free);
}

/* Adds the wanted functions of the table of dynamic symbols.  What an IFUNC leads to is not known. */
static void add_symbols(Reading *reading, Elf *elf, GElf_Addr bias, TndLibraryWants wants, gpointer data)
{
    Elf_Scn *section = NULL;
    while ((section = elf_nextscn(elf, section))) {
        GElf_Shdr header;
        Elf_Data *table = NULL;
        if (!gelf_getshdr(section, &header) || header.sh_type != SHT_DYNSYM || !header.sh_entsize ||
            !(table = elf_getdata(section, NULL)))
            continue;
        for (int i = 0; i < (int)(header.sh_size / header.sh_entsize); i++) {
            GElf_Sym symbol;
            if (!gelf_getsym(table, i, &symbol) || GELF_ST_TYPE(symbol.st_info) != STT_FUNC ||
                symbol.st_shndx == SHN_UNDEF)
                continue;
            const char *name = elf_strptr(elf, header.sh_link, symbol.st_name);
            guint64 address = symbol.st_value + bias;
            if (!name || !wants(name, data))
                continue;
            GSList *names = g_hash_table_lookup(reading->symbols, &address);
            if (names) { /* versions of a symbol have one name */
                if (!g_slist_find_custom(names, name, (GCompareFunc)strcmp))
                    names = g_slist_append(names, g_strdup(name)); /* the first one stays in the table */
                continue;
            }
            g_hash_table_insert(reading->symbols, g_memdup2(&address, sizeof address),
                                g_slist_append(NULL, g_strdup(name)));
        }
    }
}

/* The entry that has what this one leaves out. */
static Dwarf_Die *origin_of(Dwarf_Die *die, Dwarf_Die *origin)
{
    Dwarf_Attribute attribute;
    if (!dwarf_attr(die, DW_AT_abstract_origin, &attribute) && !dwarf_attr(die, DW_AT_specification, &attribute))
        return NULL;
    return dwarf_formref_die(&attribute, origin);
}

static void add_parameters(const Reading *reading, GArray *parameters, Dwarf_Die *function)
{
    Dwarf_Die child, origin;
    for (int status = dwarf_child(function, &child); status == 0; status = dwarf_siblingof(&child, &child)) {
        if (dwarf_tag(&child) != DW_TAG_formal_parameter)
            continue;
        const char *name = dwarf_diename(&child);
        TndCType type =
            reading->language == TND_DWARF_FORTRAN ? tnd_dwarf_type_of_fortran(&child) : tnd_dwarf_type_of(&child);
        TndParameter parameter = {g_strdup(name ? name : ""), type};
        g_array_append_val(parameters, parameter);
    }
    if (!parameters->len && origin_of(function, &origin))
        add_parameters(reading, parameters, &origin);
}

static void add_function(const Reading *reading, Dwarf_Die *function)
{
    Dwarf_Addr low;
    if (dwarf_lowpc(function, &low) != 0)
        return;
    low += reading->bias;
    for (const GSList *name = g_hash_table_lookup(reading->symbols, &low); name; name = name->next) {
        TndPrototype *prototype = tnd_prototype_new(name->data);
        prototype->result = tnd_dwarf_type_of(function);
        add_parameters(reading, prototype->parameters, function);
        g_ptr_array_add(reading->prototypes, prototype);
    }
}

/* Functions are in units, in namespaces, and in modules of Fortran. */
static void add_functions(const Reading *reading, Dwarf_Die *scope)
{
    Dwarf_Die child;
    for (int status = dwarf_child(scope, &child); status == 0; status = dwarf_siblingof(&child, &child)) {
        int tag = dwarf_tag(&child);
        if (tag == DW_TAG_subprogram)
            add_function(reading, &child);
        else if (tag == DW_TAG_namespace || tag == DW_TAG_module)
            add_functions(reading, &child);
    }
}

static gboolean read_module(Reading *reading, Dwfl_Module *module, const char *path, TndLibraryWants wants,
                            gpointer data, GError **error)
{
    GElf_Addr bias;
    Elf *elf = dwfl_module_getelf(module, &bias);
    if (elf)
        add_symbols(reading, elf, bias, wants, data);
    if (!elf || !g_hash_table_size(reading->symbols))
        return TRUE;
    if (!dwfl_module_getdwarf(module, &reading->bias)) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "%s has no debug information", path);
        return FALSE;
    }
    for (Dwarf_Die *unit = NULL; (unit = dwfl_module_nextcu(module, unit, &reading->bias));)
        if ((reading->language = tnd_dwarf_type_language(unit)) != TND_DWARF_OTHER)
            add_functions(reading, unit);
    return TRUE;
}

GPtrArray *tnd_library_dwarf_read(const char *path, TndLibraryWants wants, gpointer data, GError **error)
{
    static const Dwfl_Callbacks callbacks = {.find_elf = dwfl_build_id_find_elf,
                                             .find_debuginfo = dwfl_standard_find_debuginfo,
                                             .section_address = dwfl_offline_section_address};
    Reading reading = {.symbols = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, free_names),
                       .prototypes = g_ptr_array_new_with_free_func((GDestroyNotify)tnd_prototype_free)};
    Dwfl *files = dwfl_begin(&callbacks);
    int fd = tnd_regular_file_open(path); /* closed with the module */
    Dwfl_Module *module = files && fd >= 0 ? dwfl_report_offline(files, path, path, fd) : NULL;
    gboolean is_good = module != NULL;
    if (is_good)
        is_good = dwfl_report_end(files, NULL, NULL) == 0 && read_module(&reading, module, path, wants, data, error);
    else
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "%s: %s", path,
                    fd < 0 ? g_strerror(errno) : dwfl_errmsg(-1));
    dwfl_end(files);
    g_hash_table_unref(reading.symbols);
    if (!is_good)
        g_clear_pointer(&reading.prototypes, g_ptr_array_unref);
    return reading.prototypes;
}
