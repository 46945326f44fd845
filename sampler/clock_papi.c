/* SPDX-License-Identifier: Apache-2.0
 *
 * Samples after a number of counts of a counter: by a perf event if the kernel has the counter (clock_perf.c), else by
 * PAPI's overflows, for which PAPI has a signal and a handler of its own.  A forked child that does not exec has none
 * of the latter, because PAPI cannot be initialized safely so early there.
 *
 * Context: as sampling_clock.h says.
 */
#include "runtime/run.h"
#include "sampler/counter_papi.h"
#include "sampler/counter_plan.h"
#include "sampler/sample.h"
#include "sampler/sampling_clock.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct tnd_counter_plan plan; /* of one counter */
static uint64_t n_counts;
static bool is_child, is_leaving;

static void seen(int events, void *address, long long which, void *context)
{
    tnd_sample_take(context);
}

/* When the process ends, other threads may hold locks that closing needs. */
static void disarm(struct tnd_sampling *sampling)
{
    if (!sampling->armed)
        return;
    sampling->armed = false;
    tnd_counter_papi_switch(sampling->papi, false);
    if (!is_leaving)
        tnd_counter_papi_close(sampling->papi);
}

static int arm(struct tnd_sampling *sampling)
{
    const struct tnd_counter_set *set = &plan.sets[0];
    if (is_child)
        return ENOTSUP;
    tnd_counter_papi_thread_start();
    sampling->papi = tnd_counter_papi_open(set);
    if (sampling->papi < 0)
        return EIO;
    sampling->armed = true;
    if (tnd_counter_papi_overflow(sampling->papi, &set->counters[0], n_counts, seen) &&
        tnd_counter_papi_switch(sampling->papi, true))
        return 0;
    sampling->armed = false;
    tnd_counter_papi_close(sampling->papi);
    return EIO;
}

static void leave_process(void)
{
    is_leaving = true;
}

static void forget(void)
{
    is_child = true;
}

static bool owns(const siginfo_t *info)
{
    return false;
}

const struct tnd_sampling_ops tnd_clock_papi = {
    .kind = TND_SAMPLING_PAPI,
    .arm = arm,
    .disarm = disarm,
    .leave_process = leave_process,
    .forget = forget,
    .owns = owns,
};

const struct tnd_sampling_ops *tnd_sampling_clock_choose(const char *setting, uint64_t *n, char *refused, unsigned size)
{
    char text[TND_COUNTER_NAME_MAX + 24];
    snprintf(text, sizeof text, "%s", strchr(setting, ':') + 1);
    char *at = strrchr(text, '@'), *end = NULL;
    if (at)
        *at++ = 0;
    *n = at && at[0] >= '1' && at[0] <= '9' ? strtoull(at, &end, 10) : 0;
    if (!*n || *end) {
        snprintf(refused, size, "sampling-clock: got \"%s\", takes perf:EVENT@N or papi:EVENT@N", setting);
        return NULL;
    }
    tnd_counter_plan_make(&plan, text, refused, size);
    const struct tnd_counter *counter = &plan.sets[0].counters[0];
    if (plan.n_sets && counter->needs_kernel)
        snprintf(refused, size, "counters: not counted: %s (it happens where no sample can be taken)", text);
    if (!plan.n_sets || refused[0]) {
        char *why = strstr(refused, text);
        memmove(refused + strlen("no samples by "), why ? why : refused, strlen(why ? why : refused) + 1);
        memcpy(refused, "no samples by ", strlen("no samples by "));
        return NULL;
    }
    n_counts = *n;
    if (counter->is_papi)
        return &tnd_clock_papi;
    tnd_sampling_clock_count(counter->perf_type, counter->perf_config);
    return &tnd_clock_event;
}
