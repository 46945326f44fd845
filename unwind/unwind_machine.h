/* SPDX-License-Identifier: Apache-2.0
 *
 * What a walk up a stack must know of the processor: its registers, in the order in which DWARF counts them (the ABIs'
 * supplements), where a context has them, and how a function finds its way back.  On x86-64 every call leaves the
 * return address below the caller's frame; on arm64 it leaves it in a register, which functions that call save.
 *
 * Context: handler.
 */
#ifndef TND_UNWIND_MACHINE_H
#define TND_UNWIND_MACHINE_H

#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

#if defined(__x86_64__)

#define TND_UNWIND_REGISTERS 17
#define TND_UNWIND_FP 6
#define TND_UNWIND_SP 7
#define TND_UNWIND_PC 16
#define TND_UNWIND_RETURN 16      /* whose rule says where the return address is */
#define TND_UNWIND_RETURN_PLACE 1 /* words below the frame's address; 0: the rule says so */
#define TND_UNWIND_EH_FRAME 2     /* RCX: a frame that counts from there is left for where an exception is caught */

static inline uint64_t tnd_unwind_machine_register(const ucontext_t *context, int number)
{
    static const uint8_t order[TND_UNWIND_REGISTERS] = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI,
                                                        REG_RBP, REG_RSP, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                                        REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP};
    return (uint64_t)context->uc_mcontext.gregs[order[number]];
}

/* Registers that calls preserve, of the function that this is inlined into; the pc is after the first instruction. */
static inline __attribute__((always_inline)) void tnd_unwind_machine_here(uint64_t registers[TND_UNWIND_REGISTERS])
{
    __asm__ volatile("leaq 0(%%rip), %%rax\n\t"
                     "movq %%rax, 128(%0)\n\t"
                     "movq %%rbx, 24(%0)\n\t"
                     "movq %%rbp, 48(%0)\n\t"
                     "movq %%rsp, 56(%0)\n\t"
                     "movq %%r12, 96(%0)\n\t"
                     "movq %%r13, 104(%0)\n\t"
                     "movq %%r14, 112(%0)\n\t"
                     "movq %%r15, 120(%0)"
                     :
                     : "r"(registers)
                     : "rax", "memory");
}

/* Whether a register's value is known in a frame; is_innermost: nothing was called from there. */
static inline bool tnd_unwind_machine_is_known(uint64_t number, bool is_innermost)
{
    return true;
}

/* The address of code that a return address stands for. */
static inline uint64_t tnd_unwind_machine_code(uint64_t address)
{
    return address;
}

#elif defined(__aarch64__)

#define TND_UNWIND_REGISTERS 33 /* x0 to x30, sp; and the pc, which DWARF has no number for */
#define TND_UNWIND_FP 29
#define TND_UNWIND_SP 31
#define TND_UNWIND_PC 32
#define TND_UNWIND_RETURN 30
#define TND_UNWIND_RETURN_PLACE 0
#define TND_UNWIND_EH_FRAME 255 /* none */

static inline uint64_t tnd_unwind_machine_register(const ucontext_t *context, int number)
{
    return number == TND_UNWIND_PC   ? context->uc_mcontext.pc
           : number == TND_UNWIND_SP ? context->uc_mcontext.sp
                                     : context->uc_mcontext.regs[number];
}

static inline __attribute__((always_inline)) void tnd_unwind_machine_here(uint64_t registers[TND_UNWIND_REGISTERS])
{
    uint64_t sp, pc;
    __asm__ volatile("mov %0, sp\n\t"
                     "adr %1, .\n\t"
                     "stp x29, x30, [%2, 232]"
                     : "=&r"(sp), "=&r"(pc)
                     : "r"(registers)
                     : "memory");
    registers[TND_UNWIND_SP] = sp;
    registers[TND_UNWIND_PC] = pc;
}

/* Compilers count a caller's frame from its stack or frame pointer: the other registers are not followed. */
static inline bool tnd_unwind_machine_is_known(uint64_t number, bool is_innermost)
{
    return is_innermost || number == TND_UNWIND_SP || number == TND_UNWIND_FP;
}

/* Without the signature that functions may put into the upper bits of theirs (pointer authentication). */
static inline uint64_t tnd_unwind_machine_code(uint64_t address)
{
    return address & (((uint64_t)1 << 48) - 1);
}

#else
#error "which registers hold pc, sp and fp?"
#endif

#endif
