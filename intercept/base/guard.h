/* SPDX-License-Identifier: Apache-2.0
 *
 * What is exported by a name of MPI's or OpenMP's: a few instructions that jump to our wrapper, or to a function of the
 * program's that is called like that and is something else.  This is decided before the wrapper has touched a register,
 * because nothing is known of such a function's arguments.
 *
 * A file has the function that we mean if it has another one too, the twin, which nobody else has (PMPI_Send of
 * MPI_Send).  As long as all files that define the name have its twin, or there are none, the wrapper is called.
 * Otherwise the call goes where it would have gone without us: to what is next in the global scope, or in the caller's
 * file and those that were loaded for it.
 * A tool of MPI's that stands between us and MPI counts as MPI's: it has no twin, but calls it, or dlsym.
 *
 * Cost: three instructions.  The first call after the program has loaded or unloaded something looks into all files:
 * some 0.1 us for each.  Where a function of both kinds is loaded by itself (RTLD_LOCAL), calls from such files look
 * each time: 2 us.  On other processors than x86-64 and AArch64 all calls go to the wrapper.
 *
 * Context: the program's calls.  Nothing but a scan is done where no file has such a function: the loader's lock that
 * constructors hold is not taken.  Keeps errno and all registers that arguments may be in.
 */
#ifndef TND_GUARD_H
#define TND_GUARD_H

#include <stdint.h>

/* The offsets are from this struct: nothing of it has to be relocated. */
struct tnd_guard {
    uint64_t generation; /* tnd_modules_generation when it was decided */
    void *target;
    int32_t name, twin, own; /* the wrapper */
};

/* Where a call goes.  Called by guard_enter.S. */
void *tnd_guard_decide(struct tnd_guard *guard, const void *caller);

#if !defined(TND_BOARD) && (defined(__x86_64__) || defined(__aarch64__))

#ifdef __x86_64__
#define TND_GUARD_CODE(name)                                                                                           \
    "mov tnd_guard_of_" name "(%rip), %r11\n"                                                                          \
    "cmp %r11, tnd_modules_generation(%rip)\n"                                                                         \
    "jne 1f\n"                                                                                                         \
    "jmp *tnd_guard_of_" name "+8(%rip)\n"                                                                             \
    "1: lea tnd_guard_of_" name "(%rip), %r11\n"                                                                       \
    "jmp tnd_guard_enter\n"
#else
#define TND_GUARD_CODE(name)                                                                                           \
    "hint #34\n"                                                                                                       \
    "adrp x16, tnd_guard_of_" name "\n"                                                                                \
    "add x16, x16, :lo12:tnd_guard_of_" name "\n"                                                                      \
    "adrp x17, tnd_modules_generation\n"                                                                               \
    "ldr x17, [x17, :lo12:tnd_modules_generation]\n"                                                                   \
    "ldar x9, [x16]\n"                                                                                                 \
    "cmp x9, x17\n"                                                                                                    \
    "b.ne 1f\n"                                                                                                        \
    "ldr x17, [x16, #8]\n"                                                                                             \
    "br x17\n"                                                                                                         \
    "1: b tnd_guard_enter\n"
#endif

/* Exports `name` for the wrapper `own`.  All are texts. */
#define TND_GUARD_EXPORT(name, twin, own)                                                                              \
    __asm__(".pushsection .text\n"                                                                                     \
            ".p2align 3\n"                                                                                             \
            ".globl " name "\n"                                                                                        \
            ".type " name ", %function\n" name ":\n"                                                                   \
            ".cfi_startproc\n" TND_GUARD_CODE(name) ".cfi_endproc\n"                                                   \
                                                    ".size " name ", . - " name "\n"                                   \
                                                    ".popsection\n"                                                    \
                                                    ".pushsection .rodata\n"                                           \
                                                    "2: .asciz \"" name "\"\n"                                         \
                                                    "3: .asciz \"" twin "\"\n"                                         \
                                                    ".popsection\n"                                                    \
                                                    ".pushsection .data\n"                                             \
                                                    ".p2align 3\n"                                                     \
                                                    "tnd_guard_of_" name ":\n"                                         \
                                                    ".quad -1, 0\n"                                                    \
                                                    ".long 2b - tnd_guard_of_" name ", 3b - tnd_guard_of_" name        \
                                                    ", " own " - tnd_guard_of_" name ", 0\n"                           \
                                                    ".popsection\n");

#define TND_GUARD_LABEL(name) "tnd_own_" name

/* The same for a function that is defined as TND_GUARD_OWN(name). */
#define TND_GUARD(name, twin) TND_GUARD_EXPORT(#name, twin, "tnd_own_" #name)
#define TND_GUARD_OWN(name) tnd_own_##name

#else
#define TND_GUARD_EXPORT(name, twin, own)                                                                              \
    __asm__(".globl " name "\n"                                                                                        \
            ".set " name ", " own "\n");
#define TND_GUARD_LABEL(name) "tnd_own_" name
#define TND_GUARD(name, twin)
#define TND_GUARD_OWN(name) name
#endif

/* The twin of OpenMP's functions, in GNU's and LLVM's library. */
#define TND_GUARD_OPENMP "omp_get_thread_num"

#endif
