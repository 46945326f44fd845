/* SPDX-License-Identifier: Apache-2.0
 *
 * A walk that joins the trail of the last one.  The trail is always that of a whole stack, also if fewer frames are
 * wanted; what is not wanted of it is not read.
 *
 * Context: unwind_trail.h.
 */
#include "unwind/unwind_trail.h"

#include "runtime/modules.h"
#include "unwind/unwind_cache.h"
#include "unwind/unwind_rule.h"
#include "unwind/unwind_tables.h"

#include <stddef.h>

typedef struct tnd_unwind_trail_step step;

/* Goes to the caller by the rule of a place.  1: there it is; 0: there is none; -1: that cannot be said here. */
static int climb(step *at, uint64_t place, uint64_t generation, uint64_t low, uint64_t high)
{
    uint64_t rule;
    if (!tnd_unwind_cache_find(place, generation, &rule) && !tnd_unwind_tables_learn(place, generation, &rule))
        return -1;
    if (rule & TND_UNWIND_RULE_END)
        return 0;
    uint64_t frame = tnd_unwind_rule_frame(rule, at->sp, at->fp), fp_place;
    if (!tnd_unwind_rule_is_known(rule, frame, at->sp, low, high) || !tnd_unwind_rule_return_place(rule))
        return -1;
    const uint64_t *words = (const uint64_t *)frame;
    fp_place = tnd_unwind_rule_place(rule, TND_UNWIND_RULE_SAVED_FP);
    at->pc_at = words - tnd_unwind_rule_return_place(rule);
    at->fp_at = fp_place ? words - fp_place : NULL;
    at->pc = tnd_unwind_machine_code(*at->pc_at);
    at->fp = at->fp_at ? *at->fp_at : at->fp;
    at->sp = frame;
    return at->pc != 0;
}

/* How many steps of the trail are not above the one that the walk has come to, if that is one of them and n_wanted
 * further ones are still as they were; else 0, and *n_left are those that are left to be come to. */
static unsigned join(const struct tnd_unwind_trail *trail, const step *at, unsigned n_wanted, unsigned *n_left)
{
    const step *steps = trail->steps;
    unsigned n = *n_left;
    while (n && steps[n - 1].sp < at->sp)
        n--;
    *n_left = n;
    if (!n || steps[n - 1].sp != at->sp || steps[n - 1].pc != at->pc || steps[n - 1].fp != at->fp)
        return 0;
    for (unsigned i = n - 1; i-- > 0 && n_wanted--;)
        if (tnd_unwind_machine_code(*steps[i].pc_at) != steps[i].pc ||
            (steps[i].fp_at ? *steps[i].fp_at != steps[i].fp : steps[i + 1].fp != steps[i].fp)) {
            *n_left = i;
            return 0;
        }
    return n;
}

/* Makes the trail of what is left of it, and of what is new but for the interrupted frame, which has not called. */
static void extend(struct tnd_unwind_trail *trail, unsigned n_kept, unsigned n_fresh)
{
    trail->n = 0; /* a jump may leave this */
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    for (unsigned i = n_fresh; i-- > 1;)
        trail->steps[n_kept++] = trail->fresh[i];
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    trail->n = n_kept;
}

int tnd_unwind_trail_follow(struct tnd_unwind_trail *trail, const ucontext_t *context,
                            const struct tnd_unwind_trail_limits *limits, uint64_t *frames, unsigned max, bool *deeper)
{
    uint64_t generation = __atomic_load_n(&tnd_modules_generation, __ATOMIC_RELAXED);
    step at = {.pc = tnd_unwind_machine_register(context, TND_UNWIND_PC),
               .sp = tnd_unwind_machine_register(context, TND_UNWIND_SP),
               .fp = tnd_unwind_machine_register(context, TND_UNWIND_FP)};
    uint64_t low = at.sp - 128; /* the red zone */
    unsigned n = 0, n_left = trail->generation == generation ? trail->n : 0, n_joined = 0;
    int more = 1;
    if (at.sp < limits->stack_low || at.sp >= limits->stack_high)
        return -1;
    trail->generation = generation;
    while (more > 0 && !(n && (n_joined = join(trail, &at, n < max ? max - n : 0, &n_left)))) {
        if (n == TND_UNWIND_TRAIL_MOST || at.pc - limits->own_low < limits->own_size)
            return -1;
        if (n < max)
            frames[n] = at.pc;
        trail->fresh[n++] = at;
        more = climb(&at, n == 1 ? at.pc : at.pc - 1, generation, low, limits->stack_high);
    }
    if (more < 0 || n + n_joined > TND_UNWIND_TRAIL_MOST)
        return -1;
    for (unsigned i = n_joined, k = n; i-- > 0 && k < max; k++)
        frames[k] = trail->steps[i].pc;
    extend(trail, n_joined, n);
    *deeper = n + n_joined > max;
    return (int)(*deeper ? max : n + n_joined);
}
