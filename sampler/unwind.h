/* SPDX-License-Identifier: Apache-2.0
 *
 * Call stacks, innermost frame first.  One function is for signal handlers, where no lock may be taken, one for
 * ordinary code.  Frames of this library are left out.
 *
 * Context: as each function says.
 */
#ifndef TND_UNWIND_H
#define TND_UNWIND_H

#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

struct tnd_unwind_trail; /* unwind/unwind_trail.h */

/* Chooses the unwinder as the configuration says.  Once, at start, not in a handler. */
void tnd_unwind_start(void);

/* How many frames a sample can have; 0: not even the interrupted instruction. */
unsigned tnd_unwind_depth(void);

/* The context's stack pointer.  In a handler. */
uintptr_t tnd_unwind_stack_pointer(const ucontext_t *context);

/* The stack that the context was interrupted in: frames[0] is the interrupted instruction, or, if that is this
 * library's, the last byte of the call that led here; the others are return addresses.  A function of Python's
 * (scripted.h) is its number with TND_SAMPLE_PYTHON, and a thread that is in one has no frames of the interpreter's.
 * Returns how many, at most max > 0; *deeper is set if there were more.  trail: of the thread's last walk, which makes
 * this one shorter, or NULL.  In a handler: no allocation, no lock, 2 KB of stack. */
unsigned tnd_unwind_handler(const ucontext_t *context, struct tnd_unwind_trail *trail, uint64_t *frames, unsigned max,
                            bool *deeper);

/* The same in a wrapper's call of `function`, or just after it, in code of this library: frames[0] is the function. */
unsigned tnd_unwind_call(const ucontext_t *context, const void *function, uint64_t *frames, unsigned max, bool *deeper);

/* The stack above this library's functions: return addresses, innermost first, at most max; returns how many.  start:
 * __builtin_frame_address(0) of the calling function, or of a function of this library that called it.  Any context; 3
 * ns a frame at places that were passed before, else as in a handler. */
unsigned tnd_unwind_here(const void *start, uint64_t *frames, unsigned max);

/* Whether tnd_unwind_here leaves a frame with this return address out. */
bool tnd_unwind_leaves_out(uint64_t address);

/* From now on tnd_unwind_here also leaves out the frames of the library that has this address, unless it is the
 * program's own file.  It works for one library, which must stay loaded.  Not in a handler. */
void tnd_unwind_leave_out(const void *address);

#endif
