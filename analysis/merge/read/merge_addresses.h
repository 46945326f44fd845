/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The code addresses of an image and what they are called: remembered while streams are scanned, asked for when the
 * trace is written.
 */
#ifndef TND_MERGE_ADDRESSES_H
#define TND_MERGE_ADDRESSES_H

#include "analysis/merge/base/merge_model.h"

/* Of an address: it is a call's, whose callers are asked for. */
#define TND_MERGE_ADDRESS_OF_CALL ((guint64)1 << 63)

/* It is none, but the number of a function of Python's. */
#define TND_MERGE_ADDRESS_OF_PYTHON ((guint64)1 << 62)

/* The address of a sample's word as it is remembered: of a caller, within its call. */
static inline guint64 tnd_merge_addresses_of_sample(const struct tnd_record *sample, guint i)
{
    guint64 word = sample->words[i], number = word ^ TND_SAMPLE_PYTHON;
    return number <= G_MAXUINT32 ? number | TND_MERGE_ADDRESS_OF_PYTHON : word - (i > 0);
}

/* Remembers an address. */
void tnd_merge_addresses_add(TndMergeProcess *process, guint64 address);

/* Appends all that are remembered, as bytes; takes what another rank appended. */
void tnd_merge_addresses_tell(const TndMergeProcess *process, GByteArray *addresses);
void tnd_merge_addresses_learn(TndMergeProcess *process, const guint8 **at);

void tnd_merge_addresses_free(TndMergeProcess *process);

/* Finds out what they are all called. */
void tnd_merge_addresses_run(TndMerge *merge);

/* Values of what was at an address at that time; 0: it is not remembered. */
void tnd_merge_addresses_find(const TndMergeProcess *process, guint64 address, guint64 ticks, guint32 *function,
                              guint32 *line);

/* A function and its line, as values. */
typedef struct {
    guint32 function, line;
} TndMergeLevel;

/* Of a call: the function that makes it, and those into which that is inlined; returns how many, at most max. */
guint tnd_merge_addresses_levels(const TndMergeProcess *process, guint64 call, guint64 ticks, TndMergeLevel *levels,
                                 guint max);

#endif
