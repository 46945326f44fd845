/* SPDX-License-Identifier: Apache-2.0
 *
 * The common part of all trampolines.  library_shadow.h says what it does.
 *
 * Registers: all that arguments or results may be in are kept; vector, mask and x87 registers are not touched.  Of
 * x86-64 and AArch64.
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

#elif defined(__aarch64__)

#define X29_AT 0 /* of struct tnd_library_entry, which so begins as a frame record does */
#define RETURN_AT 8

/* DW_CFA_expression: a register of the caller is kept at X29 plus an offset. */
#define KEPT_BY_X29(number, offset) .cfi_escape 0x10, number, 2, 0x8d, offset

/* DW_CFA_val_offset: SP of the caller is the frame's address less two words. */
#define CALLERS_SP .cfi_escape 0x14, 31, 2

#define FRAME_BYTES 112 /* X30 is its uppermost word, below it X0, X1, ... X7, and X8 */
#define X30_AT 104

        .text
        .p2align 6
        .globl tnd_library_enter
        .hidden tnd_library_enter
        .type tnd_library_enter, @function

/* A trampoline jumps here with the number of its function in X17.  The program's return address is in X30. */
tnd_library_enter:
        .cfi_startproc
        hint #34 /* bti c */
        sub sp, sp, #FRAME_BYTES
        .cfi_adjust_cfa_offset FRAME_BYTES
        str x30, [sp, #X30_AT]
        .cfi_offset x30, -8
        stp x1, x0, [sp, #88]
        stp x3, x2, [sp, #72]
        stp x5, x4, [sp, #56]
        stp x7, x6, [sp, #40]
        str x8, [sp, #32]
        mov w0, w17
        add x1, sp, #X30_AT
        bl tnd_library_shadow_begin
        mov x17, x0
        mov x16, x1
        ldr x8, [sp, #32]
        ldp x7, x6, [sp, #40]
        ldp x5, x4, [sp, #56]
        ldp x3, x2, [sp, #72]
        ldp x1, x0, [sp, #88]
        ldr x30, [sp, #X30_AT]
        .cfi_restore x30
        add sp, sp, #FRAME_BYTES
        .cfi_adjust_cfa_offset -FRAME_BYTES
        cbz x17, 1f
        str x29, [x17, #X29_AT]
        mov x29, x17
        /* As above, the trampoline's frame has no word but an address of its own. */
        .cfi_remember_state
        KEPT_BY_X29(29, X29_AT)
        KEPT_BY_X29(30, RETURN_AT)
        .cfi_adjust_cfa_offset 16
        CALLERS_SP
        blr x16

        .globl tnd_library_back
        .hidden tnd_library_back
tnd_library_back:
        stp x0, x1, [sp, #-32]!
        .cfi_adjust_cfa_offset 32
        ldr x30, [x29, #RETURN_AT]
        str x30, [sp, #16]
        .cfi_offset x30, -32 /* of an address that is two words above the frame */
        mov x0, x29
        ldr x29, [x29, #X29_AT]
        .cfi_restore x29
        mov x1, sp /* X0, as the function returned it */
        bl tnd_library_shadow_end
        ldr x30, [sp, #16]
        .cfi_restore x30
        ldp x0, x1, [sp], #32
        .cfi_restore_state
        ret
1:      br x16
        .cfi_endproc
        .size tnd_library_enter, . - tnd_library_enter

/* All vector registers, to or from the stack. */
        .macro all_vectors instruction
        \instruction q0, q1, [sp, #0]
        \instruction q2, q3, [sp, #32]
        \instruction q4, q5, [sp, #64]
        \instruction q6, q7, [sp, #96]
        \instruction q8, q9, [sp, #128]
        \instruction q10, q11, [sp, #160]
        \instruction q12, q13, [sp, #192]
        \instruction q14, q15, [sp, #224]
        \instruction q16, q17, [sp, #256]
        \instruction q18, q19, [sp, #288]
        \instruction q20, q21, [sp, #320]
        \instruction q22, q23, [sp, #352]
        \instruction q24, q25, [sp, #384]
        \instruction q26, q27, [sp, #416]
        \instruction q28, q29, [sp, #448]
        \instruction q30, q31, [sp, #480]
        .endm

/* uint64_t tnd_library_shadow_guarded(uint64_t (*function)(void *), void *argument) */
        .globl tnd_library_shadow_guarded
        .hidden tnd_library_shadow_guarded
        .type tnd_library_shadow_guarded, @function
tnd_library_shadow_guarded:
        .cfi_startproc
        hint #34
        stp x29, x30, [sp, #-16]!
        .cfi_adjust_cfa_offset 16
        .cfi_offset x29, -16
        .cfi_offset x30, -8
        mov x29, sp
        .cfi_def_cfa_register x29
        sub sp, sp, #528
        all_vectors stp
        mrs x9, fpsr
        str x9, [sp, #512]
        mov x9, x0
        mov x0, x1
        blr x9
        ldr x9, [sp, #512]
        msr fpsr, x9
        all_vectors ldp
        mov sp, x29
        .cfi_def_cfa_register sp
        ldp x29, x30, [sp], #16
        .cfi_adjust_cfa_offset -16
        .cfi_restore x29
        .cfi_restore x30
        ret
        .cfi_endproc
        .size tnd_library_shadow_guarded, . - tnd_library_shadow_guarded

#endif

        .section .note.GNU-stack, "", @progbits
