/* SPDX-License-Identifier: Apache-2.0
 *
 * The common part of all trampolines.  library_shadow.h says what it does.
 *
 * Registers: all that arguments or results may be in are kept; vector, mask and x87 registers are not touched.
 */
#if defined(__x86_64__)

#define RBX_AT 0 /* of struct tnd_library_entry */
#define RETURN_AT 8

/* DW_CFA_expression: a register of the caller is kept at RBX plus an offset. */
#define KEPT_BELOW_RBX(number, offset) .cfi_escape 0x10, number, 2, 0x73, offset

/* DW_CFA_val_offset: RSP of the caller is the frame's address less one word. */
#define CALLERS_SP .cfi_escape 0x14, 7, 1

        .text
        .p2align 6
        .globl tnd_library_enter
        .hidden tnd_library_enter
        .type tnd_library_enter, @function

/* A trampoline jumps here with the number of its function in R11, which calls do not preserve. */
tnd_library_enter:
        .cfi_startproc
        endbr64
        pushq %rdi
        .cfi_adjust_cfa_offset 8
        pushq %rsi
        .cfi_adjust_cfa_offset 8
        pushq %rdx
        .cfi_adjust_cfa_offset 8
        pushq %rcx
        .cfi_adjust_cfa_offset 8
        pushq %r8
        .cfi_adjust_cfa_offset 8
        pushq %r9
        .cfi_adjust_cfa_offset 8
        pushq %rax
        .cfi_adjust_cfa_offset 8
        pushq %r10
        .cfi_adjust_cfa_offset 8
        pushq %r11
        .cfi_adjust_cfa_offset 8
        movl %r11d, %edi
        leaq 72(%rsp), %rsi
        call tnd_library_shadow_begin
        movq %rdx, (%rsp) /* the function, into R11 */
        testq %rax, %rax
        je 1f
        .cfi_remember_state
        movq %rbx, RBX_AT(%rax)
        movq %rax, %rbx
        KEPT_BELOW_RBX(3, RBX_AT)
        popq %r11
        .cfi_adjust_cfa_offset -8
        popq %r10
        .cfi_adjust_cfa_offset -8
        popq %rax
        .cfi_adjust_cfa_offset -8
        popq %r9
        .cfi_adjust_cfa_offset -8
        popq %r8
        .cfi_adjust_cfa_offset -8
        popq %rcx
        .cfi_adjust_cfa_offset -8
        popq %rdx
        .cfi_adjust_cfa_offset -8
        popq %rsi
        .cfi_adjust_cfa_offset -8
        popq %rdi
        .cfi_adjust_cfa_offset -8
        leaq 8(%rsp), %rsp
        /* From here until the return the trampoline has no word on the stack.  Its frame's address must still differ
         * from that of the function it calls, because unwinders tell frames apart by it; the caller's stack pointer is
         * said by itself. */
        CALLERS_SP
        KEPT_BELOW_RBX(16, RETURN_AT)
        call *%r11

        .globl tnd_library_back
        .hidden tnd_library_back
tnd_library_back:
        pushq RETURN_AT(%rbx)
        .cfi_restore %rsp
        .cfi_offset %rip, -8
        pushq %rax
        .cfi_adjust_cfa_offset 8
        pushq %rdx
        .cfi_adjust_cfa_offset 8
        pushq %rcx
        .cfi_adjust_cfa_offset 8
        movq %rbx, %rdi
        leaq 16(%rsp), %rsi /* RAX, as the function returned it */
        movq RBX_AT(%rbx), %rbx
        .cfi_restore %rbx
        call tnd_library_shadow_end
        popq %rcx
        .cfi_adjust_cfa_offset -8
        popq %rdx
        .cfi_adjust_cfa_offset -8
        popq %rax
        .cfi_adjust_cfa_offset -8
        ret

1:      .cfi_restore_state
        popq %r11
        .cfi_adjust_cfa_offset -8
        popq %r10
        .cfi_adjust_cfa_offset -8
        popq %rax
        .cfi_adjust_cfa_offset -8
        popq %r9
        .cfi_adjust_cfa_offset -8
        popq %r8
        .cfi_adjust_cfa_offset -8
        popq %rcx
        .cfi_adjust_cfa_offset -8
        popq %rdx
        .cfi_adjust_cfa_offset -8
        popq %rsi
        .cfi_adjust_cfa_offset -8
        popq %rdi
        .cfi_adjust_cfa_offset -8
        jmp *%r11
        .cfi_endproc
        .size tnd_library_enter, . - tnd_library_enter

/* uint64_t tnd_library_shadow_guarded(uint64_t (*function)(void *), void *argument) */
#define STATES 0xe7 /* x87, SSE, AVX, AVX-512 */

        .globl tnd_library_shadow_guarded
        .hidden tnd_library_shadow_guarded
        .type tnd_library_shadow_guarded, @function
tnd_library_shadow_guarded:
        .cfi_startproc
        endbr64
        pushq %rbp
        .cfi_adjust_cfa_offset 8
        .cfi_offset %rbp, -16
        movq %rsp, %rbp
        .cfi_def_cfa_register %rbp
        subq tnd_library_state_bytes(%rip), %rsp
        andq $-64, %rsp
        xorl %eax, %eax
        xorl %edx, %edx
        movq %rax, 512(%rsp)
        movq %rax, 520(%rsp)
        movq %rax, 528(%rsp)
        movq %rax, 536(%rsp)
        movq %rax, 544(%rsp)
        movq %rax, 552(%rsp)
        movq %rax, 560(%rsp)
        movq %rax, 568(%rsp)
        movl $STATES, %eax
        xsave64 (%rsp)
        movq %rdi, %rax
        movq %rsi, %rdi
        call *%rax
        movq %rax, %rcx
        movl $STATES, %eax
        xorl %edx, %edx
        xrstor64 (%rsp)
        movq %rcx, %rax
        leave
        .cfi_def_cfa %rsp, 8
        ret
        .cfi_endproc
        .size tnd_library_shadow_guarded, . - tnd_library_shadow_guarded

#endif

        .section .note.GNU-stack, "", @progbits
