/* SPDX-License-Identifier: Apache-2.0
 *
 * A file that the dynamic linker has loaded, as its tables lie in memory: which slots it calls others through, and
 * which symbols it exports.
 *
 * Context: at start and after the program has loaded something: takes the loader's lock.  Not in a handler.
 */
#ifndef TND_LIBRARY_OBJECT_H
#define TND_LIBRARY_OBJECT_H

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tnd_library_object {
    uint64_t bias;
    const char *path; /* as the loader has it, "" of the program's own file; later a copy of the whole path */
    const ElfW(Phdr) * parts;
    unsigned n_parts;
    uint64_t low, high;             /* all of its memory */
    uint64_t guarded, guarded_size; /* pages that were made read-only after relocation */
    const ElfW(Sym) * symbols;
    const char *strings;
    const ElfW(Rela) * calls, *others; /* relocations: of calls, and all others */
    size_t n_calls, n_others;
    const uint16_t *versions;
    const ElfW(Verneed) * needed;
    const uint32_t *hash;    /* DT_GNU_HASH; NULL: none */
    bool is_symbolic;        /* it looks for symbols in itself first */
    bool is_program;         /* the program's own file */
    bool is_target, is_seen; /* for whoever walks */
};

/* Calls `found` for each object that is loaded, in the order of the loader; not for the kernel's, the loader's and our
 * own.  False: nothing was loaded or unloaded since the call before, and `found` was not called. */
bool tnd_library_object_each(void (*found)(const struct tnd_library_object *object));

/* Whether the address is in code of the object. */
bool tnd_library_object_has_code(const struct tnd_library_object *object, uint64_t address);

/* Whether it exports a symbol of that name, or may do so. */
bool tnd_library_object_exports(const struct tnd_library_object *object, const char *name);

/* The version that the object wants of a symbol; NULL: any. */
const char *tnd_library_object_version(const struct tnd_library_object *object, size_t symbol);

/* What the loader would bind a call of that symbol to; 0: nothing. */
uint64_t tnd_library_object_bind(const struct tnd_library_object *object, size_t symbol);

#endif
