/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers are put together byte by byte: files may be of another machine, and damaged.
 */
#include "analysis/merge/read/elf_file.h"

#include <elf.h>
#include <string.h>

guint64 tnd_elf_file_number(const TndElfFile *elf, guint64 offset, guint n_bytes)
{
    if (offset > elf->size || elf->size - offset < n_bytes)
        return 0;
    guint64 value = 0;
    for (guint i = 0; i < n_bytes; i++)
        value = value << 8 | elf->bytes[offset + (elf->is_big ? i : n_bytes - 1 - i)];
    return value;
}

guint64 tnd_elf_file_word(const TndElfFile *elf, guint64 base, guint offset_32, guint offset_64)
{
    return elf->is_64 ? tnd_elf_file_number(elf, base + offset_64, 8) : tnd_elf_file_number(elf, base + offset_32, 4);
}

gboolean tnd_elf_file_open(TndElfFile *elf, gconstpointer bytes, gsize size)
{
    elf->bytes = bytes;
    elf->size = size;
    if (size < sizeof(Elf32_Ehdr) || memcmp(bytes, ELFMAG, SELFMAG) != 0)
        return FALSE;
    elf->is_64 = elf->bytes[EI_CLASS] == ELFCLASS64;
    elf->is_big = elf->bytes[EI_DATA] == ELFDATA2MSB;
    return TRUE;
}

guint64 tnd_elf_file_segment(const TndElfFile *elf, guint type, guint64 header)
{
    guint64 headers = tnd_elf_file_word(elf, 0, 28, 32);
    guint size = (guint)tnd_elf_file_number(elf, elf->is_64 ? 54 : 42, 2);
    guint n = (guint)tnd_elf_file_number(elf, elf->is_64 ? 56 : 44, 2);
    guint64 end = headers + (guint64)n * size;
    for (guint64 at = header ? header + size : headers; size && at < end; at += size)
        if (tnd_elf_file_number(elf, at, 4) == type)
            return at;
    return 0;
}

gboolean tnd_elf_file_place(const TndElfFile *elf, guint64 address, guint64 *offset, guint64 *end)
{
    for (guint64 at = 0; (at = tnd_elf_file_segment(elf, PT_LOAD, at));) {
        guint64 begin = tnd_elf_file_word(elf, at, 8, 16), n_bytes = tnd_elf_file_word(elf, at, 20, 40);
        if (address < begin || address - begin >= n_bytes)
            continue;
        *offset = tnd_elf_file_word(elf, at, 4, 8) + (address - begin);
        *end = begin + n_bytes;
        return TRUE;
    }
    return FALSE;
}
