/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions of an interpreted program that a thread is in: a node in each stack frame of the interceptor's function
 * that runs them, and a list through those, innermost first.
 *
 * The sampler, in its handler, does not follow the list, which is wrong where the program moves stacks about
 * (greenlets): it meets that function's frames as it walks up the stack, and knows where in them the node lies.  A node
 * is whole before it is the top of the list, and is never changed while it is on it.
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

/* The interceptor's function that runs functions, and the interpreter.  Filled before the first node. */
struct tnd_scripted_code {
    uint64_t low, size;                         /* of the function's code; 0: there is none */
    uint64_t below;                             /* its frame pointer less its node's address */
    uint64_t interpreter_low, interpreter_size; /* code that is the interpreter's, and of nobody else */
    bool is_direct;                             /* the function calls the interpreter's, and no other interceptor */
};
extern struct tnd_scripted_code tnd_scripted_code __attribute__((visibility("hidden")));

#endif
