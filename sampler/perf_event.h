/* SPDX-License-Identifier: Apache-2.0
 *
 * Descriptors of perf events.  They have high numbers, away from the program's, and are known by number and id, because
 * a program may close all descriptors (daemons do), and a forked child must close its parent's.
 *
 * Context: system calls only.
 */
#ifndef TND_PERF_EVENT_H
#define TND_PERF_EVENT_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

struct tnd_perf_event {
    int fd; /* -1: not open */
    uint64_t id;
};

/* Opens an event of the calling thread, in the group whose leader's descriptor is `group` (-1: a group of its own).  0
 * or an errno. */
int tnd_perf_event_open(struct tnd_perf_event *event, struct perf_event_attr *attr, int group);

/* Closes it, if the descriptor is still the event's. */
void tnd_perf_event_close(struct tnd_perf_event *event);

/* Whether the descriptor is still the event's.  A system call. */
bool tnd_perf_event_is_open(const struct tnd_perf_event *event);

/* Maps the event's page, for reading; NULL: it has none.  Not counted as memory that the program maps. */
const struct perf_event_mmap_page *tnd_perf_event_map(const struct tnd_perf_event *event);
void tnd_perf_event_unmap(const struct perf_event_mmap_page *page);

/* Marks an event as a sampling clock; and switches all clocks of the process on or off, in any thread. */
void tnd_perf_event_be_clock(const struct tnd_perf_event *event);
void tnd_perf_event_switch_clocks(bool on);

/* In a forked child: closes its copies of the descriptors that its parent had open. */
void tnd_perf_event_forget(void);

#endif
