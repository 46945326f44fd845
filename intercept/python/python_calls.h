/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls of functions of C by functions of Python (setting `python-c-calls`).  CPython calls the C-level profile
 * function for callables of its own types for functions of C, which modules and types written in C have; not for
 * classes that are called, nor for other types of callables (NumPy's ufuncs, foreign functions of ctypes).
 *
 * CPython has one profile function for each thread, which the program can set, too (`sys.setprofile`, cProfile until
 * 3.11).  In a thread that does so ours is not set again.
 *
 * Cost: CPython then calls the profile function for each call of a function of Python, too, and 3.11 checks at each
 * bytecode.  No cost where the setting is off.
 * Context: with the interpreter's lock, not in a handler.
 */
#ifndef TND_PYTHON_CALLS_H
#define TND_PYTHON_CALLS_H

#include "intercept/python/python_functions.h"
#include "sampler/scripted.h"

/* A function of Python as it runs, in the C frame that runs it. */
struct tnd_python_run {
    struct tnd_scripted node; /* first: the list's elements are these */
    uintptr_t mark;           /* the interpreter's frame and this address, see tnd_python_calls_mark */
    uint32_t called;          /* number of the function of C that it is calling, whose ENTER was recorded; 0: none */
    uint64_t called_ticks;
    const void *state; /* CPython's state of the thread in this interpreter; set if calls of C are recorded */
};

/* A number by which a run is known to belong to a frame.  Where the program switches stacks (greenlets), the top of the
 * list may lie on a stack that is gone, with any words there. */
static inline uintptr_t tnd_python_calls_mark(const struct tnd_python_run *run, const void *frame)
{
    return (uintptr_t)run ^ (uintptr_t)frame;
}

/* Whether calls of C are recorded. */
extern bool tnd_python_calls_are_wanted __attribute__((visibility("hidden")));

void tnd_python_calls_start(void);

/* The function is about to run.  If it is the first one in this thread's state, sets our profile function there, unless
 * the program has set its own. */
void tnd_python_calls_attach(struct tnd_python_run *run, const void *state);

/* A thread's profile function is set, perhaps by us. */
void tnd_python_calls_hear_other(void);

/* The call of a function of C, which was open, has ended. */
void tnd_python_calls_leave(struct tnd_python_run *run);

#endif
