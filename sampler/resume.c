/* SPDX-License-Identifier: Apache-2.0
 *
 * What the kernel does when a handler has returned cannot be chosen: it ends such a call.  But as long as the handler
 * has not returned, the kernel remembers how the thread was to go on with a wait whose time is counted from its begin
 * (nanosleep, clock_nanosleep, poll, futex), and does so when it is asked by restart_syscall.  A signal of the
 * program's that comes before that makes the kernel forget it, and the answer is EINTR, as it must be.
 *
 * Other waits are called again, by their number and their arguments, for all of their time: the handler's caller sees
 * to it that this is rare.  The kernel does not tell the number; on x86-64 it is in an instruction before the call, and
 * only numbers of waits are believed.  On arm64 a register has it, but the first argument is lost.
 *
 * Calls in libc are left alone: it makes waits of itself again, and what programs call is interposed; but for short
 * transfers, which end with EINTR on a socket with a time limit (restartless.c).
 *
 * Context: resume.h.
 */
#include "sampler/resume.h"
#include "sampler/kernel_waits.h"
#include "sampler/own_stack.h"
#include "sampler/unwind.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__) || defined(__aarch64__)

#define N_ARGUMENTS 6

/* Of libc. */
static uint64_t libc_low, libc_size;

void tnd_resume_start(void)
{
    struct dl_find_object found;
    if (_dl_find_object((void *)dlsym(RTLD_NEXT, "nanosleep"), &found) != 0)
        return;
    libc_low = (uint64_t)found.dlfo_map_start;
    libc_size = (uint64_t)found.dlfo_map_end - libc_low;
}

static long call_kernel(long number, const uint64_t a[N_ARGUMENTS])
{
#if defined(__x86_64__)
    register uint64_t r10 __asm__("r10") = a[3], r8 __asm__("r8") = a[4], r9 __asm__("r9") = a[5];
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "0"(number), "D"(a[0]), "S"(a[1]), "d"(a[2]), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
#else
    register uint64_t x0 __asm__("x0") = a[0], x1 __asm__("x1") = a[1], x2 __asm__("x2") = a[2];
    register uint64_t x3 __asm__("x3") = a[3], x4 __asm__("x4") = a[4], x5 __asm__("x5") = a[5];
    register long x8 __asm__("x8") = number;
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5), "r"(x8) : "memory");
    return (long)x0;
#endif
}

#if defined(__x86_64__)

/* Registers by their number in an instruction. */
static const int by_number[16] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                                  REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};

/* The number was in a register, which the call leaves as it is; -1: it was not. */
static long number_from_register(const ucontext_t *context, const uint8_t *code)
{
    unsigned prefix = (code[-3] & 0xf0) == 0x40 ? code[-3] : 0, source;
    if (code[-2] == 0x89 && (code[-1] & 0xc7) == 0xc0) /* mov SOURCE, %eax */
        source = (code[-1] >> 3 & 7) | (prefix & 4) << 1;
    else if (code[-2] == 0x8b && (code[-1] & 0xf8) == 0xc0)
        source = (code[-1] & 7) | (prefix & 1) << 3;
    else
        return -1;
    bool is_lost = by_number[source] == REG_RCX || by_number[source] == REG_R11 || by_number[source] == REG_RAX;
    return is_lost ? -1 : (int)context->uc_mcontext.gregs[by_number[source]];
}

/* How far before the call its number is loaded: arguments may be loaded in between. */
#define MOST_BEFORE 40
#define LOAD_EAX 0xb8 /* an opcode, which four bytes of a number follow */

/* A transfer of libc's: its number is loaded right before the call. */
static const struct tnd_wait *transfer_of(const uint8_t *code)
{
    static const uint8_t read_zero[] = {0x31, 0xc0}, write_one[] = {LOAD_EAX, SYS_write, 0, 0, 0};
    if (memcmp(code - sizeof read_zero, read_zero, sizeof read_zero) == 0)
        return tnd_kernel_waits_find(SYS_read);
    if (memcmp(code - sizeof write_one, write_one, sizeof write_one) == 0)
        return tnd_kernel_waits_find(SYS_write);
    return NULL;
}

/* The wait at `code`; NULL: no number of one is loaded before it. */
static const struct tnd_wait *wait_of(const ucontext_t *context, const uint8_t *code)
{
    long number_there = number_from_register(context, code);
    const struct tnd_wait *found = number_there < 0 ? NULL : tnd_kernel_waits_find(number_there);
    for (int n = 5; n <= MOST_BEFORE && number_there < 0 && !found; n++) {
        uint32_t number;
        memcpy(&number, code - n + 1, sizeof number);
        if (code[-n] == LOAD_EAX)
            found = tnd_kernel_waits_find(number);
    }
    return found;
}

static bool is_interrupted(const ucontext_t *context, const uint8_t **call)
{
    const greg_t *registers = context->uc_mcontext.gregs;
    *call = (const uint8_t *)registers[REG_RIP] - 2;
    return registers[REG_RAX] == -EINTR && (uintptr_t)*call > 4096 && (*call)[0] == 0x0f && (*call)[1] == 0x05;
}

static void answer(ucontext_t *context, long result)
{
    context->uc_mcontext.gregs[REG_RAX] = result;
}

static uint64_t second_argument(const ucontext_t *context)
{
    return (uint64_t)context->uc_mcontext.gregs[REG_RSI];
}

static long call_again(const ucontext_t *context, const struct tnd_wait *wait, uint64_t ours)
{
    const greg_t *r = context->uc_mcontext.gregs;
    uint64_t arguments[N_ARGUMENTS] = {(uint64_t)r[REG_RDI], (uint64_t)r[REG_RSI], (uint64_t)r[REG_RDX],
                                       (uint64_t)r[REG_R10], (uint64_t)r[REG_R8],  (uint64_t)r[REG_R9]};
    struct tnd_held_mask held;
    tnd_kernel_waits_hold(wait, arguments, ours, &held);
    return call_kernel(wait->number, arguments);
}

#else

static const struct tnd_wait *transfer_of(const uint8_t *code)
{
    return NULL;
}

static const struct tnd_wait *wait_of(const ucontext_t *context, const uint8_t *code)
{
    return tnd_kernel_waits_find((long)context->uc_mcontext.regs[8]);
}

static bool is_interrupted(const ucontext_t *context, const uint8_t **call)
{
    *call = (const uint8_t *)context->uc_mcontext.pc - 4;
    return (int64_t)context->uc_mcontext.regs[0] == -EINTR && (uintptr_t)*call > 4096 &&
           *(const uint32_t *)*call == 0xd4000001;
}

static void answer(ucontext_t *context, long result)
{
    context->uc_mcontext.regs[0] = (uint64_t)result;
}

static uint64_t second_argument(const ucontext_t *context)
{
    return context->uc_mcontext.regs[1];
}

static long call_again(const ucontext_t *context, const struct tnd_wait *wait, uint64_t ours)
{
    return -EINTR;
}

#endif

static bool is_handled(int signal)
{
    struct sigaction action;
    return sigaction(signal, NULL, &action) == 0 && action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN;
}

/* Whether a signal for which the program has a handler waits until ours has returned: the call ends because of it. */
static bool is_for_program(uint64_t blocked)
{
    uint64_t pending = 0;
    syscall(SYS_rt_sigpending, &pending, sizeof pending);
    pending &= ~blocked;
    for (int i = 1; pending; i++, pending >>= 1)
        if ((pending & 1) && is_handled(i))
            return true;
    return false;
}

/* Whether a handler of the program's may have ended the call before ours came, which nobody can tell: the call is not
 * made again then.  Faults do not end calls. */
static bool may_be_the_programs(void)
{
    static const uint64_t faults = 1u << (SIGSEGV - 1) | 1u << (SIGBUS - 1) | 1u << (SIGFPE - 1) | 1u << (SIGILL - 1) |
                                   1u << (SIGTRAP - 1) | 1u << (SIGSYS - 1) | 1u << (SIGABRT - 1);
    for (int i = 1; i < _NSIG; i++)
        if (!(i <= 32 && faults >> (i - 1) & 1) && is_handled(i))
            return true;
    return false;
}

/* Whether the kernel knows how to go on with it. */
static bool is_remembered(const struct tnd_wait *wait, const ucontext_t *context)
{
    bool is_until = wait->number == SYS_clock_nanosleep && (second_argument(context) & TIMER_ABSTIME);
    return wait->kind == TND_WAIT_REMEMBERED && !is_until;
}

enum tnd_resumed tnd_resume_call(ucontext_t *context, int signal)
{
    static const uint64_t nothing[N_ARGUMENTS];
    const uint64_t ours = (uint64_t)1 << (signal - 1);
    const uint8_t *code;
    uint64_t mask;
    memcpy(&mask, &context->uc_sigmask, sizeof mask);
    mask |= ours;
    if (!is_interrupted(context, &code) || tnd_unwind_leaves_out((uint64_t)code) || is_for_program(mask))
        return TND_RESUMED_NOTHING;
    bool is_libcs = (uint64_t)code - libc_low < libc_size;
    const struct tnd_wait *wait = is_libcs ? transfer_of(code) : wait_of(context, code);
    if (!wait || wait->kind == TND_WAIT_STARTED)
        return is_libcs ? TND_RESUMED_NOTHING : TND_RESUMED_LATE;
    bool remembered = is_remembered(wait, context);
    if (!tnd_own_stack_is_kernels() || (!remembered && may_be_the_programs()))
        return is_libcs ? TND_RESUMED_NOTHING : TND_RESUMED_LATE;
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &mask, NULL, sizeof mask);
    answer(context, remembered ? call_kernel(SYS_restart_syscall, nothing) : call_again(context, wait, ours));
    return remembered ? TND_RESUMED_EXACTLY : TND_RESUMED_LATE;
}

#else

void tnd_resume_start(void) {}

enum tnd_resumed tnd_resume_call(ucontext_t *context, int signal)
{
    return TND_RESUMED_NOTHING;
}

#endif
