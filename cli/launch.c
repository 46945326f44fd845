/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The command is a child in our process group.  Signals of the terminal reach it directly; a signal that another
 * process sends to us alone is passed on.
 */
#include "cli/launch.h"

#include "run/job.h"
#include "run/program_name.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STATUS_NOT_RUNNABLE = 126, STATUS_NOT_STARTED = 127 };

static const int passed_on[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};

static volatile sig_atomic_t child_pid;

static struct sigaction of_large_files; /* as we had it */
static gboolean do_outlive;

static void pass_on(int number, siginfo_t *info, void *context)
{
    int before = errno;
    if (child_pid > 0 && info->si_code <= 0) /* sent by a process, not by the terminal */
        kill(child_pid, number);
    errno = before;
}

static void start_passing_on(struct sigaction before[G_N_ELEMENTS(passed_on)])
{
    struct sigaction action = {.sa_sigaction = pass_on, .sa_flags = SA_SIGINFO | SA_RESTART};
    sigemptyset(&action.sa_mask);
    for (gsize i = 0; i < G_N_ELEMENTS(passed_on); i++) {
        sigaction(passed_on[i], NULL, &before[i]);
        if (before[i].sa_handler != SIG_IGN)
            sigaction(passed_on[i], &action, NULL);
    }
}

static void stop_passing_on(const struct sigaction before[G_N_ELEMENTS(passed_on)])
{
    for (gsize i = 0; i < G_N_ELEMENTS(passed_on); i++)
        sigaction(passed_on[i], &before[i], NULL);
}

void tnd_launch_outlive_limits(void)
{
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    do_outlive = sigaction(SIGXFSZ, &ignore, &of_large_files) == 0;
}

/* Executes the command in the child; if that fails, writes errno to the pipe. */
G_NORETURN static void become(char **command, char **environment, const sigset_t *mask, const struct sigaction *before,
                              int pipe_fd)
{
    stop_passing_on(before);
    if (do_outlive)
        sigaction(SIGXFSZ, &of_large_files, NULL);
    sigprocmask(SIG_SETMASK, mask, NULL);
    execvpe(command[0], command, environment);
    int error = errno;
    while (write(pipe_fd, &error, sizeof error) < 0 && errno == EINTR)
        ;
    _exit(STATUS_NOT_STARTED);
}

int tnd_launch_run(char **command, char **environment, GError **error)
{
    int ends[2], code = 0, ended = 0;
    struct sigaction before[G_N_ELEMENTS(passed_on)];
    sigset_t all, mask;
    if (pipe2(ends, O_CLOEXEC) != 0) {
        g_set_error(error, G_IO_ERROR, g_io_error_from_errno(errno), "%s", g_strerror(errno));
        return STATUS_NOT_STARTED;
    }
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &mask);
    start_passing_on(before);
    pid_t pid = fork();
    if (pid == 0)
        become(command, environment, &mask, before, ends[1]);
    child_pid = pid;
    sigprocmask(SIG_SETMASK, &mask, NULL);
    close(ends[1]);
    if (pid < 0)
        code = errno;
    else if (read(ends[0], &code, sizeof code) != sizeof code)
        code = 0;
    close(ends[0]);
    while (pid > 0 && waitpid(pid, &ended, 0) < 0 && errno == EINTR)
        ;
    child_pid = 0;
    stop_passing_on(before);
    if (code) {
        g_set_error(error, G_IO_ERROR, g_io_error_from_errno(code), "%s", g_strerror(code));
        return code == ENOENT || pid < 0 ? STATUS_NOT_STARTED : STATUS_NOT_RUNNABLE;
    }
    return WIFSIGNALED(ended) ? -WTERMSIG(ended) : WEXITSTATUS(ended);
}

/* Whether a program is a launcher of MPI, or runs another program in some other way. */
static gboolean is_launcher(const char *name)
{
    static const char *const others[] = {"env",     "nice",   "taskset", "timeout", "setarch",
                                         "numactl", "stdbuf", "nohup",   "time"};
    enum tnd_job_mpi mpi;
    gboolean is = tnd_job_is_launcher(name, &mpi);
    for (gsize i = 0; i < G_N_ELEMENTS(others); i++)
        is |= strcmp(name, others[i]) == 0;
    return is;
}

/* Whether a word is a program.  Only a launcher knows which words are values of its options; the first program among
 * them is taken for the one that it launches. */
static gboolean is_program(const char *word)
{
    char *path = word[0] != '-' ? g_find_program_in_path(word) : NULL;
    g_free(path);
    return path != NULL;
}

char **tnd_launch_program(char **command)
{
    char **program = command;
    for (char **word = command + 1; *word; word++) {
        char *name = g_path_get_basename(*program);
        gboolean is_last = !is_launcher(name);
        g_free(name);
        if (is_last)
            break;
        if (is_program(*word))
            program = word;
    }
    return program;
}

char *tnd_launch_name(char **command)
{
    char **program = tnd_launch_program(command), name[NAME_MAX + 1];
    tnd_program_name(*program, program + 1, name, sizeof name);
    return g_strdup(name);
}
