/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A library to preload: at each 2 ms of CPU time it walks the interrupted stack twice, as the sampler does and by
 * libunwind, and compares frame by frame.  At the end it appends a line to the file that UNWIND_ORACLE names:
 * "stacks, frames of libunwind's, those that the sampler has in the same place"; then up to ten stacks that differ.
 *
 * What it is not: safe.  libunwind waits for locks in the handler, so programs that load libraries may hang.
 */
#define UNW_LOCAL_ONLY

#include "runtime/config.h"
#include "runtime/modules.h"
#include "sampler/unwind.h"
#include "unwind/unwind_trail.h"

#include <dlfcn.h>
#include <errno.h>
#include <libunwind.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST_FRAMES = 100, MOST_SHOWN = 10, PERIOD_NS = 2000000 };

struct tnd_config tnd_config = {.sampling_depth = MOST_FRAMES, .unwind = "tables"};
_Thread_local struct tnd_thread *tnd_thread_self;
uint64_t tnd_modules_generation;

struct stack {
    unsigned n;
    uint64_t frames[MOST_FRAMES];
};

static _Thread_local struct tnd_unwind_trail trail;
static unsigned n_stacks, n_frames, n_equal, n_shown;
static struct stack shown[MOST_SHOWN][2];
static timer_t timer; /* of the process: an exec ends it */
static pid_t pid;

static void walk_by_libunwind(ucontext_t *context, struct stack *stack)
{
    unw_cursor_t cursor;
    unw_word_t pc;
    struct dl_find_object object;
    stack->n = 0;
    if (unw_init_local2(&cursor, context, UNW_INIT_SIGNAL_FRAME) != 0)
        return;
    do {
        if (unw_get_reg(&cursor, UNW_REG_IP, &pc) != 0 || !pc)
            return;
        if (stack->n && _dl_find_object((void *)pc, &object) != 0)
            return; /* no caller is outside of all files: it has gone astray, as within libgcc's change of stacks */
        stack->frames[stack->n++] = pc;
    } while (stack->n < MOST_FRAMES && unw_step(&cursor) > 0);
}

/* libgcc's last instruction on the way to where an exception is caught, jmp *%rcx: the stack is already another one,
 * which the tables do not describe any more. */
static bool is_leap(const ucontext_t *context)
{
    const uint8_t *code = (const uint8_t *)context->uc_mcontext.gregs[REG_RIP];
    return code[0] == 0xff && code[1] == 0xe1;
}

static void compare(ucontext_t *context)
{
    struct stack ours, theirs;
    bool deeper;
    unsigned equal = 0;
    if (is_leap(context))
        return;
    ours.n = tnd_unwind_handler(context, &trail, ours.frames, MOST_FRAMES, &deeper);
    walk_by_libunwind(context, &theirs);
    for (unsigned i = 0; i < theirs.n && i < ours.n; i++)
        equal += ours.frames[i] == theirs.frames[i];
    __atomic_fetch_add(&n_stacks, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&n_frames, theirs.n, __ATOMIC_RELAXED);
    __atomic_fetch_add(&n_equal, equal, __ATOMIC_RELAXED);
    if (equal == theirs.n)
        return;
    unsigned place = __atomic_fetch_add(&n_shown, 1, __ATOMIC_RELAXED);
    if (place < MOST_SHOWN) {
        shown[place][0] = ours;
        shown[place][1] = theirs;
    }
}

static void on_signal(int number, siginfo_t *info, void *context)
{
    int before = errno;
    compare(context);
    errno = before;
}

/* The first thread has a trail, as in the sampler; the others walk step by step. */
static void know_stack(void)
{
    static struct tnd_thread first;
    pthread_attr_t attributes;
    void *low;
    size_t n_bytes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0)
        return;
    if (pthread_attr_getstack(&attributes, &low, &n_bytes) == 0) {
        first.stack_low = low;
        first.stack_high = (char *)low + n_bytes;
        tnd_thread_self = &first;
    }
    pthread_attr_destroy(&attributes);
}

__attribute__((constructor)) static void start(void)
{
    struct sigaction action = {.sa_flags = SA_SIGINFO | SA_RESTART, .sa_sigaction = on_signal};
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGPROF};
    const struct itimerspec period = {{0, PERIOD_NS}, {0, PERIOD_NS}};
    ucontext_t context;
    struct stack first;
    pid = getpid();
    know_stack();
    tnd_unwind_start();
    getcontext(&context);
    walk_by_libunwind(&context, &first); /* what it allocates at first it has then */
    sigaction(SIGPROF, &action, NULL);
    if (timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &timer) == 0)
        timer_settime(timer, 0, &period, NULL);
}

static void print_stack(FILE *file, const char *name, const struct stack *stack)
{
    fprintf(file, "  %s", name);
    for (unsigned i = 0; i < stack->n; i++)
        fprintf(file, " %lx", (unsigned long)stack->frames[i]);
    fprintf(file, "\n");
}

__attribute__((destructor)) static void stop(void)
{
    const char *path = getenv("UNWIND_ORACLE");
    timer_delete(timer);
    FILE *file = path && getpid() == pid ? fopen(path, "a") : NULL;
    if (!file)
        return;
    fprintf(file, "%u %u %u\n", n_stacks, n_frames, n_equal);
    for (unsigned i = 0; i < n_shown && i < MOST_SHOWN; i++) {
        print_stack(file, "sampler ", &shown[i][0]);
        print_stack(file, "libunwind", &shown[i][1]);
    }
    fclose(file);
}
