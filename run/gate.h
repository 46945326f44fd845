/* SPDX-License-Identifier: Apache-2.0
 *
 * The gate to another program: what is about to be executed decides with which environment that happens.
 *
 * - A program into which our library cannot be loaded (of another C library, of 32 bits, of another processor, in
 *   another root) would complain of it or not start: our library is taken out of LD_PRELOAD.  So it is where the
 *   loader only lists libraries (ldd).
 * - Any other program joins the run, whatever environment it is given.  Our library stands before other preloaded ones
 *   (allocators, tools of MPI), which would otherwise answer calls that it never sees, but after the run time of a
 *   sanitizer, which has to be first; a program that links one has it put there.  Not so ThreadSanitizer: it must have
 *   begun a thread before our code runs there.  As it does not start with a malloc in front of its own, our library is
 *   the one without the heap then.
 *
 * What the program was not given by its parent is hidden from it.  The entries that are added stand at the front of the
 * environment, after one that says how many they are, and an LD_PRELOAD of its own is disguised; at the new program's
 * start our library moves `environ` past them, and takes the disguise away.  So a program prints and passes on the
 * environment that it would have without us.
 *
 * Context: no allocation, no system call: callable after vfork() and in a handler.
 */
#ifndef TND_GATE_H
#define TND_GATE_H

#include "system/executable.h"

#include <stdbool.h>
#include <stddef.h>

/* What is given to the programs that a process executes. */
struct tnd_gate {
    const char *library; /* the path of ours; NULL: none, nothing is added */
    const char *run;     /* the value of TANDEM_RUN; NULL or "": none, nothing is added */
    const char *const *settings;
    size_t n_settings;
};

/* How an environment is to be changed: found out by tnd_gate_plan, done by tnd_gate_make. */
struct tnd_gate_plan {
    const struct tnd_gate *gate;
    const char *sanitizer, *list; /* list: the value of LD_PRELOAD, NULL: it has none */
    const char *library;          /* ours: that of the list, else of the gate; of n_library bytes */
    size_t n_library;
    char *const *before;
    size_t n_before, n_front;
    size_t n_bytes; /* that the new environment takes; 0: it is not changed */
    bool adds, has_run, without_heap;
};

/* The plan for a program.  It keeps pointers to its arguments. */
struct tnd_gate_plan tnd_gate_plan(const struct tnd_gate *gate, const struct tnd_executable *program,
                                   char *const environment[]);

/* Makes the new environment in room of plan->n_bytes, aligned for pointers; it refers to the texts of the old one. */
char **tnd_gate_make(const struct tnd_gate_plan *plan, void *room);

/* The environment as the program is to see it, given what exec was given.  Changes it in its place. */
char **tnd_gate_hide(char **environment);

/* Whether TANDEM_RUN is among what will be hidden. */
bool tnd_gate_hides_run(char *const *environment);

/* Whether a variable ("NAME=value") is a setting that programs of a run are given. */
bool tnd_gate_is_setting(const char *variable);

/* A value for LD_PRELOAD: the list (NULL: none) with the library in its place, or without ours (library NULL).
 * sanitizer: is put in front, unless it is in the list; "": none.  Writes it without a 0 at its end, unless `to` is
 * NULL.  Its length. */
size_t tnd_gate_list(const char *list, const char *library, const char *sanitizer, char *to);

#endif
