/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading the dynamic symbols of an ELF file of 64 bits in this machine's byte order.
 */
#include "cli/library_exports.h"

#include "formats/regular_file.h"

#include <elf.h>
#include <errno.h>
#include <gio/gio.h>
#include <string.h>
#include <unistd.h>

static gboolean lies_in(gsize size, guint64 offset, guint64 n)
{
    return offset <= size && n <= size - offset;
}

/* Adds the functions of a table of symbols; FALSE: the file is damaged. */
static gboolean add_symbols(const char *bytes, gsize size, const Elf64_Shdr *table, const Elf64_Shdr *texts,
                            GHashTable *names)
{
    if (!lies_in(size, table->sh_offset, table->sh_size) || !lies_in(size, texts->sh_offset, texts->sh_size))
        return FALSE;
    for (guint64 at = 0; at + sizeof(Elf64_Sym) <= table->sh_size; at += sizeof(Elf64_Sym)) {
        Elf64_Sym symbol;
        memcpy(&symbol, bytes + table->sh_offset + at, sizeof symbol);
        int type = ELF64_ST_TYPE(symbol.st_info);
        const char *name = bytes + texts->sh_offset + symbol.st_name;
        if ((type != STT_FUNC && type != STT_GNU_IFUNC) || symbol.st_shndx == SHN_UNDEF ||
            ELF64_ST_BIND(symbol.st_info) == STB_LOCAL)
            continue;
        if (symbol.st_name >= texts->sh_size || !memchr(name, 0, texts->sh_size - symbol.st_name))
            return FALSE;
        g_hash_table_add(names, g_strdup(name));
    }
    return TRUE;
}

static gboolean read_sections(const char *bytes, gsize size, GHashTable *names)
{
    Elf64_Ehdr head;
    gboolean is_good = size >= sizeof head && memcmp(bytes, ELFMAG, SELFMAG) == 0 && bytes[EI_CLASS] == ELFCLASS64;
    if (!is_good)
        return FALSE;
    memcpy(&head, bytes, sizeof head);
    if (head.e_shentsize != sizeof(Elf64_Shdr) ||
        !lies_in(size, head.e_shoff, (guint64)head.e_shnum * sizeof(Elf64_Shdr)))
        return FALSE;
    Elf64_Shdr *sections = g_memdup2(bytes + head.e_shoff, head.e_shnum * sizeof *sections);
    for (guint i = 0; is_good && i < head.e_shnum; i++)
        if (sections[i].sh_type == SHT_DYNSYM)
            is_good = sections[i].sh_link < head.e_shnum &&
                      add_symbols(bytes, size, &sections[i], &sections[sections[i].sh_link], names);
    g_free(sections);
    return is_good;
}

GHashTable *tnd_library_exports_read(const char *path, GError **error)
{
    int fd = tnd_regular_file_open(path);
    GMappedFile *file = fd >= 0 ? g_mapped_file_new_from_fd(fd, FALSE, error) : NULL;
    if (fd < 0)
        g_set_error(error, G_IO_ERROR, g_io_error_from_errno(errno), "%s: %s", path, g_strerror(errno));
    else
        close(fd);
    if (!file)
        return NULL;
    GHashTable *names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    if (!read_sections(g_mapped_file_get_contents(file), g_mapped_file_get_length(file), names)) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "%s: is no shared library of this machine", path);
        g_clear_pointer(&names, g_hash_table_unref);
    }
    g_mapped_file_unref(file);
    return names;
}
