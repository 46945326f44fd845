/* SPDX-License-Identifier: Apache-2.0
 *
 * What this process gives to programs that it executes.  Context: exec_gate.h.
 */
#include "targets/linux/exec_gate.h"

#include "runtime/miss.h"
#include "runtime/root.h"
#include "runtime/target.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

extern char **environ;

enum { MAX_SETTINGS = 70, MAX_PATH = 1024, MAX_BYTES = 16384 };

static struct {
    bool is_open; /* our library was preloaded, and not linked */
    struct tnd_gate gate;
    const char *settings[MAX_SETTINGS];
} given;

/* Copies the settings, because the program may write over its environment. */
static void keep_settings(void)
{
    size_t n_bytes = 0;
    for (char **variable = environ; *variable; variable++)
        n_bytes += tnd_gate_is_setting(*variable) ? strlen(*variable) + 1 : 0;
    char *copy = n_bytes ? tnd_target_pages(n_bytes) : NULL;
    for (char **variable = environ; copy && *variable; variable++) {
        if (!tnd_gate_is_setting(*variable) || given.gate.n_settings == MAX_SETTINGS)
            continue;
        given.settings[given.gate.n_settings++] = strcpy(copy, *variable);
        copy += strlen(copy) + 1;
    }
}

static bool is_preloaded(void)
{
    for (char **variable = environ; *variable; variable++)
        if (strncmp(*variable, "LD_PRELOAD=", 11) == 0 && strstr(*variable, "libtandem"))
            return true;
    return false;
}

void tnd_exec_gate_start(void)
{
    int before = errno;
    static char path[PATH_MAX];
    Dl_info about;
    if (environ && is_preloaded() && dladdr((void *)tnd_exec_gate_start, &about)) {
        bool is_whole = about.dli_fname[0] == '/';
        const char *library = is_whole ? about.dli_fname : realpath(about.dli_fname, path);
        given.gate = (struct tnd_gate){library, tnd_root_for_children(), given.settings, 0};
        given.is_open = true;
        keep_settings();
    }
    environ = tnd_gate_hide(environ);
    errno = before;
}

static bool can_access(const char *path, int how)
{
    return syscall(SYS_faccessat, AT_FDCWD, path, how) == 0;
}

static void note(enum tnd_missed kind, const char *path, const struct tnd_executable *program)
{
    tnd_miss_tell(kind, program->interpreter[0] ? program->interpreter : path);
}

__attribute__((noinline)) static void look(struct tnd_gate_plan *plan, struct tnd_executable *program, int at_fd,
                                           const char *path, char *const environment[])
{
    tnd_executable_look(at_fd, path, program);
    if (program->kind == TND_EXECUTABLE_FINE && program->is_there && given.gate.library &&
        !can_access(given.gate.library, R_OK))
        program->kind = TND_EXECUTABLE_APART;
    *plan = tnd_gate_plan(&given.gate, program, environment);
    if (plan->adds && !can_access(tnd_root_path(), W_OK | X_OK)) /* it would only complain */
        plan->n_bytes = 0;
    if (program->kind != TND_EXECUTABLE_FINE)
        note((enum tnd_missed)program->kind, path, program);
    if (plan->n_bytes > MAX_BYTES) {
        note(TND_MISSED_ENVIRONMENT, path, program);
        plan->n_bytes = 0;
    }
}

void tnd_exec_gate_look(struct tnd_gate_plan *plan, struct tnd_executable *program, int at_fd, const char *path,
                        char *const environment[])
{
    int before = errno;
    plan->n_bytes = 0;
    if (given.is_open && path && !tnd_target_is_on_signal_stack())
        look(plan, program, at_fd, path, environment);
    errno = before;
}

static bool is_executable(const char *path)
{
    struct stat about;
    return can_access(path, X_OK) && syscall(SYS_newfstatat, AT_FDCWD, path, &about, 0) == 0 && S_ISREG(about.st_mode);
}

/* The value of PATH, as execvp reads it. */
static const char *search_path(void)
{
    for (char **variable = environ; variable && *variable; variable++)
        if (strncmp(*variable, "PATH=", 5) == 0)
            return *variable + 5;
    return "/bin:/usr/bin";
}

/* Apart, because its path is not to be on the stack of who does not come here. */
__attribute__((noinline)) static void look_in_path(struct tnd_gate_plan *plan, struct tnd_executable *program,
                                                   const char *file, char *const environment[])
{
    int before = errno;
    char path[MAX_PATH];
    const char *found = NULL;
    size_t n_file = strlen(file);
    for (const char *rest = search_path(); n_file && !found && rest; rest = *rest ? rest + 1 : NULL) {
        size_t n = strcspn(rest, ":");
        if (n + 1 + n_file < sizeof path) {
            memcpy(path, rest, n);
            path[n] = '/';
            memcpy(path + n + (n > 0), file, n_file + 1);
            found = is_executable(path) ? path : NULL;
        }
        rest += n;
    }
    errno = before;
    tnd_exec_gate_look(plan, program, AT_FDCWD, found, environment);
}

void tnd_exec_gate_look_in_path(struct tnd_gate_plan *plan, struct tnd_executable *program, const char *file,
                                char *const environment[])
{
    plan->n_bytes = 0;
    if (!file || strchr(file, '/'))
        tnd_exec_gate_look(plan, program, AT_FDCWD, file, environment);
    else if (!tnd_target_is_on_signal_stack())
        look_in_path(plan, program, file, environment);
}

void tnd_exec_gate_shell(void)
{
    int before = errno;
    const struct tnd_executable shell = {.kind = TND_EXECUTABLE_FINE, .is_there = true};
    if (given.is_open && tnd_gate_plan(&given.gate, &shell, environ).adds)
        tnd_miss_tell(TND_MISSED_SHELL, NULL);
    errno = before;
}
