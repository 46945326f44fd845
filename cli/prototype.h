/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Declarations of functions and types, as C writes them: what each parameter is, as far as its place in a call needs
 * it. Not a C compiler: of structures it knows only that they are some.
 */
#ifndef TND_PROTOTYPE_H
#define TND_PROTOTYPE_H

#include <glib.h>

typedef enum {
    TND_C_VOID,
    TND_C_INTEGER,
    TND_C_FLOAT,
    TND_C_POINTER,
    TND_C_STRUCTURE, /* passed by value in a way that is known */
    TND_C_OTHER, /* another structure, a long double, a name that was not defined: where it is passed is not known */
} TndCKind;

typedef struct {
    TndCKind kind;
    guint8 size; /* in bytes, of integers and floating-point numbers */
    gboolean is_signed;
    TndCKind to; /* of a pointer: what it points to */
    guint8 to_size;
    gboolean to_signed, to_const;
    guint16 n_words;          /* of a structure, in memory */
    char words[2];            /* of a structure in registers: what each is in, i or x; none: it is in memory */
    gboolean is_by_reference; /* a pointer to the structure is passed */
} TndCType;

typedef struct {
    char *name; /* "" if it has none */
    TndCType type;
} TndParameter;

typedef struct {
    char *name;
    TndCType result;
    GArray *parameters; /* TndParameter */
} TndPrototype;

/* Reads one declaration, up to its ;.  A typedef is added to `types` (name: TndCType), which later ones may use, and
 * NULL is returned without an error.  Errors: it is neither a typedef nor a function's. */
TndPrototype *tnd_prototype_read(const char *text, GHashTable *types, GError **error);

/* A new prototype without parameters, whose result is void. */
TndPrototype *tnd_prototype_new(const char *name);
void tnd_prototype_free(TndPrototype *prototype);

/* A new table of the types that every C program has. */
GHashTable *tnd_prototype_types(void);

#endif
