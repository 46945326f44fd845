/* SPDX-License-Identifier: Apache-2.0
 *
 * Arguments and results of wrapped functions, as events beside the ENTER and the LEAVE.  Where a value is was found out
 * by the tool, which knows prototypes; here is only the plan (setting `library-plan`): entries separated by ;
 *
 *     TYPE SYMBOL LABEL PLACE
 *
 * PLACE is where the word is: iN integer register N of the arguments, sN word N of those on the stack, xN vector
 * register N, r the result, y the result in a vector register; then, if the word is a pointer, * for what it points to
 * when the function is called, & for that when it returns; then i, u or f (signed, unsigned, floating-point) and the
 * size in bytes: i2u8, i1*i4, s0f8, ri4.
 *
 * A value that is there when the function is called has an event at its ENTER, and one of 0 at its LEAVE; one that is
 * there when it returns has one of 0 at its ENTER and its own at the LEAVE: what it is stands between it and the event
 * before.  Floating-point values are in thousandths.  A pointer that leads nowhere gives no event.
 *
 * Cost: 20 ns a value; ten times that if it is pointed to elsewhere than on the thread's own stack, because the kernel
 * reads it (measured).
 * Context: library_shadow.h, where nothing else is said.
 */
#ifndef TND_LIBRARY_VALUES_H
#define TND_LIBRARY_VALUES_H

#include "intercept/library/library_shadow.h"

/* Integer registers of arguments, which library_enter.S saves. */
#if defined(__aarch64__)
#define TND_LIBRARY_REGISTERS 8
#else
#define TND_LIBRARY_REGISTERS 6
#endif

enum tnd_library_source {
    TND_LIBRARY_INTEGER = 'i',
    TND_LIBRARY_STACK = 's',
    TND_LIBRARY_VECTOR = 'x',
    TND_LIBRARY_RESULT = 'r',
    TND_LIBRARY_VECTOR_RESULT = 'y',
};

struct tnd_library_value {
    uint32_t type;  /* of its events */
    uint8_t source; /* enum tnd_library_source */
    uint8_t at;     /* its number there */
    uint8_t kept;   /* place of the pointer in the entry */
    uint8_t size;
    char kind;                   /* i, u or f */
    bool is_pointed_to, is_late; /* of when the function returns */
};

extern struct tnd_library_value *tnd_library_values __attribute__((visibility("hidden")));

/* Reads the plan.  Context: start. */
void tnd_library_values_start(const char *plan);

/* Sets the values of a new function and defines their types.  Context: library_stubs.h. */
void tnd_library_values_of(const char *symbol, struct tnd_library_function *function);

/* After the ENTER and the LEAVE of that time.  slot: where the return address is, below which the registers of
 * arguments are.  rax: where the result is (RAX, X0); NULL: there is none.  Context: library_shadow.h. */
void tnd_library_values_enter(struct tnd_thread *thread, struct tnd_library_entry *entry, const uint64_t *slot,
                              uint64_t time);
void tnd_library_values_leave(struct tnd_thread *thread, const struct tnd_library_entry *entry, const uint64_t *rax,
                              uint64_t time);

#endif
