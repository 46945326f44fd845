/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernel's counters of a thread: software counters and the usual ones of the processor, by their names in perf(1).
 * Those of a set are one perf group, which is read by one system call; or by instructions alone, if all of them are the
 * processor's and the kernel allows it.
 *
 * Cost: some 300 ns a read by system call (measured, tests/bench).
 * Context: in the thread itself.  Reading: also in a handler.
 */
#ifndef TND_COUNTER_PERF_H
#define TND_COUNTER_PERF_H

#include "sampler/counter.h"
#include "sampler/perf_event.h"

#include <stddef.h>
#include <sys/syscall.h>

struct tnd_counter_perf {
    unsigned n;
    bool is_split, has_times, is_in_user; /* split: each counts by itself, in turns with the others */
    struct tnd_perf_event events[TND_COUNTERS_MAX];
    const struct perf_event_mmap_page *pages[TND_COUNTERS_MAX]; /* where they can be read by instructions */
};

/* Looks a name up and fills the counter in; false: the kernel has no counter of that name. */
bool tnd_counter_perf_find(const char *name, struct tnd_counter *counter);

/* Whether the counter can count here, as the last one of the set, together with the others; *why: the reason in words,
 * or NULL.
 */
enum tnd_counter_refusal tnd_counter_perf_try(const struct tnd_counter_set *set, const struct tnd_counter *counter,
                                              const char **why);

/* Opens the set's events, which do not count yet.  0 or an errno. */
int tnd_counter_perf_open(struct tnd_counter_perf *group, const struct tnd_counter_set *set);
void tnd_counter_perf_close(struct tnd_counter_perf *group);

void tnd_counter_perf_switch(const struct tnd_counter_perf *group, bool on);

/* What they have counted so far; false: they cannot be read (any more). */
bool tnd_counter_perf_read(const struct tnd_counter_perf *group, uint64_t *values);

/* Whether one read gives the values as they are, which is so for software counters. */
static inline bool tnd_counter_perf_is_simple(const struct tnd_counter_perf *group)
{
    return !group->is_split && !group->is_in_user && !group->has_times;
}

/* Reads such a group, inline: the number of counters, then their values.  False: call tnd_counter_perf_read. */
static inline bool tnd_counter_perf_read_inline(const struct tnd_counter_perf *group, uint64_t *words)
{
    long n_bytes = 8 * (long)(1 + group->n), got;
#if defined(__x86_64__)
    __asm__ volatile("syscall"
                     : "=a"(got)
                     : "0"(SYS_read), "D"((long)group->events[0].fd), "S"(words), "d"(n_bytes)
                     : "rcx", "r11", "memory");
#elif defined(__aarch64__)
    register long number __asm__("x8") = SYS_read, fd __asm__("x0") = group->events[0].fd;
    register void *place __asm__("x1") = words;
    register long size __asm__("x2") = n_bytes;
    __asm__ volatile("svc #0" : "+r"(fd) : "r"(number), "r"(place), "r"(size) : "memory");
    got = fd;
#else
    got = -1;
#endif
    return got == n_bytes;
}

#endif
