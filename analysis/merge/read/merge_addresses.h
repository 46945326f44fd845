/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The code addresses of an image and what they are called: remembered while streams are scanned, asked for when the
 * trace is written.
 */
#ifndef TND_MERGE_ADDRESSES_H
#define TND_MERGE_ADDRESSES_H

#include "analysis/merge/base/merge_model.h"

/* A bit of an address in a stack: the functions that are inlined there are frames of their own. */
#define TND_MERGE_ADDRESS_IN_STACK ((guint64)1 << 63)

/* A bit of what is no address but the number of a function of Python. */
#define TND_MERGE_ADDRESS_OF_PYTHON ((guint64)1 << 62)

/* Frame i of a stack, innermost first, as an address that is remembered.  That of a caller is moved into its call. */
static inline guint64 tnd_merge_addresses_of_frame(guint64 frame, guint i)
{
    guint64 number = frame ^ TND_SAMPLE_PYTHON;
    return number <= G_MAXUINT32 ? number | TND_MERGE_ADDRESS_OF_PYTHON
                                 : (frame - (i > 0)) | TND_MERGE_ADDRESS_IN_STACK;
}

/* Remembers an address. */
void tnd_merge_addresses_add(TndMergeProcess *process, guint64 address);

/* Appends all addresses that are remembered as bytes; remembers those that another rank appended. */
void tnd_merge_addresses_tell(const TndMergeProcess *process, GByteArray *addresses);
void tnd_merge_addresses_learn(TndMergeProcess *process, const guint8 **at);

void tnd_merge_addresses_free(TndMergeProcess *process);

/* Finds out what all addresses are called, after the names pass. */
void tnd_merge_addresses_run(TndMerge *merge);

/* The values of the function and the line that were at an address at that time; 0: it was not remembered. */
void tnd_merge_addresses_find(const TndMergeProcess *process, guint64 address, guint64 ticks, guint32 *function,
                              guint32 *line);

/* The values of a function and of a line in it. */
typedef struct {
    guint32 function, line;
} TndMergeLevel;

/* The function at an address of a stack, and those that it is inlined into; returns how many there are, at most max. */
guint tnd_merge_addresses_levels(const TndMergeProcess *process, guint64 address, guint64 ticks, TndMergeLevel *levels,
                                 guint max);

#endif
