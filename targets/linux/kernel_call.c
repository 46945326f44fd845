/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls of the kernel that are ours: what our sources call syscall() is this function, by a macro of the build, because
 * the name is one that we stand in front of ourselves (sampler/direct_calls.c), and that the program may have, too.
 *
 * Context: any.
 */
#include "runtime/target.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <unistd.h>

#ifndef syscall
#error "the build renames syscall"
#endif

#if defined(__x86_64__)
static long call_kernel(long number, const long a[6])
{
    register long r10 __asm__("r10") = a[3], r8 __asm__("r8") = a[4], r9 __asm__("r9") = a[5];
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "0"(number), "D"(a[0]), "S"(a[1]), "d"(a[2]), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
}
#elif defined(__aarch64__)
static long call_kernel(long number, const long a[6])
{
    register long x0 __asm__("x0") = a[0], x1 __asm__("x1") = a[1], x2 __asm__("x2") = a[2];
    register long x3 __asm__("x3") = a[3], x4 __asm__("x4") = a[4], x5 __asm__("x5") = a[5], x8 __asm__("x8") = number;
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5), "r"(x8) : "memory");
    return x0;
}
#else
static long call_kernel(long number, const long a[6])
{
    static long (*next)(long, ...);
    if (!next)
        next = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
    long result = next(number, a[0], a[1], a[2], a[3], a[4], a[5]);
    return result == -1 ? -errno : result;
}
#endif

#define MOST_ERRNO 4095

long syscall(long number, ...)
{
    long a[6];
    va_list list;
    va_start(list, number);
    for (int i = 0; i < 6; i++)
        a[i] = va_arg(list, long);
    va_end(list);
    long result = call_kernel(number, a);
    if ((unsigned long)result < (unsigned long)-MOST_ERRNO)
        return result;
    errno = (int)-result;
    return -1;
}
