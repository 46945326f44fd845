/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * States are held from one moment to the next, because what calls leave of the time off a CPU is known only there.
 */
#include "analysis/merge/write/merge_off_cpu.h"
#include "analysis/base/assertion.h"
#include "formats/event_types.h"

typedef struct tnd_prv_state State;

TndMergeOffCpu *tnd_merge_off_cpu_new(void)
{
    TndMergeOffCpu *off = g_new0(TndMergeOffCpu, 1);
    off->held = g_array_new(FALSE, FALSE, sizeof(State));
    off->ready = g_array_new(FALSE, FALSE, sizeof(State));
    return off;
}

void tnd_merge_off_cpu_free(TndMergeOffCpu *off)
{
    g_array_unref(off->held);
    g_array_unref(off->ready);
    g_free(off);
}

static void release(TndMergeOffCpu *off)
{
    for (guint i = 0; i < off->held->len; i++) {
        const State *state = &g_array_index(off->held, State, i);
        State *before = off->ready->len ? &g_array_index(off->ready, State, off->ready->len - 1) : NULL;
        tnd_assert(state->end > state->begin && (!before || before->end == state->begin));
        gboolean goes_on = i == 0 && off->is_cut && before && off->ready->len > off->n_taken;
        if (goes_on && before->state == state->state && before->at.cpu == state->at.cpu)
            before->end = state->end;
        else
            g_array_append_val(off->ready, *state);
    }
    if (off->held->len)
        off->is_cut = FALSE;
    g_array_set_size(off->held, 0);
}

void tnd_merge_off_cpu_begin(TndMergeOffCpu *off, guint64 time_ns)
{
    release(off);
    off->since_ns = time_ns;
    off->in_calls_ns = 0;
    off->carried_ns = 0;
}

void tnd_merge_off_cpu_expect(TndMergeOffCpu *off, gboolean is_sampled)
{
    off->is_sampled = is_sampled;
    if (!is_sampled)
        release(off);
}

void tnd_merge_off_cpu_add(TndMergeOffCpu *off, const struct tnd_prv_state *state)
{
    g_array_append_val(off->held, *state);
    if (state->state != TND_STATE_RUNNING)
        off->in_calls_ns += state->end - state->begin;
    if (!off->is_sampled || off->held->len >= TND_MERGE_OFF_CPU_HELD)
        release(off);
}

/* Gives at most `amount_ns` of the running time from `from_ns` on to another state; returns how much. */
static guint64 take_off(TndMergeOffCpu *off, guint64 from_ns, guint64 amount_ns, guint32 to)
{
    guint64 left_ns = amount_ns;
    for (guint i = 0; i < off->held->len && left_ns; i++) {
        State *state = &g_array_index(off->held, State, i);
        if (state->state != TND_STATE_RUNNING || state->end <= from_ns)
            continue;
        if (state->begin < from_ns) { /* its first part stays; its second one is looked at next */
            State second = *state;
            second.begin = state->end = from_ns;
            g_array_insert_val(off->held, i + 1, second);
            continue;
        }
        if (state->end - state->begin > left_ns) {
            State second = *state;
            second.begin = state->end = state->begin + left_ns;
            g_array_insert_val(off->held, i + 1, second);
            state = &g_array_index(off->held, State, i);
        }
        left_ns -= state->end - state->begin;
        state->state = to;
        state->at.cpu = 0;
    }
    return amount_ns - left_ns;
}

/* The time off a CPU up to a moment that was outside of calls. */
static guint64 find_off_ns(TndMergeOffCpu *off, const TndMergeOffCpuMoment *moment)
{
    gint64 off_ns = (gint64)(moment->time_ns - off->since_ns) - (gint64)moment->cpu_ns + off->carried_ns;
    off->carried_ns = MIN(off_ns, 0);
    off_ns -= (gint64)off->in_calls_ns;
    if (off_ns >= TND_MERGE_OFF_CPU_LEAST_NS)
        return (guint64)off_ns;
    if (off_ns > 0)
        off->carried_ns = off_ns;
    return 0;
}

void tnd_merge_off_cpu_know(TndMergeOffCpu *off, const TndMergeOffCpuMoment *moment)
{
    tnd_assert(!off->held->len || g_array_index(off->held, State, off->held->len - 1).end == moment->time_ns);
    guint64 off_ns = find_off_ns(off, moment);
    if (off_ns && moment->call_ns < moment->time_ns)
        off_ns -= take_off(off, moment->call_ns, off_ns, TND_STATE_BLOCKED);
    if (off_ns)
        take_off(off, 0, off_ns, moment->was_pushed ? TND_STATE_PREEMPTED : TND_STATE_BLOCKED);
    release(off);
    off->is_cut = TRUE;
    off->since_ns = moment->time_ns;
    off->in_calls_ns = 0;
}

gboolean tnd_merge_off_cpu_take(TndMergeOffCpu *off, gboolean is_over, struct tnd_prv_state *state)
{
    /* The last one may still go on. */
    if (off->n_taken + (is_over || !off->is_cut ? 0 : 1) >= off->ready->len)
        return FALSE;
    *state = g_array_index(off->ready, State, off->n_taken++);
    if (off->n_taken == off->ready->len || off->n_taken == TND_MERGE_OFF_CPU_HELD) {
        g_array_remove_range(off->ready, 0, off->n_taken);
        off->n_taken = 0;
    }
    return TRUE;
}
