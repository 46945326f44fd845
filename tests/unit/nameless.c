/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A library that is linked without its symbols: two functions that have no name, reached through one that has; and
 * code as assembler programmers leave it, 16 bytes each, which is never run.
 */
static __attribute__((noinline)) int first(int n)
{
    return n > 1 ? n * first(n - 1) : 1;
}

static __attribute__((noinline)) int second(int n)
{
    return n > 1 ? n + second(n - 1) : 1;
}

typedef int (*nameless_function)(int);
nameless_function nameless(int which);

nameless_function nameless(int which)
{
    return which ? second : first;
}

__asm__(".pushsection .text\n"
        ".globl nameless_sizeless\n"
        ".type nameless_sizeless, %function\n"
        "nameless_sizeless:\n"
        "   .skip 16\n"
        "   .cfi_startproc\n" /* a function without a symbol */
        "   .skip 16\n"
        "   .cfi_endproc\n"
        "   .skip 16\n" /* one that the unwind tables do not know either */
        ".globl nameless_short\n"
        ".type nameless_short, %function\n"
        "nameless_short:\n"
        "   .skip 16\n"
        ".size nameless_short, 8\n" /* it ends here, and unknown code follows */
        ".popsection\n");
