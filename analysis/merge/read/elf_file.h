/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The bytes of an ELF file, of either byte order and word size.  What lies beyond the file's end is read as 0.
 */
#ifndef TND_ELF_FILE_H
#define TND_ELF_FILE_H

#include <glib.h>

typedef struct {
    const guint8 *bytes;
    gsize size;
    gboolean is_64, is_big;
} TndElfFile;

/* FALSE: it is no ELF file.  The bytes stay the caller's. */
gboolean tnd_elf_file_open(TndElfFile *elf, gconstpointer bytes, gsize size);

/* A number of n_bytes, at most 8. */
guint64 tnd_elf_file_number(const TndElfFile *elf, guint64 offset, guint n_bytes);

/* A field that stands at one offset in 32-bit files (4 bytes) and at another in 64-bit ones (8 bytes). */
guint64 tnd_elf_file_word(const TndElfFile *elf, guint64 base, guint offset_32, guint offset_64);

/* Where the header of the next segment of that type (PT_...) after `header` is; 0: there is none.  Begin with 0. */
guint64 tnd_elf_file_segment(const TndElfFile *elf, guint type, guint64 header);

/* The segment that an address is loaded with: where its bytes are in the file, and how many follow there; where the
 * segment ends in memory.  FALSE: there is none. */
gboolean tnd_elf_file_place(const TndElfFile *elf, guint64 address, guint64 *offset, guint64 *end);

#endif
