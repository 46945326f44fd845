/* SPDX-License-Identifier: Apache-2.0
 *
 * The stack of a stream's last sample, from the outside inwards, in the page of the ring's header: thread-local
 * storage of that size would keep the library from being loaded late.
 *
 * Context: stacks.h.
 */
#include "sampler/stacks.h"

#include "formats/stream.h"

#define MOST_FRAMES 128 /* run/setting.h: the greatest depth */

struct stack {
    uint64_t n;
    uint64_t frames[MOST_FRAMES];
};

_Static_assert(sizeof(struct stack) <= TND_STREAM_NOTES_BYTES, "fits beside the header");
_Static_assert(sizeof(struct tnd_stream_header) + TND_STREAM_NOTES_BYTES <= TND_STREAM_HEADER_BYTES, "so do the notes");

static struct stack *last_of(const struct tnd_writer *writer)
{
    return (struct stack *)((uint8_t *)writer->header + TND_STREAM_HEADER_BYTES - TND_STREAM_NOTES_BYTES);
}

unsigned tnd_stacks_common(const struct tnd_writer *writer, const uint64_t *frames, unsigned n)
{
    const struct stack *last = last_of(writer);
    unsigned common = 0, most = n < last->n ? n : (unsigned)last->n;
    while (common < most && last->frames[common] == frames[n - 1 - common])
        common++;
    return common;
}

unsigned tnd_stacks_take(struct tnd_writer *writer, const uint64_t *frames, unsigned n)
{
    struct stack *last = last_of(writer);
    unsigned common = tnd_stacks_common(writer, frames, n);
    last->n = n < MOST_FRAMES ? n : MOST_FRAMES;
    for (unsigned i = common; i < last->n; i++)
        last->frames[i] = frames[n - 1 - i];
    return common;
}

unsigned tnd_stacks_last(const struct tnd_writer *writer)
{
    return writer->header ? (unsigned)last_of(writer)->n : 0;
}

void tnd_stacks_forget(struct tnd_writer *writer)
{
    if (writer->header)
        last_of(writer)->n = 0;
}
