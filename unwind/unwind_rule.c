/* SPDX-License-Identifier: Apache-2.0
 *
 * Making a rule of a row.  Context: unwind_rule.h.
 */
#include "unwind/unwind_rule.h"

/* Where a register is saved; false if that does not fit. */
static bool shorten_place(struct tnd_unwind_rule rule, uint64_t *place)
{
    bool is_saved = rule.how == TND_UNWIND_AT_OFFSET;
    *place = is_saved ? (uint64_t)(-(int64_t)rule.value / 8) : 0;
    return rule.how == TND_UNWIND_SAME || rule.how == TND_UNWIND_UNDEFINED ||
           (is_saved && rule.value % 8 == 0 && *place > TND_UNWIND_RETURN_PLACE &&
            *place <= TND_UNWIND_RULE_PLACE_MASK);
}

/* Where the return address is: there is none, or it is where it always is, or the rule says so already. */
static bool shorten_return(struct tnd_unwind_rule at, uint64_t *rule)
{
    if (at.how == TND_UNWIND_UNDEFINED)
        *rule |= TND_UNWIND_RULE_END;
    return at.how == TND_UNWIND_UNDEFINED || !TND_UNWIND_RETURN_PLACE ||
           (at.how == TND_UNWIND_AT_OFFSET && at.value == -8 * TND_UNWIND_RETURN_PLACE);
}

bool tnd_unwind_rule_make(const struct tnd_unwind_place *at, uint64_t *rule)
{
    const struct tnd_unwind_row *row = &at->row;
    *rule = row->frame_register == TND_UNWIND_FP ? TND_UNWIND_RULE_BY_FP : 0;
    for (int i = 0, n = 0; i < TND_UNWIND_PC; i++) {
        uint64_t place;
        bool is_kept = n < TND_UNWIND_RULE_SAVED && tnd_unwind_rule_saved[n] == i;
        if (!is_kept && !tnd_unwind_machine_is_known((uint64_t)i, false))
            continue;
        if (!shorten_place(row->rules[i], &place) || (place && !is_kept))
            return false;
        *rule |= is_kept ? place << TND_UNWIND_RULE_PLACE_BITS * n : 0;
        n += is_kept;
    }
    return shorten_return(row->rules[TND_UNWIND_RETURN], rule) &&
           (row->frame_register == TND_UNWIND_FP || row->frame_register == TND_UNWIND_SP) && !at->is_signal_frame &&
           tnd_unwind_rule_set_distance(rule, row->frame_value);
}
