/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kernel's events (perf_event_open) of threads of other processes: samples in CPU time, and when a thread gets a
 * CPU and loses it, begins, ends, takes a name, maps code.  Threads that a watched thread starts are watched from their
 * first instruction on.  Nothing is changed in the processes, and they are not stopped.
 *
 * One buffer a CPU, which all events there share; one descriptor for each thread there was at the begin and each CPU.
 */
#ifndef TND_ATTACH_EVENTS_H
#define TND_ATTACH_EVENTS_H

#include "attach/attach_memory.h"

#include <glib.h>

typedef struct TndAttachEvents TndAttachEvents;

typedef struct {
    guint64 period_ns;
    guint stack_bytes; /* of the stack that are copied with a sample; 0: neither they nor registers are */
} TndAttachEventsWish;

enum tnd_attach_event {
    TND_ATTACH_SAMPLE,
    TND_ATTACH_SWITCH_IN,
    TND_ATTACH_SWITCH_OUT,
    TND_ATTACH_BEGIN, /* a thread */
    TND_ATTACH_END,
    TND_ATTACH_NAME,
    TND_ATTACH_EXEC, /* the process has become another program */
    TND_ATTACH_MAP,
};

/* One event.  What it points to is valid until the next. */
typedef struct {
    enum tnd_attach_event what;
    guint32 pid, tid;
    guint64 time; /* CLOCK_MONOTONIC */
    guint cpu;
    gboolean is_pushed;       /* SWITCH_OUT: others get the CPU, the thread does not wait */
    const char *name;         /* NAME, EXEC */
    TndAttachMapping mapping; /* MAP */
    TndAttachMoment moment;   /* SAMPLE, if has_moment */
    gboolean has_moment;
} TndAttachEvent;

typedef void (*TndAttachEach)(gpointer self, const TndAttachEvent *event);

/* Whether this user may have such events of threads of its own; an errno, 0: it may. */
int tnd_attach_events_probe(void);

TndAttachEvents *tnd_attach_events_new(const TndAttachEventsWish *wish);
void tnd_attach_events_free(TndAttachEvents *events);

/* Watches a thread from now on.  0, an errno of perf_event_open, ESRCH: it has ended, or ENOMEM: there is no room for a
 * buffer. */
int tnd_attach_events_watch(TndAttachEvents *events, guint32 tid);

/* Whether the kernel lets us see that a thread is in it, rather than let samples wait until it has returned. */
gboolean tnd_attach_events_see_kernel(const TndAttachEvents *events);

/* Waits until a buffer fills up or a signal comes, at most for `most_ms`. */
void tnd_attach_events_wait(TndAttachEvents *events, int most_ms);

/* Hands over, in the order of time, the events that no earlier one can follow any more; is_last: all that there are. */
void tnd_attach_events_read(TndAttachEvents *events, gboolean is_last, TndAttachEach each, gpointer self);

/* How many samples and events the kernel had no room for, since the last call. */
guint64 tnd_attach_events_lost(TndAttachEvents *events);

#endif
