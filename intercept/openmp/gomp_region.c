/* SPDX-License-Identifier: Apache-2.0
 *
 * Parallel regions of libgomp.  Context: gomp_region.h.
 */
#include "intercept/openmp/gomp_region.h"

#define MAX_OLD_REGIONS 8

bool tnd_gomp_region_is_foreign;

/* Records the begin of a region's loop or sections: in a combined construct the threads ask for their first share
 * without a call that begins it. */
static void begin_construct(const struct tnd_gomp_region *region, uint64_t time)
{
    struct tnd_thread *thread = tnd_thread_get();
    tnd_openmp_self.incr = region->incr;
    if (!thread || !time)
        return;
    tnd_openmp_self_enter(thread, time, TND_TYPE_OPENMP_WORKSHARING, region->construct);
    if (region->schedule)
        tnd_openmp_self_value(thread, time, TND_TYPE_OPENMP_SCHEDULE, region->schedule);
    tnd_openmp_self_value(thread, time, TND_TYPE_OPENMP_ITERATIONS, region->iterations);
}

void tnd_gomp_region_run(void *data)
{
    const struct tnd_gomp_region *region = data;
    struct tnd_openmp_self before;
    bool is_worker = region->opener != tnd_thread_self;
    uint64_t time = tnd_openmp_self_begin(&before, (const void *)region->fn, is_worker);
    if (region->construct)
        begin_construct(region, time);
    region->fn(region->data);
    tnd_openmp_self_end(&before, is_worker);
}

static _Thread_local struct {
    struct tnd_gomp_region regions[MAX_OLD_REGIONS];
    struct tnd_openmp_self before[MAX_OLD_REGIONS];
    unsigned n, n_unknown; /* regions that found no room, which are the innermost ones */
} old __attribute__((tls_model("initial-exec")));

struct tnd_gomp_region *tnd_gomp_region_push(void)
{
    if (old.n < MAX_OLD_REGIONS && old.n_unknown == 0)
        return &old.regions[old.n++];
    old.n_unknown++;
    return NULL;
}

void tnd_gomp_region_started(struct tnd_thread *thread, uint64_t time)
{
    const struct tnd_gomp_region *region = &old.regions[old.n - 1];
    time = tnd_openmp_self_begin(&old.before[old.n - 1], (const void *)region->fn, false);
    if (region->construct)
        begin_construct(region, time);
}

bool tnd_gomp_region_ending(struct tnd_thread *thread, uint64_t time)
{
    if (old.n_unknown) {
        old.n_unknown--;
        return false;
    }
    if (old.n == 0)
        return false;
    tnd_openmp_self_end(&old.before[--old.n], false);
    return true;
}
