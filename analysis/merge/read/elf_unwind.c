/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads the index of .eh_frame (the segment PT_GNU_EH_FRAME): version 1, three bytes that say how numbers are written,
 * where the tables are, how many entries, and pairs of 32-bit distances from the index itself, sorted: where the
 * function begins, and where its entry (FDE) is.  An FDE gives the function's length, in the form that its CIE says.
 */
#include "analysis/merge/read/elf_unwind.h"

#include <elf.h>
#include <string.h>

enum {
    HOW = 0x3b031b01, /* the first four bytes, as all linkers write them; other ways of writing are left alone */
    HEAD_BYTES = 12,
    ENTRY_BYTES = 8,
    MAX_AUGMENTATION = 8,
};

struct unwind_index {
    const TndElfFile *elf;
    guint64 offset, address, n; /* where it is in the file, and in memory; its entries */
};

static gboolean open_index(struct unwind_index *index, const TndElfFile *elf)
{
    guint64 header = tnd_elf_file_segment(elf, PT_GNU_EH_FRAME, 0);
    *index = (struct unwind_index){elf, tnd_elf_file_word(elf, header, 4, 8), tnd_elf_file_word(elf, header, 8, 16), 0};
    if (!header || elf->is_big || tnd_elf_file_number(elf, index->offset, 4) != HOW)
        return FALSE;
    index->n = tnd_elf_file_number(elf, index->offset + 8, 4);
    return index->n > 0 && index->n <= elf->size / ENTRY_BYTES;
}

/* One of the two addresses of an entry. */
static guint64 read_entry(const struct unwind_index *index, guint64 i, guint which)
{
    guint64 at = index->offset + HEAD_BYTES + ENTRY_BYTES * i + 4 * which;
    return index->address + (guint64)(gint64)(gint32)tnd_elf_file_number(index->elf, at, 4);
}

static void skip_leb(const TndElfFile *elf, guint64 *at)
{
    while (tnd_elf_file_number(elf, *at, 1) & 0x80)
        ++*at;
    ++*at;
}

/* Bytes of a number in one of the DW_EH_PE forms, whose low half says that; 0: in a form without a fixed size. */
static guint form_bytes(const TndElfFile *elf, guint form)
{
    static const guint8 bytes[8] = {[2] = 2, [3] = 4, [4] = 8};
    return (form & 7) == 0 ? (elf->is_64 ? 8 : 4) : bytes[form & 7];
}

/* How many bytes the addresses in the FDEs of a CIE have; 0: that is not known. */
static guint address_bytes(const TndElfFile *elf, guint64 cie)
{
    char augmentation[MAX_AUGMENTATION + 1] = "";
    guint version = (guint)tnd_elf_file_number(elf, cie + 8, 1);
    guint64 at = cie + 9;
    for (guint i = 0; i < MAX_AUGMENTATION; i++)
        if (!(augmentation[i] = (char)tnd_elf_file_number(elf, at++, 1)))
            break;
    if (augmentation[0] != 'z' || strlen(augmentation) == MAX_AUGMENTATION)
        return augmentation[0] ? 0 : form_bytes(elf, 0);
    skip_leb(elf, &at); /* alignment of code and of data, the register of the return address, bytes of what follows */
    skip_leb(elf, &at);
    if (version == 1)
        at++;
    else
        skip_leb(elf, &at);
    skip_leb(elf, &at);
    for (const char *c = augmentation + 1; *c; c++) {
        guint form = (guint)tnd_elf_file_number(elf, at, 1);
        if (*c == 'R')
            return form_bytes(elf, form);
        if (*c == 'L')
            at++;
        else if (*c == 'P' && form_bytes(elf, form))
            at += 1 + form_bytes(elf, form);
        else if (*c == 'P')
            return 0;
    }
    return form_bytes(elf, 0);
}

/* The length of the function whose FDE is at an address; 0: that is not known. */
static guint64 read_length(const TndElfFile *elf, guint64 address)
{
    guint64 fde, end, n_bytes;
    if (!tnd_elf_file_place(elf, address, &fde, &end))
        return 0;
    n_bytes = tnd_elf_file_number(elf, fde, 4);
    guint64 distance = tnd_elf_file_number(elf, fde + 4, 4);
    if (!n_bytes || n_bytes == G_MAXUINT32 || !distance || distance > fde + 4)
        return 0;
    guint size = address_bytes(elf, fde + 4 - distance);
    return tnd_elf_file_number(elf, fde + 8 + size, size);
}

gboolean tnd_elf_unwind_find(const TndElfFile *elf, guint64 address, guint64 *begin, guint64 *end)
{
    struct unwind_index index;
    guint64 low = 0, high, offset;
    if (!open_index(&index, elf))
        return FALSE;
    for (high = index.n; low < high;) { /* all entries before `low` begin at the address or before it */
        guint64 middle = low + (high - low) / 2;
        if (read_entry(&index, middle, 0) <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (!low)
        return FALSE;
    *begin = read_entry(&index, low - 1, 0);
    guint64 length = read_length(elf, read_entry(&index, low - 1, 1));
    if (length)
        *end = *begin + length;
    else if (low < index.n)
        *end = read_entry(&index, low, 0);
    else if (!tnd_elf_file_place(elf, *begin, &offset, end))
        *end = *begin;
    return TRUE;
}
