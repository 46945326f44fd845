/* SPDX-License-Identifier: Apache-2.0
 *
 * From code objects to functions: a hash table that is read at each call of a function, and changed when a code object
 * is met for the first time or freed.
 *
 * Interpreters that have a lock of their own (3.12) run at the same time.  So whoever changes it takes a lock; readers
 * take none: a place's function is there before its code, and that stays until the code is freed, which nobody runs
 * then. A larger table is there before its size is; the smaller one is kept, as somebody may be reading it.
 *
 * Cost: a look a hash and a comparison, about 1 ns; 16 bytes a place, four of which a code object has at most while it
 * lives, twice with the tables that were too small.
 * Context: with an interpreter's lock, not in a handler.
 */
#ifndef TND_PYTHON_TABLE_H
#define TND_PYTHON_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tnd_python_function;

/* By a hash of the code object; the next ones are tried until one is empty. */
struct tnd_python_place {
    const void *code; /* NULL: empty; another address that is no code object's: was freed */
    struct tnd_python_function *function;
};
extern struct tnd_python_table {
    struct tnd_python_place *places;
    unsigned shift; /* 64 - log2 of their number; read before the other */
} tnd_python_table __attribute__((visibility("hidden")));

bool tnd_python_table_start(void);

/* In the child of a fork. */
void tnd_python_table_fork_child(void);

/* The function of a code object, or of another key, wherever in the table it is; NULL: it is not there. */
struct tnd_python_function *tnd_python_table_find(const void *code);

/* Puts it there, if there is room, and takes it out. */
void tnd_python_table_add(const void *code, struct tnd_python_function *function);
void tnd_python_table_remove(const void *code);

/* The function if the code object is where it is looked for first. */
static inline struct tnd_python_function *tnd_python_table_look(const void *code)
{
    unsigned shift = __atomic_load_n(&tnd_python_table.shift, __ATOMIC_ACQUIRE);
    const struct tnd_python_place *place = __atomic_load_n(&tnd_python_table.places, __ATOMIC_ACQUIRE) +
                                           ((uint64_t)(uintptr_t)code * 0x9e3779b97f4a7c15u >> shift);
    return __builtin_expect(__atomic_load_n(&place->code, __ATOMIC_ACQUIRE) == code, 1) ? place->function : NULL;
}

#endif
