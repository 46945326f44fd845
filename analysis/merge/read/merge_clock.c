/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All processes of one node (host and boot) with one kind of ticks share one line from ticks to time, from the node's
 * earliest reading of clocks to its latest, so that ranks agree with each other to the last tick. Nodes are aligned by
 * CLOCK_REALTIME unless merge_nodes.c knows better.
 */
#include "analysis/merge/read/merge_clock.h"
#include "analysis/merge/base/merge_note.h"
#include "analysis/merge/base/merge_ticks.h"
#include "analysis/merge/read/merge_nodes.h"
#include "analysis/merge/read/merge_process.h"

#include <gio/gio.h>
#include <string.h>
#include <time.h>

static TndMergeClock *find_clock(TndMerge *merge, const char *host, const char *boot, int kind)
{
    for (guint i = 0; i < merge->clocks->len; i++) {
        TndMergeClock *clock = merge->clocks->pdata[i];
        if ((kind < 0 || (int)clock->kind == kind) && g_strcmp0(clock->host, host) == 0 &&
            g_strcmp0(clock->boot, boot) == 0)
            return clock;
    }
    return NULL;
}

static void take_process(TndMerge *merge, TndMergeProcess *process)
{
    TndMergeClock *clock = find_clock(merge, process->host, process->boot, (int)process->clock_kind);
    if (!clock) {
        clock = g_new0(TndMergeClock, 1);
        clock->host = process->host;
        clock->boot = process->boot;
        clock->kind = process->clock_kind;
        clock->first = process->first_reading;
        clock->last = process->last_reading;
        g_ptr_array_add(merge->clocks, clock);
    }
    if (process->first_reading.ticks < clock->first.ticks)
        clock->first = process->first_reading;
    if (process->last_reading.ticks > clock->last.ticks)
        clock->last = process->last_reading;
    process->clock = clock;
}

static guint64 read_clock(clockid_t id)
{
    struct timespec now;
    clock_gettime(id, &now);
    return (guint64)now.tv_sec * 1000000000u + (guint64)now.tv_nsec;
}

static gboolean read_ticks(enum tnd_clock kind, guint64 *ticks)
{
#if defined(__x86_64__)
    if (kind == TND_CLOCK_TSC) {
        *ticks = __builtin_ia32_rdtsc();
        return TRUE;
    }
#elif defined(__aarch64__)
    if (kind == TND_CLOCK_CNTVCT) {
        __asm__ volatile("mrs %0, cntvct_el0" : "=r"(*ticks));
        return TRUE;
    }
#endif
    return FALSE;
}

gboolean tnd_merge_clock_is_this_boot(const char *boot)
{
    char *now = NULL;
    gboolean same = boot && *boot && g_file_get_contents("/proc/sys/kernel/random/boot_id", &now, NULL, NULL) &&
                    strcmp(g_strstrip(now), boot) == 0;
    g_free(now);
    return same;
}

/* Reads the clocks now for a run that was killed before it read them a second time, if it ran on this node and since
 * its boot.  Of several ranks, rank 0 reads them for all. */
static void complete_clock(TndMerge *merge, TndMergeClock *clock)
{
    TndMergeClockReading now = {0};
    if (tnd_merge_clock_is_this_boot(clock->boot) && read_ticks(clock->kind, &now.ticks)) {
        now.monotonic_ns = read_clock(CLOCK_MONOTONIC);
        now.realtime_ns = read_clock(CLOCK_REALTIME);
    }
    tnd_merge_team_share(merge->team, &now, sizeof now);
    if (now.ticks > clock->first.ticks) {
        clock->last = now;
        return;
    }
    tnd_merge_note(merge, "%s: its clock was read only once; times there are in ticks of its counter, not in ns",
                   clock->host ? clock->host : "a node");
}

static void set_rate(TndMerge *merge, TndMergeClock *clock)
{
    clock->rate = (guint64)1 << TND_MERGE_RATE_BITS;
    if (clock->kind == TND_CLOCK_MONOTONIC)
        return;
    if (clock->last.ticks == clock->first.ticks)
        complete_clock(merge, clock);
    guint64 ticks = clock->last.ticks - clock->first.ticks;
    guint64 time = clock->last.monotonic_ns - clock->first.monotonic_ns;
    if (ticks && time)
        clock->rate = (guint64)(((unsigned __int128)time << TND_MERGE_RATE_BITS) / ticks);
}

/* The difference of CLOCK_REALTIME and CLOCK_MONOTONIC on a node, by the node's earliest reading of both. */
static gint64 node_offset(TndMerge *merge, const TndMergeClock *clock)
{
    const TndMergeClockReading *earliest = &clock->first;
    for (guint i = 0; i < merge->clocks->len; i++) {
        const TndMergeClock *other = merge->clocks->pdata[i];
        if (g_strcmp0(other->host, clock->host) == 0 && g_strcmp0(other->boot, clock->boot) == 0 &&
            other->first.monotonic_ns < earliest->monotonic_ns)
            earliest = &other->first;
    }
    return (gint64)(earliest->realtime_ns - earliest->monotonic_ns);
}

gboolean tnd_merge_clock_run(TndMerge *merge, GError **error)
{
    for (guint i = 0; i < merge->processes->len; i++) {
        TndMergeProcess *process = merge->processes->pdata[i];
        if (process->n_readings == 0) {
            tnd_merge_note(merge, "%s: left out: it was killed before it read its clock", process->files->name);
            g_ptr_array_remove_index(merge->processes, i--);
            tnd_merge_process_free(process);
            continue;
        }
        take_process(merge, process);
    }
    if (merge->processes->len == 0) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "%s: no process lived long enough to record anything",
                    merge->options->run_directory);
        return FALSE;
    }
    for (guint i = 0; i < merge->clocks->len; i++)
        set_rate(merge, merge->clocks->pdata[i]);
    for (guint i = 0; i < merge->clocks->len; i++) {
        TndMergeClock *clock = merge->clocks->pdata[i];
        clock->first_time = (gint64)clock->first.monotonic_ns + node_offset(merge, clock);
    }
    tnd_merge_nodes_run(merge);
    for (guint i = 0; i < merge->processes->len; i++) {
        TndMergeProcess *process = merge->processes->pdata[i];
        process->begin_ns = (guint64)tnd_merge_ticks_absolute(process->clock, process->begin_ticks);
    }
    return TRUE;
}

void tnd_merge_clock_set_zero(TndMerge *merge, gint64 zero)
{
    for (guint i = 0; i < merge->clocks->len; i++)
        ((TndMergeClock *)merge->clocks->pdata[i])->first_time -= zero;
    for (guint i = 0; i < merge->processes->len; i++) {
        TndMergeProcess *process = merge->processes->pdata[i];
        process->begin_ns = tnd_merge_ticks_time(process->clock, process->begin_ticks);
        process->end_ns = MAX(tnd_merge_ticks_time(process->clock, process->end_ticks), process->begin_ns);
    }
}
