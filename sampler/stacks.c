/* SPDX-License-Identifier: Apache-2.0
 *
 * Packed samples of a thread.  What was written is remembered in pages of the writer's own, because thread-local
 * storage of that size would keep the library from being loaded late.
 *
 * Context: stacks.h.
 */
#include "sampler/stacks.h"

#include "runtime/emit.h"
#include "runtime/target.h"

struct stacks {
    struct tnd_pack pack;
    bool is_busy; /* a record was begun; if another begins, a jump has left it, and nothing is known of numbers */
    uint16_t aux; /* enum tnd_packed_flag of the next record */
    uint64_t frames[TND_PACK_MOST_FRAMES];
    struct tnd_unwind_trail trail;
};

bool tnd_stacks_open(struct tnd_writer *writer)
{
    if (!writer->pack)
        writer->pack = tnd_target_slot_pages(TND_TARGET_SLOT_PACK, writer->header->slot, sizeof(struct stacks));
    struct stacks *stacks = writer->pack;
    if (stacks)
        stacks->aux |= TND_PACKED_FIRST;
    return stacks != NULL;
}

struct tnd_unwind_trail *tnd_stacks_trail(const struct tnd_writer *writer)
{
    return &((struct stacks *)writer->pack)->trail;
}

/* Whether there is an open record with room for any entry.  One that was opened while a turn was kept takes no later
 * ones: the turn's records come before them. */
static bool has_room(const struct tnd_writer *writer)
{
    return writer->open && !writer->turn.begin &&
           writer->next - writer->open_end >= (ptrdiff_t)TND_PACK_ENTRY_BYTES(TND_PACK_MOST_FRAMES);
}

static bool open_record(struct tnd_writer *writer, struct stacks *stacks, uint64_t time)
{
    if (writer->open)
        tnd_emit_close_record(writer);
    writer->owner = 0;
    if (!tnd_emit_open_record(writer, time, TND_RECORD_PACKED, stacks->aux))
        return false;
    stacks->aux = 0;
    stacks->pack.time = time;
    return true;
}

uint64_t *tnd_stacks_begin(struct tnd_writer *writer, uint64_t time)
{
    struct stacks *stacks = writer->pack;
    if (!writer->header || !stacks || (writer->owner && !tnd_emit_retake(writer)))
        return NULL;
    tnd_emit_own(writer);
    if (stacks->is_busy) {
        tnd_pack_reset(&stacks->pack);
        stacks->aux |= TND_PACKED_RESET;
    }
    if ((stacks->is_busy || !has_room(writer)) && !open_record(writer, stacks, time))
        return NULL;
    stacks->is_busy = true;
    return stacks->frames;
}

void tnd_stacks_end(struct tnd_writer *writer, const struct tnd_pack_entry *entry, unsigned n)
{
    struct stacks *stacks = writer->pack;
    writer->open_end += tnd_pack_put(&stacks->pack, writer->open_end, entry, stacks->frames, n);
    stacks->is_busy = false;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    writer->owner = 0;
}
