/* SPDX-License-Identifier: Apache-2.0
 *
 * Asks tnd_guard_decide where a call goes, with all registers kept that arguments may be in, and jumps there.  guard.h
 * says what for.
 */
#if defined(__x86_64__)

#define STATES 0xe7 /* x87, SSE, AVX, AVX-512 */

        .text
        .p2align 4
        .globl tnd_guard_enter
        .hidden tnd_guard_enter
        .type tnd_guard_enter, @function

/* The guard is in R11. */
tnd_guard_enter:
        .cfi_startproc
        pushq %rbp
        .cfi_adjust_cfa_offset 8
        .cfi_offset %rbp, -16
        movq %rsp, %rbp
        .cfi_def_cfa_register %rbp
        pushq %rdi
        pushq %rsi
        pushq %rdx
        pushq %rcx
        pushq %r8
        pushq %r9
        pushq %rax
        pushq %r10
        pushq %rbx
        .cfi_offset %rbx, -88
        pushq %r11
        movl state_bytes(%rip), %ebx
        testl %ebx, %ebx
        jne 1f
        movl $0xd, %eax
        xorl %ecx, %ecx
        cpuid
        movl %ebx, state_bytes(%rip)
1:      subq %rbx, %rsp
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
        movq -80(%rbp), %rdi
        movq 8(%rbp), %rsi
        call tnd_guard_decide
        movq %rax, -80(%rbp)
        movl $STATES, %eax
        xorl %edx, %edx
        xrstor64 (%rsp)
        leaq -80(%rbp), %rsp
        popq %r11
        popq %rbx
        .cfi_restore %rbx
        popq %r10
        popq %rax
        popq %r9
        popq %r8
        popq %rcx
        popq %rdx
        popq %rsi
        popq %rdi
        popq %rbp
        .cfi_restore %rbp
        .cfi_def_cfa %rsp, 8
        jmp *%r11
        .cfi_endproc
        .size tnd_guard_enter, . - tnd_guard_enter

        .local state_bytes
        .comm state_bytes, 4, 4

#elif defined(__aarch64__)

        .text
        .p2align 4
        .globl tnd_guard_enter
        .hidden tnd_guard_enter
        .type tnd_guard_enter, @function

/* The guard is in X16. */
tnd_guard_enter:
        .cfi_startproc
        stp x29, x30, [sp, #-224]!
        .cfi_adjust_cfa_offset 224
        .cfi_offset x29, -224
        .cfi_offset x30, -216
        mov x29, sp
        stp x0, x1, [sp, #16]
        stp x2, x3, [sp, #32]
        stp x4, x5, [sp, #48]
        stp x6, x7, [sp, #64]
        str x8, [sp, #80]
        stp q0, q1, [sp, #96]
        stp q2, q3, [sp, #128]
        stp q4, q5, [sp, #160]
        stp q6, q7, [sp, #192]
        mov x0, x16
        mov x1, x30
        bl tnd_guard_decide
        mov x17, x0
        ldp q6, q7, [sp, #192]
        ldp q4, q5, [sp, #160]
        ldp q2, q3, [sp, #128]
        ldp q0, q1, [sp, #96]
        ldr x8, [sp, #80]
        ldp x6, x7, [sp, #64]
        ldp x4, x5, [sp, #48]
        ldp x2, x3, [sp, #32]
        ldp x0, x1, [sp, #16]
        ldp x29, x30, [sp], #224
        .cfi_restore x29
        .cfi_restore x30
        .cfi_adjust_cfa_offset -224
        mov x16, x17
        br x16
        .cfi_endproc
        .size tnd_guard_enter, . - tnd_guard_enter

#endif

        .section .note.GNU-stack, "", @progbits
