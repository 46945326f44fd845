/* SPDX-License-Identifier: Apache-2.0
 *
 * Wrappers without prototypes: what a trampoline (library_enter.S) does when a wrapped function is called, and when it
 * returns.
 *
 * A trampoline calls the function in place of the program: the call instruction puts its return address where the
 * program's was, so that arguments on the stack stay where they are, whatever their size.  The program's return address
 * is kept in an entry of a table of the thread, and RBX, which the function must preserve, holds the entry's address.
 * The unwind tables of the trampoline say so: exceptions, backtrace() and debuggers walk through it as through any
 * function.  Each call has its return, as the processor expects (and its shadow stack, where it has one).
 *
 * On AArch64 the return address is in a register, X30, and X29, the frame pointer, holds the address of the entry,
 * which begins as a frame record does; the word below the caller's stack, where the trampoline saves X30, is its slot.
 *
 * A function that is left by an exception or a longjmp does not come back to the trampoline.  Its entry lies below the
 * stack pointer when the exception is caught, or when the thread next calls a wrapped function, and its LEAVE is
 * written then.  That it will never come back is not certain: a coroutine may run on a part of the thread's own stack,
 * and some programs (greenlets) copy stacks away and back.  So such an entry is the last one to be used again, after
 * some 30,000 others of its kind.  On other stacks than the thread's own (coroutines, signals) only a return ends a
 * call.
 *
 * Cost: 11 ns a call besides the two readings of the clock (measured, tests/bench).
 * Context: the program's calls, those in its handlers included.  This code uses no vector registers: they have
 * arguments and results.  What may use them is called by tnd_library_shadow_guarded.
 */
#ifndef TND_LIBRARY_SHADOW_H
#define TND_LIBRARY_SHADOW_H

#include "runtime/thread.h"

/* The most calls of wrapped functions that a thread can be in, a power of two; further ones are made without being
 * recorded. */
#define TND_LIBRARY_MAX_DEPTH 32768

/* The most functions that can be wrapped. */
#define TND_LIBRARY_MAX_FUNCTIONS 65536

/* Arguments of a call that can be kept until it returns. */
#define TND_LIBRARY_MAX_KEPT 2

struct tnd_library_shadow;

struct tnd_library_entry {
    uint64_t rbx;            /* of the caller, or its X29; library_enter.S knows these two places */
    uint64_t return_address; /* of the caller */
    uintptr_t slot;          /* where that was; UINTPTR_MAX: on another stack than the thread's own */
    struct tnd_library_shadow *shadow;
    struct tnd_library_function *function;
    uint64_t begin;                      /* when it was called, in ticks */
    const uint8_t *next;                 /* of the thread's stream, then */
    uint64_t kept[TND_LIBRARY_MAX_KEPT]; /* arguments that are needed when it returns */
    uint32_t number;                     /* its own, in the table */
    uint8_t nature;                      /* of the function, then: enum tnd_library_nature */
    bool is_told;                        /* its LEAVE has been written, or it has been counted */
    bool is_left;                        /* it was left by an exception or a jump, as far as we know */
    bool is_over;                        /* the function has returned */
};

/* Calls of one function that a thread has counted since it wrote their number last. */
struct tnd_library_counted {
    uint64_t n, ticks;
};

/* The calls that a thread is in, and room for more. */
struct tnd_library_shadow {
    uintptr_t owner; /* stack pointer of whoever uses the table; 0: nobody does */
    uint32_t depth, n_free, n_fresh, queue_begin, queue_end;
    struct tnd_library_shadow *next;       /* unused one */
    struct tnd_library_shadow *made;       /* the one that was made before */
    uint32_t open[TND_LIBRARY_MAX_DEPTH];  /* numbers of the entries of calls, the innermost last: `depth` */
    uint32_t free[TND_LIBRARY_MAX_DEPTH];  /* of those that have returned: `n_free` */
    uint32_t queue[TND_LIBRARY_MAX_DEPTH]; /* of those that were left, a ring */
    struct tnd_library_entry entries[TND_LIBRARY_MAX_DEPTH];       /* `n_fresh` were used before */
    struct tnd_library_counted counted[TND_LIBRARY_MAX_FUNCTIONS]; /* library_counted.h */
};

/* A wrapped function. */
struct tnd_library_function {
    uint64_t real;
    uint32_t number;      /* as its DEFINE has it; 0: it is not recorded, but called where an exception is caught */
    uint16_t first_value; /* its values, in the table of library_values.h */
    uint16_t n_values;
    uint16_t n_tried, n_short; /* calls, library_counted.h */
    uint8_t nature;            /* enum tnd_library_nature */
    uint16_t index;            /* its own, in the table */
};

extern struct tnd_library_function *tnd_library_functions __attribute__((visibility("hidden")));
extern uint32_t tnd_library_n_functions __attribute__((visibility("hidden")));
extern _Thread_local struct tnd_library_shadow *tnd_library_shadow
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* Bytes that the vector registers take in memory. */
extern uint64_t tnd_library_state_bytes __attribute__((visibility("hidden")));

/* For library_enter.S. */
struct tnd_library_begun {
    struct tnd_library_entry *entry; /* NULL: the call is not recorded */
    uint64_t real;
};
struct tnd_library_begun tnd_library_shadow_begin(uint64_t index, uint64_t *slot) __attribute__((visibility("hidden")));
void tnd_library_shadow_end(struct tnd_library_entry *entry, const uint64_t *rax) __attribute__((visibility("hidden")));

/* In library_enter.S.  Calls a function that may use vector registers, and keeps them. */
uint64_t tnd_library_shadow_guarded(uint64_t (*function)(void *), void *argument) __attribute__((visibility("hidden")));
extern const char tnd_library_enter[1] __attribute__((visibility("hidden"))); /* where trampolines go */
extern const char tnd_library_back[1] __attribute__((visibility("hidden")));  /* where wrapped functions return to */

/* For the source's hooks.  None allocates, but the first. */
bool tnd_library_shadow_take(void);
void tnd_library_shadow_give_back(struct tnd_thread *thread);
void tnd_library_shadow_stop(void);
void tnd_library_shadow_fork_child(void);

#endif
