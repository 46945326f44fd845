/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls of functions of C by functions of Python (setting `python-c-calls`): CPython tells its C-level profile function
 * of those that are objects of its type for such functions: what modules and types written in C have.  It does not tell
 * of classes that are called, nor of what other types of callables run (NumPy's ufuncs, foreign functions of ctypes).
 *
 * CPython has one profile function a thread, which the program can set, too (`sys.setprofile`, cProfile until 3.11): a
 * thread that does so has its own from then on, and ours is not put back.
 *
 * Cost: CPython then tells of each call of a function of Python, too; and 3.11 looks at each bytecode.  Nothing of
 * that where the setting is off.
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
    uint32_t called;          /* number of the function of C that it has called, whose ENTER was told; 0: none */
    uint64_t called_ticks;
    const void *state; /* CPython's, of the thread in this interpreter; set if calls are wanted */
};

/* Tells whether a node is of this frame.  The list's top may be dead where the program moves stacks about, and what
 * lies there anything. */
static inline uintptr_t tnd_python_calls_mark(const struct tnd_python_run *run, const void *frame)
{
    return (uintptr_t)run ^ (uintptr_t)frame;
}

/* The user wants them. */
extern bool tnd_python_calls_are_wanted __attribute__((visibility("hidden")));

void tnd_python_calls_start(void);

/* The function is about to run.  If it is the first one in this state, calls are listened to there, unless the program
 * has a profile function. */
void tnd_python_calls_attach(struct tnd_python_run *run, const void *state);

/* A thread has got another profile function, which may be ours. */
void tnd_python_calls_hear_other(void);

/* What the function has called is over. */
void tnd_python_calls_leave(struct tnd_python_run *run);

#endif
