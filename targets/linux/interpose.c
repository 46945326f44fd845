/* SPDX-License-Identifier: Apache-2.0
 *
 * Wrappers of functions of libc by which a process begins, ends, or becomes another program, and code is loaded.  Each
 * calls the next definition of its name and tells the runtime.
 *
 * fork() needs no wrapper: pthread_atfork serves it.  A child of vfork() shares its parent's memory: tnd_image_is_here
 * is false there, and the wrappers leave everything alone.
 *
 * Context: as the wrapped function; exec and _exit also in handlers and in children of vfork.
 */
#include "runtime/emit.h"
#include "runtime/image.h"
#include "runtime/modules.h"
#include "runtime/run.h"
#include "runtime/source.h"
#include "runtime/target.h"
#include "targets/linux/exec_gate.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PUBLIC __attribute__((visibility("default")))

extern char **environ;

/* The functions, their types, and the pointer to the real one. */
#define TABLE(X)                                                                                                       \
    X(int, execve, (const char *, char *const[], char *const[]))                                                       \
    X(int, execvpe, (const char *, char *const[], char *const[]))                                                      \
    X(int, fexecve, (int, char *const[], char *const[]))                                                               \
    X(int, execveat, (int, const char *, char *const[], char *const[], int))                                           \
    X(int, posix_spawn,                                                                                                \
      (pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *, char *const[],            \
       char *const[]))                                                                                                 \
    X(int, posix_spawnp,                                                                                               \
      (pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *, char *const[],            \
       char *const[]))                                                                                                 \
    X(int, system, (const char *))                                                                                     \
    X(FILE *, popen, (const char *, const char *))                                                                     \
    X(void, _exit, (int))                                                                                              \
    X(void, _Exit, (int))                                                                                              \
    X(int, daemon, (int, int))                                                                                         \
    X(int, chroot, (const char *))                                                                                     \
    X(int, unshare, (int))                                                                                             \
    X(int, setns, (int, int))                                                                                          \
    X(void *, dlopen, (const char *, int))                                                                             \
    X(int, dlclose, (void *))                                                                                          \
    X(int, pthread_setname_np, (pthread_t, const char *))

#define DECLARE(result, name, parameters) static result(*real_##name) parameters;
TABLE(DECLARE)

/* The real functions are looked up at start, or by a call that comes earlier. */
static void find_real(void)
{
#define FIND(result, name, parameters) real_##name = (result(*) parameters)dlsym(RTLD_NEXT, #name);
    TABLE(FIND)
}

#define REAL(name) (real_##name ? real_##name : (find_real(), real_##name))

__attribute__((constructor(101))) static void library_loaded(void)
{
    find_real();
    tnd_run_start();
    if (!tnd_target_privileged())
        tnd_exec_gate_start();
}

__attribute__((destructor(101))) static void library_ends(void)
{
    tnd_run_end(TND_END_EXIT, 0);
}

/* The end of a process. */

PUBLIC void _exit(int status)
{
    tnd_run_end(TND_END_QUICK, status);
    REAL(_exit)(status);
    __builtin_unreachable();
}

PUBLIC void _Exit(int status)
{
    tnd_run_end(TND_END_QUICK, status);
    REAL(_Exit)(status);
    __builtin_unreachable();
}

static void at_quick_exit_end(void)
{
    tnd_run_end(TND_END_QUICK, 0);
}

/* quick_exit's handlers run last registered first: ours, registered at start, comes after the program's. */
__attribute__((constructor(102))) static void register_quick_exit(void)
{
    at_quick_exit(at_quick_exit_end);
}

/* Makes stdin, stdout and stderr /dev/null. */
static int close_standard(void)
{
    struct stat about;
    int fd = open("/dev/null", O_RDWR);
    if (fd < 0)
        return -1;
    if (fstat(fd, &about) != 0 || !S_ISCHR(about.st_mode)) {
        close(fd);
        errno = ENODEV;
        return -1;
    }
    for (int standard = 0; standard <= 2; standard++)
        dup2(fd, standard);
    if (fd > 2)
        close(fd);
    return 0;
}

/* libc's daemon() ends the first process by an internal _exit, which no wrapper sees; so this does the same by calls
 * that are seen. */
PUBLIC int daemon(int keep_directory, int keep_open)
{
    if (!tnd_image_is_here())
        return REAL(daemon)(keep_directory, keep_open);
    pid_t pid = fork();
    if (pid < 0)
        return -1;
    if (pid > 0)
        _exit(0);
    if (setsid() < 0)
        return -1;
    if (!keep_directory && chdir("/") != 0)
        errno = 0; /* libc ignores that error, too */
    return keep_open ? 0 : close_standard();
}

/* Another program in this process. */

/* What is executed decides which environment it gets (run/gate.h); `look` finds that out of a plan and a program. */
#define PASS_GATE(look, ...)                                                                                           \
    struct tnd_gate_plan plan;                                                                                         \
    struct tnd_executable program;                                                                                     \
    look(&plan, &program, __VA_ARGS__, envp);                                                                          \
    if (plan.n_bytes)                                                                                                  \
    envp = tnd_gate_make(&plan, __builtin_alloca(plan.n_bytes))

#define AROUND_EXEC(call)                                                                                              \
    tnd_run_before_exec();                                                                                             \
    int result = call;                                                                                                 \
    tnd_run_after_failed_exec();                                                                                       \
    return result

PUBLIC int execve(const char *path, char *const argv[], char *const envp[])
{
    PASS_GATE(tnd_exec_gate_look, AT_FDCWD, path);
    AROUND_EXEC(REAL(execve)(path, argv, envp));
}

PUBLIC int execv(const char *path, char *const argv[])
{
    char *const *envp = environ;
    PASS_GATE(tnd_exec_gate_look, AT_FDCWD, path);
    AROUND_EXEC(REAL(execve)(path, argv, envp));
}

PUBLIC int execvpe(const char *file, char *const argv[], char *const envp[])
{
    PASS_GATE(tnd_exec_gate_look_in_path, file);
    AROUND_EXEC(REAL(execvpe)(file, argv, envp));
}

PUBLIC int execvp(const char *file, char *const argv[])
{
    char *const *envp = environ;
    PASS_GATE(tnd_exec_gate_look_in_path, file);
    AROUND_EXEC(REAL(execvpe)(file, argv, envp));
}

PUBLIC int fexecve(int fd, char *const argv[], char *const envp[])
{
    PASS_GATE(tnd_exec_gate_look, fd, "");
    AROUND_EXEC(REAL(fexecve)(fd, argv, envp));
}

PUBLIC int execveat(int fd, const char *path, char *const argv[], char *const envp[], int flags)
{
    PASS_GATE(tnd_exec_gate_look, fd, path);
    AROUND_EXEC(REAL(execveat)(fd, path, argv, envp, flags));
}

PUBLIC int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
                       const posix_spawnattr_t *attributes, char *const argv[], char *const envp[])
{
    PASS_GATE(tnd_exec_gate_look, AT_FDCWD, path);
    return REAL(posix_spawn)(pid, path, actions, attributes, argv, envp);
}

PUBLIC int posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
                        const posix_spawnattr_t *attributes, char *const argv[], char *const envp[])
{
    PASS_GATE(tnd_exec_gate_look_in_path, file);
    return REAL(posix_spawnp)(pid, file, actions, attributes, argv, envp);
}

PUBLIC int system(const char *command)
{
    if (command)
        tnd_exec_gate_shell();
    return REAL(system)(command);
}

PUBLIC FILE *popen(const char *command, const char *how)
{
    tnd_exec_gate_shell();
    return REAL(popen)(command, how);
}

/* The list of arguments of execl and its kin, on the caller's stack as libc has it: counted, then copied. */
#define EXECL(first, with_environment, call)                                                                           \
    va_list list;                                                                                                      \
    size_t n = 1;                                                                                                      \
    va_start(list, first);                                                                                             \
    while (va_arg(list, const char *))                                                                                 \
        n++;                                                                                                           \
    va_end(list);                                                                                                      \
    char **argv = __builtin_alloca((n + 1) * sizeof *argv);                                                            \
    argv[0] = (char *)first;                                                                                           \
    va_start(list, first);                                                                                             \
    for (size_t i = 1; i <= n; i++)                                                                                    \
        argv[i] = va_arg(list, char *);                                                                                \
    char **envp = with_environment ? va_arg(list, char **) : environ;                                                  \
    va_end(list);                                                                                                      \
    return call

PUBLIC int execl(const char *path, const char *first, ...)
{
    EXECL(first, 0, execve(path, argv, envp));
}

PUBLIC int execlp(const char *file, const char *first, ...)
{
    EXECL(first, 0, execvpe(file, argv, envp));
}

PUBLIC int execle(const char *path, const char *first, ...)
{
    EXECL(first, 1, execve(path, argv, envp));
}

PUBLIC int chroot(const char *path)
{
    if (tnd_image_is_here())
        tnd_target_hold(tnd_image_directory());
    return REAL(chroot)(path);
}

/* The kernel refuses these to a process with more than one thread, ours included. */

#define ALONE(call)                                                                                                    \
    if (!tnd_image_is_here())                                                                                          \
        return call;                                                                                                   \
    tnd_source_be_alone(true);                                                                                         \
    int result = call, error = errno;                                                                                  \
    tnd_source_be_alone(false);                                                                                        \
    errno = error;                                                                                                     \
    return result

PUBLIC int unshare(int what)
{
    ALONE(REAL(unshare)(what));
}

PUBLIC int setns(int fd, int what)
{
    ALONE(REAL(setns)(fd, what));
}

/* Threads: their creation is wrapped in intercept/pthread. */

PUBLIC int pthread_setname_np(pthread_t thread, const char *name)
{
    int error = REAL(pthread_setname_np)(thread, name);
    if (error == 0 && pthread_equal(thread, pthread_self()))
        tnd_thread_rename(name);
    return error;
}

/* Code that comes and goes. */

/* Whether the file that has the address says where its libraries are; those that loaded it are not asked. */
static bool has_search_path(const void *address)
{
    Dl_info info;
    struct link_map *file = NULL;
    if (!dladdr1(address, &info, (void **)&file, RTLD_DL_LINKMAP) || !file || !file->l_ld)
        return true;
    for (const ElfW(Dyn) *entry = file->l_ld; entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == DT_RPATH || entry->d_tag == DT_RUNPATH)
            return true;
    return false;
}

/* dlopen depends on the file of its caller: on its search path for a name without a slash, on its directory for
 * $ORIGIN. */
static bool depends_on_caller(const char *name)
{
    return name && (strchr(name, '$') || !strchr(name, '/'));
}

PUBLIC void *dlopen(const char *name, int flags)
{
    void *(*real)(const char *, int) = REAL(dlopen);
    tnd_modules_change();
    bool must_look = tnd_source_hears_code() && !strchr(name ? name : "", '$');
    if (depends_on_caller(name) && (!must_look || has_search_path(__builtin_return_address(0)))) {
        tnd_modules_expect();
        return real(name, flags); /* compiled as a jump, so that libc sees our caller */
    }
    void *handle = real(name, flags);
    int before = errno;
    if (handle && name)
        tnd_modules_look();
    if (handle && name && !(flags & RTLD_NOLOAD) && tnd_image_is_here())
        tnd_source_code_changed();
    errno = before;
    return handle;
}

PUBLIC int dlclose(void *handle)
{
    if (tnd_image_is_here())
        tnd_modules_look();
    tnd_modules_change();
    int result = REAL(dlclose)(handle);
    tnd_modules_change();
    if (tnd_image_is_here()) {
        tnd_modules_look();
        tnd_source_code_changed();
    }
    return result;
}
