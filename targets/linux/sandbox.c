/* SPDX-License-Identifier: Apache-2.0
 *
 * A program that gives up calls of the kernel (seccomp) would be killed for ours.  Before a filter is in force it is
 * asked, by running it as the kernel would, about each call that recording needs; if it refuses one, recording ends in
 * this process before that, whatever it does to who calls: the program's own answer to it may be to end.
 *
 * Only the instructions that the kernel lets into such a filter are known (kernel/seccomp.c: seccomp_check_filter).
 *
 * Context: the program's call.
 */
#include "runtime/image.h"
#include "runtime/miss.h"
#include "runtime/run.h"
#include "runtime/target.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__)
#define THIS_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define THIS_ARCH AUDIT_ARCH_AARCH64
#else
#define THIS_ARCH 0 /* whatever a filter says of it, it is taken for one that refuses */
#endif

/* What recording calls until the process has ended, with the first argument where a filter may look at it. */
static const struct {
    int number;
    uint64_t first;
} needed[] = {
    {SYS_clock_gettime, (uint32_t)CLOCK_THREAD_CPUTIME_ID},
    {SYS_clock_gettime, CLOCK_MONOTONIC},
    {SYS_timer_create, CLOCK_MONOTONIC},
    {SYS_timer_settime, 0},
    {SYS_timer_delete, 0},
    {SYS_rt_sigaction, 0},
    {SYS_rt_sigprocmask, 0},
    {SYS_rt_sigpending, 0},
    {SYS_rt_sigtimedwait, 0},
    {SYS_rt_sigreturn, 0},
    {SYS_sigaltstack, 0},
    {SYS_restart_syscall, 0},
    {SYS_getpid, 0},
    {SYS_getppid, 0},
    {SYS_gettid, 0},
    {SYS_getrusage, 1},
    {SYS_prlimit64, 0},
    {SYS_getrandom, 0},
    {SYS_nanosleep, 0},
    {SYS_openat, (uint32_t)-100},
    {SYS_read, 3},
    {SYS_pwrite64, 3},
    {SYS_write, 2},
    {SYS_fallocate, 3},
    {SYS_ftruncate, 3},
    {SYS_fstat, 3},
    {SYS_newfstatat, 3},
    {SYS_fcntl, 3},
    {SYS_close, 3},
    {SYS_mkdirat, (uint32_t)-100},
    {SYS_unlinkat, (uint32_t)-100},
    {SYS_mmap, 0},
    {SYS_munmap, 0},
    {SYS_madvise, 0},
    {SYS_prctl, PR_GET_NAME},
};

struct machine {
    uint32_t a, x, memory[BPF_MEMWORDS];
};

static bool load(const struct sock_filter *i, const struct seccomp_data *data, struct machine *m)
{
    uint32_t *to = BPF_CLASS(i->code) == BPF_LD ? &m->a : &m->x;
    switch (BPF_MODE(i->code)) {
    case BPF_ABS:
        if (i->k > sizeof *data - sizeof *to)
            return false;
        memcpy(to, (const char *)data + i->k, sizeof *to);
        return true;
    case BPF_IMM:
        *to = i->k;
        return true;
    case BPF_LEN:
        *to = sizeof *data;
        return true;
    case BPF_MEM:
        if (i->k >= BPF_MEMWORDS)
            return false;
        *to = m->memory[i->k];
        return true;
    }
    return false;
}

static bool compute(const struct sock_filter *i, struct machine *m)
{
    uint32_t by = BPF_SRC(i->code) == BPF_X ? m->x : i->k;
    switch (BPF_OP(i->code)) {
    case BPF_ADD:
        m->a += by;
        return true;
    case BPF_SUB:
        m->a -= by;
        return true;
    case BPF_MUL:
        m->a *= by;
        return true;
    case BPF_DIV:
        m->a = by ? m->a / by : 0;
        return by;
    case BPF_AND:
        m->a &= by;
        return true;
    case BPF_OR:
        m->a |= by;
        return true;
    case BPF_XOR:
        m->a ^= by;
        return true;
    case BPF_LSH:
        m->a = by < 32 ? m->a << by : 0;
        return true;
    case BPF_RSH:
        m->a = by < 32 ? m->a >> by : 0;
        return true;
    case BPF_NEG:
        m->a = -m->a;
        return true;
    }
    return false;
}

/* How many instructions are left out. */
static uint32_t jump(const struct sock_filter *i, const struct machine *m)
{
    uint32_t with = BPF_SRC(i->code) == BPF_X ? m->x : i->k;
    bool is = false;
    switch (BPF_OP(i->code)) {
    case BPF_JA:
        return i->k;
    case BPF_JEQ:
        is = m->a == with;
        break;
    case BPF_JGT:
        is = m->a > with;
        break;
    case BPF_JGE:
        is = m->a >= with;
        break;
    case BPF_JSET:
        is = m->a & with;
        break;
    }
    return is ? i->jt : i->jf;
}

/* What the filter answers; a kill if it is one that the kernel would not take. */
static uint32_t run_filter(const struct sock_fprog *program, const struct seccomp_data *data)
{
    struct machine m = {0};
    for (uint32_t at = 0; at < program->len; at++) {
        const struct sock_filter *i = &program->filter[at];
        bool is_good = true;
        switch (BPF_CLASS(i->code)) {
        case BPF_RET:
            return BPF_RVAL(i->code) == BPF_A ? m.a : i->k;
        case BPF_LD:
        case BPF_LDX:
            is_good = load(i, data, &m);
            break;
        case BPF_ST:
        case BPF_STX:
            is_good = i->k < BPF_MEMWORDS;
            if (is_good)
                m.memory[i->k] = BPF_CLASS(i->code) == BPF_ST ? m.a : m.x;
            break;
        case BPF_ALU:
            is_good = compute(i, &m);
            break;
        case BPF_JMP:
            at += jump(i, &m);
            break;
        default: /* BPF_MISC */
            *(BPF_MISCOP(i->code) == BPF_TAX ? &m.x : &m.a) = BPF_MISCOP(i->code) == BPF_TAX ? m.a : m.x;
        }
        if (!is_good)
            break;
    }
    return SECCOMP_RET_KILL_THREAD;
}

static bool lets_us_record(const struct sock_fprog *program)
{
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
        struct seccomp_data data = {
            .nr = needed[i].number,
            .arch = THIS_ARCH,
            .instruction_pointer = (uint64_t)(uintptr_t)tnd_target_syscall,
            .args = {needed[i].first},
        };
        uint32_t answer = run_filter(program, &data) & SECCOMP_RET_ACTION_FULL;
        if (answer != SECCOMP_RET_ALLOW && answer != SECCOMP_RET_LOG)
            return false;
    }
    return true;
}

void tnd_target_filtering(unsigned operation, const void *program)
{
    int before = errno;
    bool is_strict = operation == SECCOMP_SET_MODE_STRICT;
    bool refuses = is_strict || (operation == SECCOMP_SET_MODE_FILTER && program && !lets_us_record(program));
    if (refuses && tnd_image_is_here()) {
        tnd_miss_tell(TND_MISSED_SECCOMP, NULL);
        tnd_run_leave();
    }
    errno = before;
}

/* As libc has it, all arguments are passed on. */
__attribute__((visibility("default"))) int prctl(int option, ...)
{
    unsigned long a[4];
    va_list list;
    va_start(list, option);
    for (int i = 0; i < 4; i++)
        a[i] = va_arg(list, unsigned long);
    va_end(list);
    if (option == PR_SET_SECCOMP)
        tnd_target_filtering(a[0] == SECCOMP_MODE_FILTER   ? SECCOMP_SET_MODE_FILTER
                             : a[0] == SECCOMP_MODE_STRICT ? SECCOMP_SET_MODE_STRICT
                                                           : ~0u,
                             (const void *)a[1]);
    return (int)syscall(SYS_prctl, option, a[0], a[1], a[2], a[3]);
}
