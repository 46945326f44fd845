/* SPDX-License-Identifier: Apache-2.0
 *
 * A helper process, for calls that may end the process that makes them.  It is a copy of the program's process, made
 * before the program begins; it shares a few pages with the program and has none of its descriptors; no signal but
 * SIGKILL reaches it.  It is the child of a child that has ended, so that no wait() of the program's ever sees it, not
 * even that of a tracer, which waits for children of any kind and would wait for this one for ever.  It ends with the
 * program: the program wakes it, and it looks every second whether the program still lives.
 *
 * Context: as runtime/target.h says; the function that answers runs in the helper, which has one thread, and may do
 * anything.
 */
#include "runtime/clock.h"
#include "runtime/target.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    PROGRAM_MS = 1000, /* how often the helper looks whether the program lives */
    LOOK_MS = 20,      /* how often the program looks whether the helper lives, while it waits */
    END_MS = 50
};

/* Waits until the word has another value, or for that time. */
static void await(const uint32_t *word, uint32_t value, unsigned ms)
{
    const struct timespec time = {ms / 1000, (long)(ms % 1000) * 1000000};
    if (__atomic_load_n(word, __ATOMIC_ACQUIRE) == value)
        syscall(SYS_futex, word, FUTEX_WAIT, value, &time, NULL, 0);
}

static void change(uint32_t *word, uint32_t value)
{
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
    syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static struct tnd_target_helper *served; /* the pages of this helper */

static void leave_at_once(void)
{
    if (syscall(SYS_getpid) == served->pid)
        change(&served->has_left, 1);
    syscall(SYS_exit_group, 127);
}

/* fd: a descriptor of the process (pidfd), or -1 where the kernel does not have them. */
static bool lives(pid_t process, int fd)
{
    struct pollfd ended = {.fd = fd, .events = POLLIN};
    return fd >= 0 ? poll(&ended, 1, 0) == 0 : kill(process, 0) == 0;
}

static void serve(struct tnd_target_helper *helper, void (*answer)(struct tnd_target_helper *), pid_t program)
{
    served = helper;
    helper->pid = (int32_t)syscall(SYS_getpid);
    atexit(leave_at_once); /* a library may call exit(): the program's handlers must not run here */
    if (syscall(SYS_close_range, 0, ~0U, 0) != 0)
        for (int fd = 0; fd < 65536; fd++)
            syscall(SYS_close, fd);
    int nowhere = open("/dev/null", O_RDWR);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    int program_fd = (int)syscall(SYS_pidfd_open, program, 0);
    prctl(PR_SET_NAME, "tandem-helper");
    (void)!chdir("/");
    while (!__atomic_load_n(&helper->is_over, __ATOMIC_ACQUIRE) && lives(program, program_fd)) {
        uint32_t asked = __atomic_load_n(&helper->asked, __ATOMIC_ACQUIRE);
        if (asked == helper->answered) {
            await(&helper->asked, asked, PROGRAM_MS);
            continue;
        }
        answer(helper);
        change(&helper->answered, asked);
    }
    leave_at_once();
}

bool tnd_target_helper_start(struct tnd_target_helper *helper, void (*answer)(struct tnd_target_helper *))
{
    int before = errno;
    pid_t program = (pid_t)syscall(SYS_getpid);
    struct tnd_target_signals signals;
    *helper = (struct tnd_target_helper){.asked = 1};
    tnd_target_block_signals(&signals);
    int status = -1;
    pid_t child = (pid_t)syscall(SYS_clone, 0, NULL, NULL, NULL, NULL); /* it sends no signal when it ends */
    if (child == 0) {
        pid_t grandchild = (pid_t)syscall(SYS_clone, 0, NULL, NULL, NULL, NULL);
        if (grandchild == 0)
            serve(helper, answer, program);
        syscall(SYS_exit_group, grandchild > 0 ? 0 : 1);
    }
    long got = -1;
    while (child > 0 && (got = syscall(SYS_wait4, child, &status, __WALL, NULL)) < 0 && errno == EINTR)
        ;
    tnd_target_restore_signals(&signals);
    errno = before;
    return got == child && status == 0;
}

static bool has_left(const struct tnd_target_helper *helper)
{
    pid_t pid = (pid_t)__atomic_load_n(&helper->pid, __ATOMIC_ACQUIRE);
    return __atomic_load_n(&helper->has_left, __ATOMIC_ACQUIRE) || (pid && kill(pid, 0) != 0 && errno == ESRCH);
}

int tnd_target_helper_ask(struct tnd_target_helper *helper, unsigned patience_ms)
{
    int before = errno, error = EAGAIN;
    uint32_t asked = helper->asked;
    if (__atomic_load_n(&helper->answered, __ATOMIC_ACQUIRE) ==
        asked) /* else the helper still answers the question before */
        change(&helper->asked, ++asked);
    uint64_t until_ns = tnd_clock_monotonic_ns() + patience_ms * UINT64_C(1000000);
    do {
        await(&helper->answered, asked - 1, LOOK_MS);
        if (__atomic_load_n(&helper->answered, __ATOMIC_ACQUIRE) == asked)
            error = 0;
        else if (has_left(helper))
            error = ESRCH;
    } while (error == EAGAIN && tnd_clock_monotonic_ns() < until_ns);
    errno = before;
    return error;
}

void tnd_target_helper_end(struct tnd_target_helper *helper)
{
    int before = errno;
    __atomic_store_n(&helper->is_over, 1, __ATOMIC_RELEASE);
    change(&helper->asked, helper->asked + 1);
    for (int ms = 0; ms < END_MS && !has_left(helper); ms++)
        tnd_target_sleep_ms(1);
    errno = before;
}
