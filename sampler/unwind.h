/* SPDX-License-Identifier: Apache-2.0
 *
 * Call stacks, innermost frame first.  Two ways in: from a signal handler, where no lock may be taken, and from
 * ordinary code.  Frames of this library are left out: whoever reads a stack wants the caller.
 *
 * Context: as each function says.
 */
#ifndef TND_UNWIND_H
#define TND_UNWIND_H

#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

/* Chooses the unwinder as the configuration says.  Once, at start, not in a handler. */
void tnd_unwind_start(void);

/* Frames that a sample can have; 0: not even where. */
unsigned tnd_unwind_depth(void);

/* Its stack pointer.  In a handler. */
uintptr_t tnd_unwind_stack_pointer(const ucontext_t *context);

/* The stack that the context was interrupted in: frames[0] is the interrupted instruction, or, if that is this
 * library's, the last byte of the call that led here; the others are return addresses.  A function of Python's
 * (scripted.h) is its number with TND_SAMPLE_PYTHON, and a thread that is in one has no frames of the interpreter's.
 * Returns how many, at most max > 0; *deeper is set if there were more.  In a handler: no allocation, no lock, 2 KB of
 * stack. */
unsigned tnd_unwind_handler(const ucontext_t *context, uint64_t *frames, unsigned max, bool *deeper);

/* The stack of whoever called this library: return addresses innermost first, at most max; returns how many.  start:
 * __builtin_frame_address(0) of the function that asks, or of one of this library's that led there.  Anywhere; 3 ns a
 * frame at places that have been passed before, else as a handler's. */
unsigned tnd_unwind_here(const void *start, uint64_t *frames, unsigned max);

/* tnd_unwind_here leaves the frames of the library that has this address out, too, from now on.  One library, which
 * stays loaded; the program's own file is not left out.  Not in a handler. */
void tnd_unwind_leave_out(const void *address);

#endif
