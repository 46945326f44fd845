/* SPDX-License-Identifier: Apache-2.0
 *
 * Where CPython's lock is, and the records of waits for it.  Context: python_lock.h.
 */
#include "intercept/pthread/python_lock.h"

#include "formats/event_types.h"
#include "runtime/config.h"
#include "runtime/emit.h"
#include "runtime/source.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>
#include <time.h>

#define WAITS 1 /* the value of event type PYTHON_LOCK */

/* CPU time that CPython needs between two waits that are one. */
#define BETWEEN_WAITS_NS 100000

struct tnd_python_lock tnd_python_lock;

/* A slice has ended, so that a thread has asked the owner to release the lock.  The owner that signals next then does
 * so for that reason, and not because it is about to wait for something else.  A race between these costs a wait that
 * is recorded as two. */
static bool is_asked;

/* The thread's last LEAVE, in case the wait goes on: how much was published with it, and the CPU time.  Or, if the
 * thread has signalled that the lock is free, when it did. */
static _Thread_local struct {
    uint64_t published, cpu_ns, free_ticks;
    pid_t tid; /* another one in the child of a fork */
} last __attribute__((tls_model("initial-exec")));

static uint64_t cpu_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static uint64_t published(const struct tnd_thread *thread)
{
    return thread->main.header ? thread->main.header->published : 0;
}

static void remember(const struct tnd_thread *thread, uint64_t free_ticks)
{
    last.published = published(thread);
    last.free_ticks = free_ticks;
    last.tid = thread->tid;
    last.cpu_ns = free_ticks ? 0 : cpu_ns();
}

void tnd_python_lock_signal(void)
{
    const struct tnd_thread *thread = tnd_thread_recording ? tnd_thread_self : NULL;
    last.published = 0;
    if (thread && __atomic_load_n(&is_asked, __ATOMIC_RELAXED)) {
        __atomic_store_n(&is_asked, false, __ATOMIC_RELAXED);
        remember(thread, tnd_clock_ticks());
    }
}

struct tnd_thread *tnd_python_lock_enter(void)
{
    struct tnd_thread *thread = tnd_thread_get();
    if (!thread)
        return NULL;
    bool goes_on = last.published && last.published == published(thread) && last.tid == thread->tid;
    uint64_t begin = goes_on && last.free_ticks ? last.free_ticks : tnd_clock_ticks();
    goes_on = goes_on && !last.free_ticks && cpu_ns() - last.cpu_ns < BETWEEN_WAITS_NS;
    last.published = 0;
    if (!goes_on || !tnd_emit_take_back(&thread->main))
        tnd_emit_head(&thread->main, begin, TND_RECORD_ENTER, TND_TYPE_PYTHON_LOCK, WAITS);
    return thread;
}

void tnd_python_lock_leave(struct tnd_thread *thread, bool has_limit, bool timed_out)
{
    if (timed_out)
        __atomic_store_n(&is_asked, true, __ATOMIC_RELAXED);
    if (!thread || tnd_thread_get() != thread)
        return;
    uint64_t before = published(thread);
    tnd_emit_head(&thread->main, tnd_clock_ticks(), TND_RECORD_LEAVE, TND_TYPE_PYTHON_LOCK, 0);
    if ((!has_limit || timed_out) && published(thread) - before == sizeof(struct tnd_record))
        remember(thread, 0);
}

/* If waits of threads or functions of Python are recorded. */
static bool start(void)
{
    const void *runtime = dlsym(RTLD_DEFAULT, "_PyRuntime");
    const ElfW(Sym) *symbol = NULL;
    Dl_info info;
    if (!runtime || (strcmp(tnd_config.pthread, "none") == 0 && strcmp(tnd_config.python, "none") == 0) ||
        !dladdr1(runtime, &info, (void **)&symbol, RTLD_DL_SYMENT) || !symbol)
        return false;
    tnd_python_lock = (struct tnd_python_lock){(uintptr_t)runtime, symbol->st_size};
    return true;
}

static const struct tnd_source python_lock_source = {.name = "python lock", .rank = 211, .start = start};
TND_SOURCE(python_lock_source);
