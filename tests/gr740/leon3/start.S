/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The beginning of a program for a LEON3 without an operating system: the table of traps, the register windows that
 * overflow to the stack and come back, and interrupts, which are handled in C on the stack of what they interrupt.
 *
 * Registers of a trap: %l0 the psr, %l1 the pc, %l2 the npc, %l3 the interrupt's level.
 */
#define WINDOWS 8
#define FRAME 96    /* of a function: its window, and room for arguments */
#define CONTEXT 64  /* struct board_context of board.c */

#define TRAP(handler) rd %psr, %l0; sethi %hi(handler), %l4; jmp %l4 + %lo(handler); nop
#define BAD ta 0; nop; nop; nop
#define INTERRUPT(level) rd %psr, %l0; sethi %hi(interrupt), %l4; jmp %l4 + %lo(interrupt); mov level, %l3

#define BAD_8 BAD; BAD; BAD; BAD; BAD; BAD; BAD; BAD

    .section .traps, "ax"
    .global traps, _start
    .align 4096
traps:
    ba _start; nop; nop; nop                    /* 0x00: reset */
    BAD; BAD; BAD; BAD                          /* 0x01 */
    TRAP(overflow)                              /* 0x05 */
    TRAP(underflow)                             /* 0x06 */
    BAD; BAD_8; BAD                             /* 0x07 to 0x10 */
    INTERRUPT(1); INTERRUPT(2); INTERRUPT(3); INTERRUPT(4); INTERRUPT(5); INTERRUPT(6); INTERRUPT(7); INTERRUPT(8)
    INTERRUPT(9); INTERRUPT(10); INTERRUPT(11); INTERRUPT(12); INTERRUPT(13); INTERRUPT(14); INTERRUPT(15)
    .rept 0x100 - 0x20
    BAD
    .endr

    .text
    .align 4
#define SPILL \
    std %l0, [%sp]; std %l2, [%sp + 8]; std %l4, [%sp + 16]; std %l6, [%sp + 24]; \
    std %i0, [%sp + 32]; std %i2, [%sp + 40]; std %i4, [%sp + 48]; std %i6, [%sp + 56]
#define FILL \
    ldd [%sp], %l0; ldd [%sp + 8], %l2; ldd [%sp + 16], %l4; ldd [%sp + 24], %l6; \
    ldd [%sp + 32], %i0; ldd [%sp + 40], %i2; ldd [%sp + 48], %i4; ldd [%sp + 56], %i6

/* The window below the invalid one goes to its stack, and becomes the invalid one. %g1 is not ours: it waits in %l7. */
overflow:
    mov %g1, %l7
    rd %wim, %l3
    srl %l3, 1, %l4
    sll %l3, WINDOWS - 1, %g1
    or %l4, %g1, %g1
    and %g1, (1 << WINDOWS) - 1, %g1
    save
    wr %g1, 0, %wim
    nop; nop; nop
    SPILL
    restore
    mov %l7, %g1
    wr %l0, 0, %psr
    nop; nop; nop
    jmp %l1
     rett %l2

/* The window above comes from its stack, and the one above that becomes the invalid one. The trap is in the window two
 * below the one that is wanted. */
underflow:
    rd %wim, %l3
    sll %l3, 1, %l4
    srl %l3, WINDOWS - 1, %l5
    or %l4, %l5, %l4
    and %l4, (1 << WINDOWS) - 1, %l4
    wr %l4, 0, %wim
    nop; nop; nop
    restore
    restore
    FILL
    save
    save
    wr %l0, 0, %psr
    nop; nop; nop
    jmp %l1
     rett %l2

interrupt:
    /* If this window is the invalid one, the one below goes to its stack first, as in `overflow`. */
    rd %wim, %l4
    srl %l4, %l0, %l5
    cmp %l5, 1
    bne 1f
     nop
    mov %g1, %l7
    srl %l4, 1, %l5
    sll %l4, WINDOWS - 1, %g1
    or %l5, %g1, %g1
    and %g1, (1 << WINDOWS) - 1, %g1
    save
    wr %g1, 0, %wim
    nop; nop; nop
    SPILL
    restore
    mov %l7, %g1
1:  sub %fp, FRAME + CONTEXT, %sp
    rd %y, %l4
    st %l0, [%sp + FRAME]
    st %l1, [%sp + FRAME + 4]
    st %l2, [%sp + FRAME + 8]
    st %l4, [%sp + FRAME + 12]
    st %fp, [%sp + FRAME + 16]
    st %i7, [%sp + FRAME + 20]
    st %g1, [%sp + FRAME + 24]
    std %g2, [%sp + FRAME + 32]
    std %g4, [%sp + FRAME + 40]
    std %g6, [%sp + FRAME + 48]
    /* No other interrupt, but traps of windows. */
    or %l0, 0xf00, %l5
    wr %l5, 0x20, %psr
    nop; nop; nop
    /* All windows of the interrupted code go to its stack. */
    .rept WINDOWS - 2
    save %sp, -FRAME, %sp
    .endr
    .rept WINDOWS - 2
    restore
    .endr
    add %sp, FRAME, %o0
    call board_interrupt
     mov %l3, %o1
    ld [%sp + FRAME + 12], %l4
    wr %l4, 0, %y
    ld [%sp + FRAME + 24], %g1
    ldd [%sp + FRAME + 32], %g2
    ldd [%sp + FRAME + 40], %g4
    ldd [%sp + FRAME + 48], %g6
    wr %l0, 0, %psr /* traps are off, as when the interrupt came */
    nop; nop; nop
    /* If the window above is the invalid one, it comes from its stack. */
    rd %wim, %l4
    and %l0, 31, %l5
    add %l5, 1, %l5
    and %l5, WINDOWS - 1, %l5
    srl %l4, %l5, %l5
    cmp %l5, 1
    bne 2f
     nop
    sll %l4, 1, %l5
    srl %l4, WINDOWS - 1, %l4
    or %l4, %l5, %l4
    and %l4, (1 << WINDOWS) - 1, %l4
    wr %l4, 0, %wim
    nop; nop; nop
    restore
    FILL
    save
2:  wr %l0, 0, %psr
    nop; nop; nop
    jmp %l1
     rett %l2

_start:
    wr %g0, 0xfc0, %psr /* supervisor, window 0, no interrupts, no traps */
    nop; nop; nop
    wr %g0, 2, %wim
    set traps, %g1
    wr %g1, 0, %tbr
    nop; nop; nop
    set stack_end - FRAME, %sp
    mov 0, %fp
    mov 0, %i7
    st %g0, [%sp + 56]
    st %g0, [%sp + 60]
    set bss_begin, %g1
    set bss_end, %g2
1:  cmp %g1, %g2
    bgeu 2f
     nop
    st %g0, [%g1]
    st %g0, [%g1 + 4]
    ba 1b
     add %g1, 8, %g1
2:  set thread_pointer, %g7
    set 0x10e0, %g1 /* floating point, supervisor, traps */
    wr %g1, 0, %psr
    nop; nop; nop
    call main
     nop
    .global board_halt
board_halt: /* the emulator ends at a trap while traps are off */
    wr %g0, 0xfc0, %psr
    nop; nop; nop
    ta 0
    nop

    .section .note.GNU-stack, "", @progbits
