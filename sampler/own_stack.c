/* SPDX-License-Identifier: Apache-2.0
 *
 * Stacks lie side by side, so that a thousand of them are few mappings.  There is no guard page below one: that would
 * make two mappings of each.
 *
 * The entry is written in assembler, because nothing may be written to the stack that it comes on but a return address
 * and a frame pointer.  On other processors than x86-64 and arm64 the handler stays on the stack it comes on.
 *
 * Context: own_stack.h; system calls only.
 */
#include "sampler/own_stack.h"
#include "runtime/target.h"
#include "runtime/thread.h"
#include "sampler/signals.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

#define STACK_BYTES 262144 /* a handler of the program's may do much */
#define ENTRY_BYTES 512    /* what the entry writes, and what the kernel leaves free above its frame */
#define WIDE_BYTES 65536   /* an alternate stack that has room for a signal while a handler runs on it */
#define USUAL_FRAME 4096   /* of a signal, where the kernel does not say */
#ifndef AT_MINSIGSTKSZ
#define AT_MINSIGSTKSZ 51
#endif

#define PUBLIC __attribute__((visibility("default")))

/* The calling thread's stack; NULL: it has none.  Not static, as the entry below names it. */
_Thread_local char *tnd_own_stack_low __attribute__((tls_model("initial-exec"), visibility("hidden")));

static _Thread_local bool is_cramped __attribute__((tls_model("initial-exec")));
static void (*tell_cramped)(bool);

static int kernel_stack(const stack_t *wanted, stack_t *before)
{
    return (int)syscall(SYS_sigaltstack, wanted, before);
}

static bool is_ours(const stack_t *stack)
{
    return stack->ss_sp == tnd_own_stack_low && tnd_own_stack_low;
}

static stack_t ours(void)
{
    return (stack_t){.ss_sp = tnd_own_stack_low, .ss_size = STACK_BYTES};
}

static bool has_room(const stack_t *stack)
{
    size_t frame = getauxval(AT_MINSIGSTKSZ);
    return (stack->ss_flags & SS_DISABLE) || stack->ss_size >= (frame ? frame : USUAL_FRAME) + ENTRY_BYTES;
}

/* The program has set its alternate stack, or had set it before. */
static void look_at(const stack_t *stack)
{
    bool now = !has_room(stack);
    if (!(stack->ss_flags & SS_DISABLE))
        tnd_signals_stack_is_set(stack->ss_size < WIDE_BYTES);
    bool changes = is_cramped != now;
    is_cramped = now;
    if (changes && tell_cramped)
        tell_cramped(now);
}

bool tnd_own_stack_take(uint32_t slot)
{
    int before = errno;
    stack_t there, mine;
    char *low = tnd_target_slot_pages(TND_TARGET_SLOT_STACK, slot, STACK_BYTES);
    if (low && kernel_stack(NULL, &there) == 0 && !(there.ss_flags & SS_ONSTACK)) {
        bool is_a_parents = is_ours(&there); /* of the thread that forked */
        tnd_own_stack_low = low;
        mine = ours();
        if (is_a_parents || (there.ss_flags & SS_DISABLE))
            kernel_stack(&mine, NULL);
        else
            look_at(&there);
    }
    errno = before;
    return low;
}

void tnd_own_stack_leave(void)
{
    int before = errno;
    stack_t there, none = {.ss_flags = SS_DISABLE};
    if (tnd_own_stack_low && kernel_stack(NULL, &there) == 0 && is_ours(&there) && !(there.ss_flags & SS_ONSTACK))
        kernel_stack(&none, NULL);
    tnd_own_stack_low = NULL;
    errno = before;
}

bool tnd_own_stack_is_cramped(void)
{
    return is_cramped;
}

void tnd_own_stack_cramped_changes(void (*changed)(bool))
{
    tell_cramped = changed;
}

bool tnd_own_stack_is_kernels(void)
{
    int before = errno;
    stack_t there;
    bool is = tnd_own_stack_low && kernel_stack(NULL, &there) == 0 && is_ours(&there);
    errno = before;
    return is;
}

/* Where the kernel has ours, the program has none. */
PUBLIC int sigaltstack(const stack_t *restrict wanted, stack_t *restrict old)
{
    stack_t there, mine = ours();
    if (!tnd_own_stack_low || kernel_stack(NULL, &there) != 0)
        return kernel_stack(wanted, old);
    bool was_ours = is_ours(&there), is_over = wanted && (wanted->ss_flags & SS_DISABLE);
    bool is_in_use = was_ours && (there.ss_flags & SS_ONSTACK); /* what a handler sets is undone as it returns */
    if (wanted && !(was_ours && is_over) && !is_in_use && kernel_stack(is_over ? &mine : wanted, NULL) != 0)
        return -1;
    if (old)
        *old = was_ours ? (stack_t){.ss_flags = SS_DISABLE} : there;
    if (wanted && !is_in_use)
        look_at(wanted);
    return 0;
}

#define TEXT(number) TEXT_OF(number)
#define TEXT_OF(number) #number

#if defined(__x86_64__)
/* The frame pointer tells where the interrupted stack is, to unwinders, too. */
__asm__(
    ".text\n"
    ".p2align 4\n"
    ".hidden tnd_own_stack_enter\n"
    ".globl tnd_own_stack_enter\n"
    ".type tnd_own_stack_enter, @function\n"
    "tnd_own_stack_enter:\n"
    "    .cfi_startproc\n"
    "    endbr64\n"
    "    movq tnd_own_stack_low@gottpoff(%rip), %rax\n"
    "    movq %fs:(%rax), %rax\n"
    "    testq %rax, %rax\n"
    "    je 1f\n"
    "    movq %rsp, %rcx\n"
    "    subq %rax, %rcx\n"
    "    cmpq $" TEXT(STACK_BYTES) ", %rcx\n"
                                   "    jb 1f\n"
                                   "    pushq %rbp\n"
                                   "    .cfi_def_cfa_offset 16\n"
                                   "    .cfi_offset %rbp, -16\n"
                                   "    movq %rsp, %rbp\n"
                                   "    .cfi_def_cfa_register %rbp\n"
                                   "    leaq " TEXT(STACK_BYTES) "(%rax), %rsp\n"
                                                                 "    call tnd_own_stack_handler\n"
                                                                 "    movq %rbp, %rsp\n"
                                                                 "    popq %rbp\n"
                                                                 "    .cfi_def_cfa %rsp, 8\n"
                                                                 "    ret\n"
                                                                 "    .cfi_def_cfa %rsp, 8\n"
                                                                 "    .cfi_restore %rbp\n"
                                                                 "1:  jmp tnd_own_stack_handler\n"
                                                                 "    .cfi_endproc\n"
                                                                 ".size tnd_own_stack_enter, .-tnd_own_stack_enter\n");
#elif defined(__aarch64__)
__asm__(".text\n"
        ".p2align 4\n"
        ".hidden tnd_own_stack_enter\n"
        ".globl tnd_own_stack_enter\n"
        ".type tnd_own_stack_enter, %function\n"
        "tnd_own_stack_enter:\n"
        "    .cfi_startproc\n"
        "    hint #34\n" /* bti c */
        "    mrs x9, tpidr_el0\n"
        "    adrp x10, :gottprel:tnd_own_stack_low\n"
        "    ldr x10, [x10, #:gottprel_lo12:tnd_own_stack_low]\n"
        "    ldr x9, [x9, x10]\n"
        "    cbz x9, 1f\n"
        "    mov x10, sp\n"
        "    sub x10, x10, x9\n"
        "    mov x11, #" TEXT(STACK_BYTES) "\n"
                                           "    cmp x10, x11\n"
                                           "    b.lo 1f\n"
                                           "    stp x29, x30, [sp, #-16]!\n"
                                           "    .cfi_def_cfa_offset 16\n"
                                           "    .cfi_offset x29, -16\n"
                                           "    .cfi_offset x30, -8\n"
                                           "    mov x29, sp\n"
                                           "    .cfi_def_cfa_register x29\n"
                                           "    add x9, x9, x11\n"
                                           "    mov sp, x9\n"
                                           "    bl tnd_own_stack_handler\n"
                                           "    mov sp, x29\n"
                                           "    ldp x29, x30, [sp], #16\n"
                                           "    .cfi_def_cfa sp, 0\n"
                                           "    .cfi_restore x29\n"
                                           "    .cfi_restore x30\n"
                                           "    ret\n"
                                           "1:  b tnd_own_stack_handler\n"
                                           "    .cfi_endproc\n"
                                           ".size tnd_own_stack_enter, .-tnd_own_stack_enter\n");
#else
void tnd_own_stack_enter(int signal, siginfo_t *info, void *context)
{
    tnd_own_stack_handler(signal, info, context);
}
#endif
