/* SPDX-License-Identifier: Apache-2.0
 *
 * The functions of an interpreted program (Python) that a thread is in.  The interceptor's function that runs them
 * keeps a node in each of its stack frames; the nodes are a list, innermost first.
 *
 * The sampler's handler does not follow the list, which is wrong where the program switches stacks (greenlets): it
 * meets that function's frames as it walks up the stack, and knows where in them the node lies.  A node is complete
 * before it becomes the top of the list, and does not change while it is in it.
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
    uint32_t depth;  /* how many nodes are further out */
    bool is_told;    /* its ENTER was written, so that a LEAVE is due */
};

extern _Thread_local struct tnd_scripted *tnd_scripted_top
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* The code of the interceptor's function and of the interpreter.  Set before the first node. */
struct tnd_scripted_code {
    uint64_t low, size;                         /* of the function's code; 0: there is none */
    uint64_t below;                             /* distance from its node up to its frame pointer */
    uint64_t interpreter_low, interpreter_size; /* code of the interpreter alone */
    bool is_direct; /* the function calls the interpreter directly, and not another interceptor */
};
extern struct tnd_scripted_code tnd_scripted_code __attribute__((visibility("hidden")));

#endif
