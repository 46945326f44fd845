/* SPDX-License-Identifier: Apache-2.0
 *
 * Running the `tandem` command at the end of a process, in a child that shares the process's memory until its exec (as
 * with vfork) and whose end sends no signal, so that neither the program's handlers nor its wait() ever see it.
 *
 * Context: the end of a process.
 */
#include "runtime/target.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_VARIABLES 4096

extern char **environ;

struct tool {
    char *const *arguments;
    char **environment;
    int error;
};

static bool is_ours(const char *variable)
{
    return strncmp(variable, "LD_PRELOAD=", 11) == 0 || strncmp(variable, "TANDEM_", 7) == 0 ||
           strncmp(variable, "SAMPLING_PERIOD=", 16) == 0;
}

/* In the child, on its own stack and in our memory: system calls only. */
static int become_tool(void *data)
{
    struct tool *tool = data;
    for (int number = 1; number < 65; number++) {
        const struct {
            uint64_t handler, flags, restorer, mask;
        } standard = {0, 0, 0, 0};
        syscall(SYS_rt_sigaction, number, &standard, NULL, 8);
    }
    int nowhere = (int)syscall(SYS_openat, AT_FDCWD, "/dev/null", O_RDWR, 0);
    if (nowhere >= 0) {
        syscall(SYS_dup3, nowhere, STDIN_FILENO, 0);
        syscall(SYS_dup3, nowhere, STDOUT_FILENO, 0);
    }
    if (syscall(SYS_close_range, 3, ~0U, 0) != 0)
        for (int fd = 3; fd < 1024; fd++)
            syscall(SYS_close, fd);
    static const uint64_t none;
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &none, NULL, 8);
    syscall(SYS_execve, tool->arguments[0], tool->arguments, tool->environment);
    tool->error = errno;
    syscall(SYS_exit, 127);
    return 127;
}

int tnd_target_run_tool(char *const arguments[])
{
    static char *environment[MAX_VARIABLES];
    static _Alignas(64) char stack[65536];
    int before = errno, status = -1;
    size_t n = 0;
    for (char **variable = environ; variable && *variable && n < MAX_VARIABLES - 1; variable++)
        if (!is_ours(*variable))
            environment[n++] = *variable;
    environment[n] = NULL;
    struct tool tool = {arguments, environment, 0};
    struct tnd_target_signals signals;
    tnd_target_block_signals(&signals);
    int pid = clone(become_tool, stack + sizeof stack, CLONE_VM | CLONE_VFORK, &tool);
    tnd_target_restore_signals(&signals);
    if (pid > 0 && tool.error == 0) {
        int ended = 0;
        long got;
        do
            got = syscall(SYS_wait4, pid, &ended, __WALL, NULL);
        while (got < 0 && errno == EINTR);
        status = got == pid && WIFEXITED(ended) ? WEXITSTATUS(ended) : -1;
    }
    errno = before;
    return status;
}
