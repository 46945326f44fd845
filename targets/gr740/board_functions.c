/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions of the program's that it names to tandem-wrap-flags: each call is a region with the function's name.  Their
 * arguments are not known, so that the wrapper (tandem-wrap-flags writes it) calls nothing: it goes on to the function
 * with another return address, behind which the region ends.  The right one is kept here, in a stack of the thread.
 *
 * What it is not: for functions that return a structure by value, or that are left by longjmp.
 * Context: the program's calls.
 */
#include "runtime/emit.h"
#include "runtime/tandem.h"

#define MAX_DEPTH 64 /* calls within calls; those beyond are not recorded */

struct function {
    const char *name;
    tandem_region region; /* 0: not registered yet */
};

uintptr_t tnd_board_function_enter(struct function *function, uintptr_t caller);
uintptr_t tnd_board_function_leave(void);
extern const char tnd_board_function_back[];

static _Thread_local struct {
    unsigned n;
    struct {
        uintptr_t caller;
        tandem_region region;
    } calls[MAX_DEPTH];
} stack;

#if defined(__sparc__)
/* The result is in %o0 and %o1, and in the registers of the FPU, which nothing here touches. */
__asm__(".text\n"
        "    .align 4\n"
        "    .global tnd_board_function_back\n"
        "tnd_board_function_back:\n"
        "    save %sp, -96, %sp\n"
        "    call tnd_board_function_leave\n"
        "     nop\n"
        "    mov %o0, %i7\n"
        "    ret\n"
        "     restore\n");
#endif

/* The address of the call to which the function is to return. */
uintptr_t tnd_board_function_enter(struct function *function, uintptr_t caller)
{
    if (stack.n == MAX_DEPTH)
        return caller;
    if (!function->region && tnd_thread_recording)
        function->region = tandem_region_register(function->name);
    stack.calls[stack.n].caller = caller;
    stack.calls[stack.n++].region = function->region;
    tandem_region_begin(function->region);
    return (uintptr_t)tnd_board_function_back - 8;
}

uintptr_t tnd_board_function_leave(void)
{
    tandem_region_end(stack.calls[--stack.n].region);
    return stack.calls[stack.n].caller;
}
