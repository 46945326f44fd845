/* SPDX-License-Identifier: Apache-2.0
 *
 * PAPI's counters.  Its library is loaded when such a counter is asked for; it is never linked.  Any PAPI from 5.5 on
 * will do: only the part of its interface that all of them have is used, so that no <papi.h> is needed.
 *
 * Cost: what PAPI_read costs, some 250 instructions and a system call on arm64, less where it reads by instructions.
 * Context: as each function says.
 */
#ifndef TND_COUNTER_PAPI_H
#define TND_COUNTER_PAPI_H

#include "sampler/counter.h"

/* Loads and initializes PAPI; "" or why that failed.  At start; a second call returns the same. */
const char *tnd_counter_papi_load(void);

/* Initializes PAPI again, in the child of a fork, once that may allocate.  False: it failed. */
bool tnd_counter_papi_again(void);

/* Whether the counter can count here, as the last one of the set, together with the others.  Looks its name up and
 * fills it in; *why: PAPI's own words, or NULL.  At start. */
enum tnd_counter_refusal tnd_counter_papi_try(const struct tnd_counter_set *set, struct tnd_counter *counter,
                                              const char **why);

/* In a new thread, and in one that ends. */
void tnd_counter_papi_thread_start(void);
void tnd_counter_papi_thread_end(void);

/* Opens PAPI's events of the set for the calling thread, which do not count yet.  -1: it failed; allocates. */
int tnd_counter_papi_open(const struct tnd_counter_set *set);
void tnd_counter_papi_close(int events);

/* Counting begins (from 0) or ends.  In the thread. */
bool tnd_counter_papi_switch(int events, bool on);

/* What they have counted since then.  In the thread; in its handler, too, if that did not interrupt one of these
 * functions. */
bool tnd_counter_papi_read(int events, uint64_t *values);

/* Overflows: `seen` is called in a handler of PAPI's after every so many counts of the one counter of the set. */
typedef void (*tnd_counter_papi_seen)(int events, void *address, long long which, void *context);
bool tnd_counter_papi_overflow(int events, const struct tnd_counter *counter, uint64_t n, tnd_counter_papi_seen seen);

/* For sensors: counters of the whole machine.  In a process of one thread. */

/* Why a component of PAPI is disabled; NULL: it is not, or does not say. */
const char *tnd_counter_papi_reason(const char *component);

/* The event of that name, if it counts in that unit. */
bool tnd_counter_papi_find(const char *name, const char *unit, int *code);

/* A set of events, which count from now on.  -1, and *why: the reason. */
int tnd_counter_papi_count(const int *codes, unsigned n, const char **why);

#endif
