/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ways to live and die: `life MODE [ARGUMENT]`.  Each call of work() makes n events of type 1000 and one line of
 * output, so that a test knows what must be in the streams.
 */
#include "runtime/tandem.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static const char *self, *argument;

static void work(int n)
{
    for (int i = 0; i < n; i++) {
        errno = 4711;
        tandem_event(1000, i);
        if (errno != 4711)
            puts("errno was changed");
    }
}

static void say(const char *what)
{
    printf("%s\n", what);
    fflush(stdout);
}

static void work_at_exit(void)
{
    work(100);
    say("at exit");
}

static void *work_in_thread(void *n)
{
    work((int)(long)n);
    return NULL;
}

static void threads_in_sequence(int n_threads, int n_events)
{
    for (int i = 0; i < n_threads; i++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, work_in_thread, (void *)(long)n_events) != 0)
            puts("no thread");
        pthread_join(thread, NULL);
    }
}

static int wait_for(pid_t pid)
{
    int status = 0;
    waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static int mode_exit(void)
{
    work(100);
    say("returns");
    return 7;
}

static int mode_middle(void)
{
    atexit(work_at_exit);
    work(100);
    exit(3);
}

static int mode_quick(void)
{
    work(100);
    printf("never written");
    _exit(4);
}

static int mode_quick_exit(void)
{
    at_quick_exit(work_at_exit);
    work(100);
    quick_exit(5);
}

static int mode_abort(void)
{
    work(100);
    abort();
}

static int mode_kill(void)
{
    work(20000);
    kill(getpid(), SIGKILL);
    return 0;
}

static int mode_fork(void)
{
    work(100);
    pid_t pid = fork();
    if (pid == 0) {
        work(200);
        exit(2);
    }
    printf("child ended with %d\n", wait_for(pid));
    pid = fork();
    if (pid == 0) {
        work(300);
        execl(self, "life", "exit", (char *)NULL);
    }
    printf("child ended with %d\n", wait_for(pid));
    work(50);
    return 0;
}

static int look_slowly(struct dl_phdr_info *info, size_t size, void *data)
{
    for (volatile int i = 0; i < 20000; i++) {
    }
    return 0;
}

static void *hold_loader(void *unused)
{
    for (;;) {
        dl_iterate_phdr(look_slowly, NULL);
        usleep(10);
    }
}

/* Children for which the loader's lock is taken for ever. */
static int mode_locked(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, hold_loader, NULL);
    usleep(1000);
    for (int i = 0; i < 20; i++) {
        pid_t pid = fork();
        if (pid == 0) {
            work(10);
            _exit(i);
        }
        if (wait_for(pid) != i)
            puts("child died");
    }
    work(50);
    _exit(0);
}

static int mode_children(void)
{
    work(10);
    for (int i = 0; i < 50; i++)
        if (fork() == 0) {
            work(10);
            _exit(i);
        }
    int status, sum = 0;
    while (wait(&status) > 0)
        sum += WEXITSTATUS(status);
    printf("sum %d\n", sum);
    return 0;
}

static int mode_raw_fork(void)
{
    work(100);
    long pid = syscall(SYS_fork);
    if (pid == 0) {
        work(100);
        syscall(SYS_exit_group, 6);
    }
    printf("child ended with %d\n", wait_for((pid_t)pid));
    work(100);
    return 0;
}

static int mode_exec(void)
{
    work(100);
    execl("/nonexistent", "nonexistent", (char *)NULL);
    work(100);
    execlp(self, "life", "exit", (char *)NULL);
    return 1;
}

static int mode_system(void)
{
    char command[4096];
    snprintf(command, sizeof command, "%s exit; %s quick", self, self);
    work(100);
    printf("system %d\n", WEXITSTATUS(system(command)));
    fflush(stdout);
    FILE *pipe = popen(command, "r");
    char line[100];
    while (fgets(line, sizeof line, pipe))
        printf("popen: %s", line);
    printf("popen %d\n", WEXITSTATUS(pclose(pipe)));
    return 0;
}

static int mode_spawn(void)
{
    char *const arguments[] = {"life", "exit", NULL};
    pid_t pid;
    work(100);
    if (posix_spawn(&pid, self, NULL, NULL, arguments, environ) != 0)
        return 1;
    printf("child ended with %d\n", wait_for(pid));
    fflush(stdout);
    pid = vfork();
    if (pid == 0) {
        execv(self, arguments);
        _exit(9);
    }
    printf("child ended with %d\n", wait_for(pid));
    fflush(stdout);
    pid = vfork();
    if (pid == 0)
        _exit(9);
    printf("child ended with %d\n", wait_for(pid));
    work(100);
    return 0;
}

static int mode_threads(void)
{
    pthread_t threads[8];
    long n_events = argument[0] ? atol(argument) : 20000;
    for (int i = 0; i < 8; i++)
        pthread_create(&threads[i], NULL, work_in_thread, (void *)n_events);
    for (int i = 0; i < 8; i++)
        pthread_join(threads[i], NULL);
    return 0;
}

static int mode_sequence(void)
{
    threads_in_sequence(atoi(argument), 1);
    return 0;
}

static int mode_short(void)
{
    for (int i = 0; i < atoi(argument) / 50; i++) {
        pthread_t threads[50];
        for (int j = 0; j < 50; j++)
            pthread_create(&threads[j], NULL, work_in_thread, (void *)10L);
        for (int j = 0; j < 50; j++)
            pthread_join(threads[j], NULL);
    }
    return 0;
}

static void *after_main(void *main_thread)
{
    pthread_join(*(pthread_t *)main_thread, NULL);
    work(100);
    say("after main");
    return NULL;
}

static int mode_pthread_exit(void)
{
    static pthread_t main_thread, thread;
    main_thread = pthread_self();
    work(100);
    pthread_create(&thread, NULL, after_main, &main_thread);
    pthread_exit(NULL);
}

static void *never_ends(void *ready)
{
    work(100);
    *(volatile int *)ready = 1;
    for (;;)
        pause();
}

static int mode_outlive(void)
{
    static volatile int ready;
    pthread_t thread;
    pthread_create(&thread, NULL, never_ends, (void *)&ready);
    while (!ready)
        usleep(1000);
    work(100);
    return 0;
}

static pthread_key_t key;

static void work_at_death(void *round)
{
    work(10);
    if ((long)round < 3)
        pthread_setspecific(key, (void *)((long)round + 1));
}

static void *with_key(void *unused)
{
    pthread_setspecific(key, (void *)1);
    pthread_setname_np(pthread_self(), "with key");
    return NULL;
}

static int mode_destructors(void)
{
    pthread_t thread;
    pthread_key_create(&key, work_at_death);
    pthread_create(&thread, NULL, with_key, NULL);
    pthread_join(thread, NULL);
    return 0;
}

static void *until_cancelled(void *unused)
{
    for (;;) {
        work(1000);
        pthread_testcancel();
    }
    return NULL;
}

static int mode_cancel(void)
{
    for (int i = 0; i < 20; i++) {
        pthread_t thread;
        void *result;
        pthread_create(&thread, NULL, until_cancelled, NULL);
        usleep(2000);
        pthread_cancel(thread);
        pthread_join(thread, &result);
        if (result != PTHREAD_CANCELED)
            puts("not cancelled");
    }
    return 0;
}

static int mode_descriptors(void)
{
    say("closes all");
    for (int fd = 0; fd < 4096; fd++)
        close(fd);
    int first = open("/dev/null", O_RDWR);
    work(20000);
    int second = open("/dev/null", O_RDWR);
    return 10 * first + second;
}

static int mode_exhausted(void)
{
    while (open("/dev/null", O_RDONLY) >= 0)
        ;
    work(20000);
    return 0;
}

static int mode_directory(void)
{
    if (chdir("/") != 0)
        return 1;
    work(20000);
    return 0;
}

static int mode_chroot(void)
{
    if (chroot(argument) != 0 || chdir("/") != 0)
        return 1;
    work(20000);
    return 0;
}

static int mode_chroot_fork(void)
{
    if (chroot("/") != 0)
        return 1;
    work(100);
    pid_t pid = fork();
    if (pid == 0) {
        work(50);
        _exit(3);
    }
    return wait_for(pid);
}

static int mode_daemon(void)
{
    work(100);
    int ends[2];
    if (pipe(ends) != 0 || daemon(1, 1) != 0)
        return 1;
    work(100);
    usleep(300000); /* the first process is gone by then */
    work(100);
    FILE *file = fopen(argument, "w");
    fprintf(file, "%d\n", getppid());
    fclose(file);
    return 0;
}

static int mode_plugin(void)
{
    void *plugin = dlopen(argument, RTLD_NOW);
    void (*run)(void) = plugin ? (void (*)(void))dlsym(plugin, "run") : NULL;
    if (!run)
        return 1;
    run();
    dlclose(plugin);
    work(1);
    return 0;
}

static void *late_thread(void *event)
{
    for (int i = 0; i < 100; i++)
        ((void (*)(uint32_t, int64_t))event)(1000, i);
    return NULL;
}

static int mode_late(void)
{
    void *library = dlopen(argument, RTLD_NOW | RTLD_GLOBAL);
    void *event = library ? dlsym(library, "tandem_event") : NULL;
    if (!event) {
        puts(dlerror());
        return 1;
    }
    late_thread(event);
    pthread_t thread;
    pthread_create(&thread, NULL, late_thread, event);
    pthread_join(thread, NULL);
    dlclose(library);
    return 0;
}

static volatile sig_atomic_t n_handled;

static void on_alarm(int number)
{
    tandem_event(1001, n_handled);
    n_handled++;
}

static int mode_handler(void)
{
    struct sigaction action = {.sa_handler = on_alarm};
    sigaction(SIGALRM, &action, NULL);
    ualarm(100, 100);
    while (n_handled < 500)
        work(1000);
    ualarm(0, 0);
    printf("enough\n");
    fprintf(fopen(argument, "w"), "%d\n", (int)n_handled);
    return 0;
}

static sigjmp_buf back;

static void jump_back(int number)
{
    n_handled++;
    siglongjmp(back, 1);
}

/* Handlers that never return to what they interrupt. */
static int mode_jump(void)
{
    struct sigaction action = {.sa_handler = jump_back};
    sigaction(SIGALRM, &action, NULL);
    sigsetjmp(back, 1);
    if (n_handled == 0)
        ualarm(100, 100);
    while (n_handled < 300)
        for (int i = 0; i < 1000; i++)
            tandem_event(1001, i);
    ualarm(0, 0);
    work(100);
    return 0;
}

static int mode_switch(void)
{
    work(100);
    tandem_off();
    work(100);
    threads_in_sequence(1, 100);
    tandem_on();
    work(100);
    return 0;
}

static int mode_names(void)
{
    tandem_event_label(1000, "Work");
    tandem_value_label(1000, 1, "One");
    tandem_region region = tandem_region_register("inner loop");
    if (region != tandem_region_register("inner loop"))
        puts("another region");
    tandem_counter counter = tandem_counter_register("residual");
    tandem_region_begin(region);
    tandem_counter_set(counter, 42);
    work(10);
    tandem_region_end(region);
    return 0;
}

#define MODE(name)                                                                                                     \
    {                                                                                                                  \
#name, mode_##name                                                                                             \
    }
static const struct {
    const char *name;
    int (*run)(void);
} modes[] = {MODE(exit),        MODE(middle),     MODE(quick),    MODE(quick_exit), MODE(abort),     MODE(kill),
             MODE(fork),        MODE(children),   MODE(raw_fork), MODE(exec),       MODE(system),    MODE(spawn),
             MODE(threads),     MODE(sequence),   MODE(short),    MODE(outlive),    MODE(directory), MODE(pthread_exit),
             MODE(destructors), MODE(cancel),     MODE(chroot),   MODE(exhausted),  MODE(daemon),    MODE(descriptors),
             MODE(plugin),      MODE(late),       MODE(handler),  MODE(switch),     MODE(names),     MODE(locked),
             MODE(jump),        MODE(chroot_fork)};

int main(int argc, char **argv)
{
    static char path[4096];
    if (argc < 2 || readlink("/proc/self/exe", path, sizeof path - 1) < 0)
        return 99;
    self = path;
    argument = argc > 2 ? argv[2] : "";
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (strcmp(modes[i].name, argv[1]) == 0)
            return modes[i].run();
    return 98;
}
