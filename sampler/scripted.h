/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions of an interpreted program that a thread is in: a list through the stack frames of the interceptor that runs
 * them, innermost first.  The sampler reads it in its handler, and puts the functions in place of the interpreter's
 * frames.
 *
 * What makes it safe to read: a node is whole before it is the top, and is never changed while it is on the list.  An
 * interpreter that moves stacks about (greenlets) leaves nodes that are none: readers stop at one that does not lie
 * further out on the stack than the one before.
 *
 * Context: the list is its thread's own; handlers may read it.
 */
#ifndef TND_SCRIPTED_H
#define TND_SCRIPTED_H

#include <stdbool.h>
#include <stdint.h>

struct tnd_scripted {
    struct tnd_scripted *outer;
    uint32_t number; /* of the function, as a DEFINE has it; 0: it has none */
    uint32_t depth;  /* of nodes further out */
    bool is_told;    /* its ENTER was written, so that a LEAVE is due */
};

extern _Thread_local struct tnd_scripted *tnd_scripted_top
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

#endif
