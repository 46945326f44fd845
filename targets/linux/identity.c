/* SPDX-License-Identifier: Apache-2.0
 *
 * Facts about the process, the thread and the machine, on Linux: ids, names, host, boot, clock, stack; the mask of
 * signals; lines to stderr.
 *
 * Context: system calls only.
 */
#include "runtime/target.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

extern void *__libc_stack_end; /* of the first thread; the loader's */

pid_t tnd_target_process_id(void)
{
    return (pid_t)syscall(SYS_getpid);
}

pid_t tnd_target_parent_id(void)
{
    return (pid_t)syscall(SYS_getppid);
}

pid_t tnd_target_thread_id(void)
{
    return (pid_t)syscall(SYS_gettid);
}

uint64_t tnd_target_random(void)
{
    int before = errno;
    uint64_t value = 0;
    if (syscall(SYS_getrandom, &value, sizeof value, GRND_NONBLOCK) != sizeof value) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        value = ((uint64_t)now.tv_nsec << 32 ^ (uint64_t)now.tv_sec) * 0x9e3779b97f4a7c15u ^
                (uint64_t)tnd_target_process_id();
    }
    errno = before;
    return value ? value : 1;
}

unsigned tnd_target_cpus(void)
{
    int before = errno;
    int n = get_nprocs(); /* of the machine, not those that a launcher bound this process to */
    errno = before;
    return n > 0 ? (unsigned)n : 1;
}

bool tnd_target_privileged(void)
{
    return getauxval(AT_SECURE) != 0;
}

bool tnd_target_traced(void)
{
    char status[1024]; /* the line is among the first */
    if (tnd_target_read("/proc/self/status", status, sizeof status) <= 0)
        return false;
    const char *tracer = strstr(status, "\nTracerPid:\t");
    return tracer && tracer[12] != '0';
}

void tnd_target_executable(char *path, size_t size)
{
    int before = errno;
    ssize_t n = readlink("/proc/self/exe", path, size - 1);
    path[n > 0 ? n : 0] = 0;
    errno = before;
}

const char *tnd_target_program(void)
{
    const char *program = (const char *)getauxval(AT_EXECFN);
    bool is_descriptor = program && (strncmp(program, "/dev/fd/", 8) == 0 || strncmp(program, "/proc/", 6) == 0);
    return is_descriptor ? NULL : program;
}

void tnd_target_command(char *text, size_t size)
{
    ssize_t n = tnd_target_read("/proc/self/cmdline", text, size);
    if (n <= 0) {
        text[0] = 0;
        return;
    }
    for (ssize_t i = 0; i + 1 < n; i++)
        if (text[i] == 0)
            text[i] = ' ';
}

void tnd_target_host(char *name, size_t size)
{
    int before = errno;
    struct utsname about;
    snprintf(name, size, "%s", uname(&about) == 0 && about.nodename[0] ? about.nodename : "localhost");
    errno = before;
}

void tnd_target_boot(char *id, size_t size)
{
    ssize_t n = tnd_target_read("/proc/sys/kernel/random/boot_id", id, size);
    if (n > 0 && id[n - 1] == '\n')
        n--;
    id[n > 0 ? n : 0] = 0;
}

void tnd_target_thread_name(char name[static 16])
{
    int before = errno;
    name[0] = 0;
    syscall(SYS_prctl, PR_GET_NAME, name, 0, 0, 0);
    name[15] = 0;
    errno = before;
}

void tnd_target_thread_name_of(pid_t tid, char name[static 16])
{
    char path[48], text[18];
    snprintf(path, sizeof path, "/proc/self/task/%d/comm", (int)tid);
    ssize_t n = tnd_target_read(path, text, sizeof text);
    n -= n > 0; /* the newline */
    if (n > 15)
        n = 15;
    memcpy(name, text, n > 0 ? (size_t)n : 0);
    name[n > 0 ? n : 0] = 0;
}

void tnd_target_sleep_ms(unsigned ms)
{
    int before = errno;
    const struct timespec time = {ms / 1000, (long)(ms % 1000) * 1000000};
    syscall(SYS_nanosleep, &time, NULL);
    errno = before;
}

uint64_t tnd_target_cpu_ns(void)
{
    struct timespec now;
    int before = errno;
    bool known = clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) == 0;
    errno = before;
    return known ? (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec : 0;
}

/* The first thread's stack ends where the loader found it; that of another ends at its thread block, which glibc puts
 * above it.  *low is only the lowest address that the limits allow: a walk goes up from the stack pointer. */
void tnd_target_stack(void **low, void **high)
{
    int before = errno;
    struct rlimit limit;
    uintptr_t size = 8u << 20;
    if (syscall(SYS_prlimit64, 0, RLIMIT_STACK, NULL, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        size = limit.rlim_cur;
    uintptr_t here = (uintptr_t)__builtin_frame_address(0), top;
    if (tnd_target_thread_id() == tnd_target_process_id())
        top = ((uintptr_t)__libc_stack_end | 4095) + 1;
    else
        top = (uintptr_t)pthread_self();
    bool plausible = here < top && top - here <= (1u << 30);
    *high = plausible ? (void *)top : NULL;
    *low = plausible ? (void *)(top > size ? top - size : 0) : NULL;
    errno = before;
}

bool tnd_target_is_on_signal_stack(void)
{
    int before = errno;
    stack_t stack;
    bool is = syscall(SYS_sigaltstack, NULL, &stack) == 0 && (stack.ss_flags & SS_ONSTACK);
    errno = before;
    return is;
}

enum tnd_clock tnd_target_clock(void)
{
    char source[64];
    if (tnd_target_read("/sys/devices/system/clocksource/clocksource0/current_clocksource", source, sizeof source) <= 0)
        return TND_CLOCK_MONOTONIC;
#if defined(__x86_64__)
    unsigned a, b, c, d;
    int mode = 0, before = errno;
    bool allowed = syscall(SYS_prctl, PR_GET_TSC, &mode, 0, 0, 0) != 0 || mode == PR_TSC_ENABLE;
    errno = before;
    bool invariant = __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & 1u << 8);
    if (allowed && invariant && strcmp(source, "tsc\n") == 0)
        return TND_CLOCK_TSC;
#elif defined(__aarch64__)
    if (strcmp(source, "arch_sys_counter\n") == 0)
        return TND_CLOCK_CNTVCT;
#endif
    return TND_CLOCK_MONOTONIC;
}

void tnd_target_block_signals(struct tnd_target_signals *before)
{
    static const struct tnd_target_signals most = {{~((uint64_t)1 << (SIGBUS - 1)), ~(uint64_t)0}};
    int error = errno;
    syscall(SYS_rt_sigprocmask, SIG_BLOCK, &most, before, 8);
    errno = error;
}

void tnd_target_restore_signals(const struct tnd_target_signals *before)
{
    int error = errno;
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, before, NULL, 8);
    errno = error;
}

static struct stat stderr_at_start;

void tnd_target_say_start(void)
{
    int before = errno;
    if (syscall(SYS_fstat, STDERR_FILENO, &stderr_at_start) != 0)
        memset(&stderr_at_start, 0, sizeof stderr_at_start);
    errno = before;
}

/* Writes without a SIGPIPE for the program if stderr is a pipe that nobody reads. */
static void write_quietly(const char *line)
{
    static const uint64_t pipe_only = (uint64_t)1 << (SIGPIPE - 1);
    static const struct timespec at_once;
    struct tnd_target_signals before;
    uint64_t pending = 0;
    tnd_target_block_signals(&before);
    syscall(SYS_rt_sigpending, &pending, 8);
    if (syscall(SYS_write, STDERR_FILENO, line, strlen(line)) < 0 && errno == EPIPE && !(pending & pipe_only))
        syscall(SYS_rt_sigtimedwait, &pipe_only, NULL, &at_once, 8);
    tnd_target_restore_signals(&before);
}

void tnd_target_say(const char *line)
{
    int before = errno;
    struct stat now;
    if (stderr_at_start.st_ino != 0 && syscall(SYS_fstat, STDERR_FILENO, &now) == 0 &&
        now.st_ino == stderr_at_start.st_ino && now.st_dev == stderr_at_start.st_dev)
        write_quietly(line);
    errno = before;
}
