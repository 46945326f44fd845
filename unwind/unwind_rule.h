/* SPDX-License-Identifier: Apache-2.0
 *
 * A row of the unwind tables in one word, which unwind_cache.h keeps for a place.  It can hold the usual rows: the
 * caller's frame is at a distance from the stack or the frame pointer, and registers are saved a few words below it.
 *
 * Cost: a shift and a mask to read.
 * Context: handler.
 */
#ifndef TND_UNWIND_RULE_H
#define TND_UNWIND_RULE_H

#include "unwind/unwind_rows.h"

#if defined(__x86_64__)
/*
 *   bits 0 to 23   where the registers of tnd_unwind_rule_saved are: 4 bits each, words below the frame; 0: not saved
 *   bit 24         the frame's address counts from RBP, else from RSP
 *   bit 25         nobody called it: the stack ends
 *   bits 32 to 63  the distance
 */
#define TND_UNWIND_RULE_BY_FP ((uint64_t)1 << 24)
#define TND_UNWIND_RULE_END ((uint64_t)1 << 25)
#define TND_UNWIND_RULE_PLACE_BITS 4
#define TND_UNWIND_RULE_SAVED 6
#define TND_UNWIND_RULE_SAVED_FP 1
#define TND_UNWIND_RULE_REACH 16 /* words below the frame, at most */
static const uint8_t tnd_unwind_rule_saved[TND_UNWIND_RULE_SAVED] = {3, TND_UNWIND_FP, 12, 13, 14, 15}; /* RBX, R12.. */

static inline int64_t tnd_unwind_rule_distance(uint64_t rule)
{
    return (int64_t)rule >> 32;
}

static inline bool tnd_unwind_rule_set_distance(uint64_t *rule, int32_t distance)
{
    *rule |= (uint64_t)(uint32_t)distance << 32;
    return true;
}

#elif defined(__aarch64__)
/*
 *   bits 0 to 39   where FP and the return address are: 20 bits each, words below the frame; 0: not saved
 *   bits 40 to 59  the distance, in words
 *   bit 60         the frame's address counts from FP, else from SP
 *   bit 61         nobody called it: the stack ends
 */
#define TND_UNWIND_RULE_BY_FP ((uint64_t)1 << 60)
#define TND_UNWIND_RULE_END ((uint64_t)1 << 61)
#define TND_UNWIND_RULE_PLACE_BITS 20
#define TND_UNWIND_RULE_SAVED 2
#define TND_UNWIND_RULE_SAVED_FP 0
static const uint8_t tnd_unwind_rule_saved[TND_UNWIND_RULE_SAVED] = {TND_UNWIND_FP, TND_UNWIND_RETURN};

static inline int64_t tnd_unwind_rule_distance(uint64_t rule)
{
    return (int64_t)(rule >> 40 & 0xfffff) * 8;
}

static inline bool tnd_unwind_rule_set_distance(uint64_t *rule, int32_t distance)
{
    *rule |= (uint64_t)(distance / 8) << 40;
    return distance >= 0 && distance % 8 == 0 && distance / 8 <= 0xfffff;
}
#endif

#define TND_UNWIND_RULE_PLACE_MASK (((uint64_t)1 << TND_UNWIND_RULE_PLACE_BITS) - 1)

static inline uint64_t tnd_unwind_rule_frame(uint64_t rule, uint64_t sp, uint64_t fp)
{
    return (rule & TND_UNWIND_RULE_BY_FP ? fp : sp) + (uint64_t)tnd_unwind_rule_distance(rule);
}

/* How many words below the frame register n of tnd_unwind_rule_saved is; 0: it is not saved. */
static inline uint64_t tnd_unwind_rule_place(uint64_t rule, int n)
{
    return rule >> TND_UNWIND_RULE_PLACE_BITS * n & TND_UNWIND_RULE_PLACE_MASK;
}

/* The same of the return address. */
static inline uint64_t tnd_unwind_rule_return_place(uint64_t rule)
{
    return TND_UNWIND_RETURN_PLACE ? TND_UNWIND_RETURN_PLACE : tnd_unwind_rule_place(rule, TND_UNWIND_RULE_SAVED - 1);
}

/* The words below the frame that the rule may ask for. */
static inline uint64_t tnd_unwind_rule_reach(uint64_t rule)
{
#if defined(TND_UNWIND_RULE_REACH)
    return TND_UNWIND_RULE_REACH;
#else
    uint64_t first = tnd_unwind_rule_place(rule, 0), last = tnd_unwind_rule_place(rule, TND_UNWIND_RULE_SAVED - 1);
    return first > last ? first : last;
#endif
}

/* Whether all words that a rule may ask for lie on the known part of the stack, and it grows the right way. */
static inline bool tnd_unwind_rule_is_known(uint64_t rule, uint64_t frame, uint64_t sp, uint64_t low, uint64_t high)
{
    return frame > sp && frame <= high && frame - 8 * tnd_unwind_rule_reach(rule) >= low && frame % 8 == 0;
}

/* Makes a rule of the row; false if the row does not fit into one. */
bool tnd_unwind_rule_make(const struct tnd_unwind_place *at, uint64_t *rule);

#endif
