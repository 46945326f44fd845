/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions of static libraries, which the linker's --wrap has led to slots (`tandem wrap --link`).
 *
 * Context: constructors of the program, while something is loaded; allocates.
 */
#ifndef TND_LIBRARY_LINKED_H
#define TND_LIBRARY_LINKED_H

#include <stdint.h>

/* In the program; cli/wrap_link.c writes it. */
struct tnd_library_linked {
    uint64_t *slot;      /* which leads to the function */
    const char *name;    /* of the function */
    const char *library; /* the archive's */
};

/* For constructors of the program, once for each such function: leads the slot to a trampoline if calls of the function
 * are to be recorded. */
void tnd_library_linked_tell(const struct tnd_library_linked *linked);

#endif
