/* SPDX-License-Identifier: Apache-2.0
 *
 * PAPI's counters: its library is loaded when counters of it are asked for, and never linked.  Any PAPI from 5.5 on
 * serves: of its interface only what those have in common is used, so that no <papi.h> is needed.
 *
 * Cost: what PAPI_read costs, some 250 instructions and a system call on arm64, less where it reads by instructions.
 * Context: as each function says.
 */
#ifndef TND_COUNTER_PAPI_H
#define TND_COUNTER_PAPI_H

#include "sampler/counter.h"

/* Loads it and begins; "" or why not.  At start; the second time as the first. */
const char *tnd_counter_papi_load(void);

/* Begins again, in the child of a fork that may allocate by now.  False: that cannot be had. */
bool tnd_counter_papi_again(void);

/* Whether it can be counted here, beside the others of the set, of which it will be the last.  Fills in what the name
 * means; *why: PAPI's own words, or NULL.  At start. */
enum tnd_counter_refusal tnd_counter_papi_try(const struct tnd_counter_set *set, struct tnd_counter *counter,
                                              const char **why);

/* In a new thread, and in one that ends. */
void tnd_counter_papi_thread_start(void);
void tnd_counter_papi_thread_end(void);

/* The set's events, for the calling thread; they do not count yet.  -1: it cannot be had; allocates. */
int tnd_counter_papi_open(const struct tnd_counter_set *set);
void tnd_counter_papi_close(int events);

/* Counting begins (from 0) or ends.  In the thread. */
bool tnd_counter_papi_switch(int events, bool on);

/* What they have counted since then.  In the thread, in its handler if that did not interrupt one of these. */
bool tnd_counter_papi_read(int events, uint64_t *values);

/* Overflows: `seen` is called in a handler of PAPI's after every so many counts of the one counter of the set. */
typedef void (*tnd_counter_papi_seen)(int events, void *address, long long which, void *context);
bool tnd_counter_papi_overflow(int events, const struct tnd_counter *counter, uint64_t n, tnd_counter_papi_seen seen);

/* For sensors: what counts for the machine.  In a process of one thread. */

/* Why a component has nothing to count; NULL: it has, or does not say. */
const char *tnd_counter_papi_reason(const char *component);

/* The event of that name, if it counts in that unit. */
bool tnd_counter_papi_find(const char *name, const char *unit, int *code);

/* A set of events that counts from now on.  -1, and *why. */
int tnd_counter_papi_count(const int *codes, unsigned n, const char **why);

#endif
