/* SPDX-License-Identifier: Apache-2.0
 *
 * A hash table from code objects to functions.  It is read at each call of a function, and changed when a code object
 * first runs or is freed.
 *
 * Interpreters that have a lock of their own (3.12) run at the same time.  A change takes a lock of ours; readers take
 * none: a place's function is written before its code, and the place stays until the code is freed, when no thread runs
 * it.  A larger table is published before its size; the smaller one is kept, because another thread may still read it.
 *
 * Cost: a hash and a comparison to find, about 1 ns; at most four places of 16 bytes for each code object, twice that
 * with the smaller tables that are kept.
 * Context: with an interpreter's lock, not in a handler.
 */
#ifndef TND_PYTHON_TABLE_H
#define TND_PYTHON_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tnd_python_function;

/* A place is found by a hash of the code object; if it is taken, the next ones are tried until one is empty. */
struct tnd_python_place {
    const void *code; /* NULL: empty; the address of a certain variable: its code object was freed */
    struct tnd_python_function *function;
};
extern struct tnd_python_table {
    struct tnd_python_place *places;
    unsigned shift; /* 64 - log2 of their number; read before `places` */
} tnd_python_table __attribute__((visibility("hidden")));

bool tnd_python_table_start(void);

/* In the child of a fork. */
void tnd_python_table_fork_child(void);

/* The function of a code object or another key, wherever in the table it is; NULL: it is not in the table. */
struct tnd_python_function *tnd_python_table_find(const void *code);

/* Adds a function, if there is room; and removes it. */
void tnd_python_table_add(const void *code, struct tnd_python_function *function);
void tnd_python_table_remove(const void *code);

/* The function, if the code object is in the first place that is tried. */
static inline struct tnd_python_function *tnd_python_table_look(const void *code)
{
    unsigned shift = __atomic_load_n(&tnd_python_table.shift, __ATOMIC_ACQUIRE);
    const struct tnd_python_place *place = __atomic_load_n(&tnd_python_table.places, __ATOMIC_ACQUIRE) +
                                           ((uint64_t)(uintptr_t)code * 0x9e3779b97f4a7c15u >> shift);
    return __builtin_expect(__atomic_load_n(&place->code, __ATOMIC_ACQUIRE) == code, 1) ? place->function : NULL;
}

#endif
