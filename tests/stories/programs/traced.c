/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs a program as a debugger would, with a library preloaded: `traced LIBRARY PROGRAM [ARGUMENT...]`.  Passes every
 * signal on, and says on stderr, once each, which numbers there were.
 */
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    static bool known[64];
    int status, signal;
    pid_t pid = fork();
    if (pid == 0) {
        setenv("LD_PRELOAD", argv[1], 1);
        ptrace(PTRACE_TRACEME, 0, NULL, NULL);
        execv(argv[2], argv + 2);
        _exit(127);
    }
    while (waitpid(pid, &status, 0) == pid && WIFSTOPPED(status)) {
        signal = WSTOPSIG(status);
        if (signal == SIGTRAP)
            signal = 0; /* the exec */
        else if (!known[signal & 63])
            fprintf(stderr, "only %d\n", signal);
        known[signal & 63] = true;
        ptrace(PTRACE_CONT, pid, NULL, (void *)(long)signal);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 99;
}
