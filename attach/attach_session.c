/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Hands the kernel's events to the images of their processes.
 */
#include "attach/attach_session.h"

#include "attach/attach_events.h"
#include "attach/attach_image.h"
#include "attach/attach_proc.h"
#include "attach/attach_refusal.h"

#include <errno.h>
#include <gio/gio.h>
#include <poll.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { WAIT_MS = 50, FLUSH_US = 1000000, MOST_LISTINGS = 20 };

#define NOTE                                                                                                           \
    "attach: this user is not shown what threads do in the kernel; time that they spend there counts where they next " \
    "were outside of it"

struct process {
    int pid, pid_fd;
    gboolean has_ended;
    TndAttachImage *image; /* NULL: an exec could not be followed */
    guint64 n_samples;     /* of earlier images */
};

struct TndAttachSession {
    char *run_path;
    TndAttachEvents *events;
    TndAttachWish wish;
    GPtrArray *processes;
    guint64 n_lost;
    gint64 flush_us;
    GError *error; /* the first that happened */
};

static guint64 now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (guint64)now.tv_sec * 1000000000 + (guint64)now.tv_nsec;
}

static GError **error_of(TndAttachSession *session)
{
    return session->error ? NULL : &session->error;
}

struct naming {
    TndAttachImage *image;
    guint64 time;
};

static void map(gpointer self, const TndAttachMapping *mapping)
{
    const struct naming *naming = self;
    tnd_attach_image_map(naming->image, naming->time, mapping);
}

/* The threads that there are already, and those that begin meanwhile. */
static int watch_threads(TndAttachSession *session, struct process *process, guint64 time)
{
    GHashTable *known = g_hash_table_new(NULL, NULL);
    gboolean is_new = TRUE;
    int error = 0;
    for (guint n = 0; n < MOST_LISTINGS && is_new && !error; n++) {
        GArray *tids = tnd_attach_proc_threads(process->pid);
        is_new = FALSE;
        for (guint i = 0; i < tids->len && !error; i++) {
            guint32 tid = g_array_index(tids, guint32, i);
            if (!g_hash_table_add(known, GUINT_TO_POINTER(tid)))
                continue;
            is_new = TRUE;
            char state = tnd_attach_proc_state(process->pid, (int)tid);
            error = tnd_attach_events_watch(session->events, tid);
            if (!error)
                tnd_attach_image_begin_thread(process->image, tid, time, state == 'R');
            else if (error == ESRCH)
                error = 0;
        }
        g_array_unref(tids);
    }
    g_hash_table_unref(known);
    return error;
}

static gboolean begin_process(TndAttachSession *session, int pid, GError **error)
{
    struct process *process = g_new0(struct process, 1);
    guint64 time = now_ns();
    g_ptr_array_add(session->processes, process);
    process->pid = pid;
    process->pid_fd = (int)syscall(SYS_pidfd_open, pid, 0);
    process->image = tnd_attach_image_new(session->run_path, pid, TND_BIRTH_START, time, &session->wish, error);
    if (!process->image)
        return FALSE;
    int number = watch_threads(session, process, time);
    if (number) {
        char *why = tnd_attach_refusal_explain(number);
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_FAILED, "%d: %s", pid, why);
        g_free(why);
        return FALSE;
    }
    struct naming naming = {process->image, time};
    tnd_attach_proc_mappings(pid, map, &naming);
    return TRUE;
}

TndAttachSession *tnd_attach_session_new(const char *run_path, const int *pids, guint n_pids,
                                         const TndAttachSessionWish *wish, GError **error)
{
    TndAttachSession *session = g_new0(TndAttachSession, 1);
    const TndAttachEventsWish events = {wish->period_ns, wish->depth ? wish->stack_bytes : 0};
    session->run_path = g_strdup(run_path);
    session->events = tnd_attach_events_new(&events);
    session->wish = (TndAttachWish){wish->period_ns, wish->depth};
    session->processes = g_ptr_array_new();
    gboolean has_begun = TRUE;
    for (guint i = 0; i < n_pids && has_begun; i++)
        has_begun = begin_process(session, pids[i], error);
    if (has_begun)
        return session;
    tnd_attach_session_end(session, NULL);
    return NULL;
}

/* The process has become another program. */
static void follow_exec(TndAttachSession *session, struct process *process, guint64 time)
{
    if (!process->image)
        return;
    process->n_samples += tnd_attach_image_n_samples(process->image);
    tnd_attach_image_end(process->image, TND_END_EXEC, time, error_of(session));
    process->image =
        tnd_attach_image_new(session->run_path, process->pid, TND_BIRTH_EXEC, time, &session->wish, error_of(session));
    if (process->image)
        tnd_attach_image_begin_thread(process->image, (guint32)process->pid, time, TRUE);
}

static struct process *find_process(const TndAttachSession *session, guint32 pid)
{
    for (guint i = 0; i < session->processes->len; i++) {
        struct process *process = session->processes->pdata[i];
        if ((guint32)process->pid == pid)
            return process;
    }
    return NULL;
}

static void take_event(gpointer self, const TndAttachEvent *event)
{
    TndAttachSession *session = self;
    struct process *process = find_process(session, event->pid);
    TndAttachImage *image = process ? process->image : NULL;
    if (!image)
        return;
    switch (event->what) {
    case TND_ATTACH_SAMPLE:
        tnd_attach_image_sample(image, event->tid, event->time, event->cpu, event->has_moment ? &event->moment : NULL);
        break;
    case TND_ATTACH_SWITCH_IN:
        tnd_attach_image_switch_in(image, event->tid, event->time);
        break;
    case TND_ATTACH_SWITCH_OUT:
        tnd_attach_image_switch_out(image, event->tid, event->time, event->is_pushed);
        break;
    case TND_ATTACH_BEGIN:
        tnd_attach_image_begin_thread(image, event->tid, event->time, FALSE);
        break;
    case TND_ATTACH_END:
        tnd_attach_image_end_thread(image, event->tid, event->time);
        break;
    case TND_ATTACH_NAME:
        tnd_attach_image_name_thread(image, event->tid, event->time, event->name);
        break;
    case TND_ATTACH_EXEC:
        follow_exec(session, process, event->time);
        break;
    case TND_ATTACH_MAP:
        tnd_attach_image_map(image, event->time, &event->mapping);
        break;
    }
}

static void read_events(TndAttachSession *session, gboolean is_last)
{
    tnd_attach_events_read(session->events, is_last, take_event, session);
    guint64 n_lost = tnd_attach_events_lost(session->events);
    struct process *first = session->processes->len ? session->processes->pdata[0] : NULL;
    session->n_lost += n_lost;
    if (n_lost && first && first->image)
        tnd_attach_image_lose(first->image, n_lost);
}

static gboolean has_ended(struct process *process)
{
    struct pollfd polled = {.fd = process->pid_fd, .events = POLLIN};
    if (!process->has_ended && process->pid_fd >= 0)
        process->has_ended = poll(&polled, 1, 0) > 0;
    else if (!process->has_ended)
        process->has_ended = tnd_attach_proc_state(process->pid, process->pid) == 0;
    return process->has_ended;
}

gboolean tnd_attach_session_step(TndAttachSession *session)
{
    gboolean is_alive = FALSE;
    for (guint i = 0; i < session->processes->len; i++)
        is_alive |= !has_ended(session->processes->pdata[i]);
    if (!is_alive)
        return FALSE;
    tnd_attach_events_wait(session->events, WAIT_MS);
    read_events(session, FALSE);
    if (g_get_monotonic_time() >= session->flush_us) {
        session->flush_us = g_get_monotonic_time() + FLUSH_US;
        for (guint i = 0; i < session->processes->len; i++) {
            const struct process *process = session->processes->pdata[i];
            if (process->image)
                tnd_attach_image_flush(process->image);
        }
    }
    return TRUE;
}

gboolean tnd_attach_session_end(TndAttachSession *session, GError **error)
{
    guint64 time = now_ns();
    read_events(session, TRUE);
    tnd_attach_events_free(session->events);
    for (guint i = 0; i < session->processes->len; i++) {
        struct process *process = session->processes->pdata[i];
        if (process->image)
            tnd_attach_image_end(process->image, TND_END_EXIT, process->has_ended ? 0 : time, error_of(session));
        if (process->pid_fd >= 0)
            close(process->pid_fd);
        g_free(process);
    }
    gboolean is_fine = session->error == NULL;
    if (!is_fine)
        g_propagate_error(error, session->error);
    g_ptr_array_unref(session->processes);
    g_free(session->run_path);
    g_free(session);
    return is_fine;
}

TndAttachSessionFacts tnd_attach_session_facts(const TndAttachSession *session)
{
    TndAttachSessionFacts facts = {.n_lost = session->n_lost};
    for (guint i = 0; i < session->processes->len; i++) {
        const struct process *process = session->processes->pdata[i];
        facts.n_samples += process->n_samples;
        if (!process->image)
            continue;
        facts.n_threads += tnd_attach_image_n_threads(process->image);
        facts.n_samples += tnd_attach_image_n_samples(process->image);
    }
    return facts;
}
