/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Records as columns of numbers that are likely to be small: times are differences, event types are indices into the
 * types of the block, signed values have their sign in the lowest bit.
 */
#include "analysis/trace/blocks.h"

#include "analysis/base/assertion.h"
#include "analysis/base/checksum.h"
#include "analysis/base/columns.h"

#include <string.h>

const gsize tnd_blocks_record_bytes[TND_BLOCK_N] = {sizeof(TndState), sizeof(TndEvent), sizeof(TndMessage)};

/* A column that is being written or read. */
typedef guint64 Column[TND_BLOCKS_RECORDS];

static void write_states(TndBlock *block, GByteArray *bytes, const TndState *states)
{
    Column begins, lengths, values, cpus;
    guint64 before_ns = block->first_ns = block->begin_ns = states[0].begin_ns;
    for (guint i = 0; i < block->n_records; i++) {
        const TndState *state = &states[i];
        begins[i] = tnd_columns_zigzag(state->begin_ns - before_ns);
        lengths[i] = state->end_ns - state->begin_ns;
        values[i] = state->state;
        cpus[i] = state->cpu;
        before_ns = state->end_ns;
        block->holds |= tnd_blocks_bit(state->state);
        block->end_ns = MAX(block->end_ns, state->end_ns);
    }
    block->last_ns = states[block->n_records - 1].begin_ns;
    const guint64 *columns[] = {begins, lengths, values, cpus};
    for (guint i = 0; i < G_N_ELEMENTS(columns); i++)
        tnd_columns_write(bytes, columns[i], block->n_records);
}

static gboolean read_columns(const TndBlock *block, const guint8 *from, const guint8 *end, Column *columns, guint n)
{
    for (guint i = 0; from && i < n; i++)
        from = tnd_columns_read(from, end, columns[i], block->n_records);
    return from == end;
}

static gboolean read_states(const TndBlock *block, const guint8 *from, const guint8 *end, TndState *states)
{
    Column columns[4];
    if (!read_columns(block, from, end, columns, 4))
        return FALSE;
    guint64 time_ns = block->first_ns, before_ns = time_ns;
    gboolean is_good = TRUE;
    for (guint i = 0; i < block->n_records; i++) {
        states[i].begin_ns = time_ns += tnd_columns_unzigzag(columns[0][i]);
        is_good &= time_ns >= before_ns;
        before_ns = time_ns;
        states[i].end_ns = time_ns += columns[1][i];
        is_good &= time_ns >= before_ns && time_ns <= block->end_ns;
        states[i].state = (guint32)columns[2][i];
        states[i].cpu = (guint32)columns[3][i];
    }
    return is_good && before_ns <= block->last_ns;
}

/* Numbers the event types of a block in the order in which they first occur. */
#define N_SLOTS (4 * TND_BLOCKS_RECORDS)

typedef struct {
    guint64 types[TND_BLOCKS_RECORDS];
    guint n;
    guint mask;
    guint16 slots[N_SLOTS]; /* hash table: a type's number + 1 */
} Types;

static void start_types(Types *types, guint n_records)
{
    guint n_slots = 16;
    while (n_slots < 4 * n_records)
        n_slots *= 2;
    types->n = 0;
    types->mask = n_slots - 1;
    memset(types->slots, 0, n_slots * sizeof *types->slots);
}

static inline guint number_of(Types *types, guint32 type)
{
    guint slot = (type * 2654435761u >> 16) & types->mask;
    while (types->slots[slot] && types->types[types->slots[slot] - 1] != type)
        slot = (slot + 1) & types->mask;
    if (!types->slots[slot]) {
        types->types[types->n++] = type;
        types->slots[slot] = (guint16)types->n;
    }
    return types->slots[slot] - 1u;
}

static void write_events(TndBlock *block, GByteArray *bytes, const TndEvent *events)
{
    Types types;
    Column times, numbers, values, cpus;
    start_types(&types, block->n_records);
    guint64 before_ns = block->first_ns = block->begin_ns = events[0].time_ns;
    for (guint i = 0; i < block->n_records; i++) {
        const TndEvent *event = &events[i];
        times[i] = event->time_ns - before_ns;
        numbers[i] = number_of(&types, event->type);
        values[i] = tnd_columns_zigzag((guint64)event->value);
        cpus[i] = event->cpu;
        before_ns = event->time_ns;
    }
    block->last_ns = block->end_ns = before_ns;
    for (guint i = 0; i < types.n; i++)
        block->holds |= tnd_blocks_bit((guint32)types.types[i]);
    const guint64 n_types = types.n;
    tnd_columns_write(bytes, &n_types, 1);
    tnd_columns_write(bytes, types.types, types.n);
    const guint64 *columns[] = {times, numbers, values, cpus};
    for (guint i = 0; i < G_N_ELEMENTS(columns); i++)
        tnd_columns_write(bytes, columns[i], block->n_records);
}

static gboolean read_events(const TndBlock *block, const guint8 *from, const guint8 *end, TndEvent *events)
{
    Column types, columns[4];
    guint64 n_types;
    from = tnd_columns_read(from, end, &n_types, 1);
    if (!from || n_types > TND_BLOCKS_RECORDS)
        return FALSE;
    from = tnd_columns_read(from, end, types, n_types);
    if (!from || !read_columns(block, from, end, columns, 4))
        return FALSE;
    guint64 time_ns = block->first_ns;
    for (guint i = 0; i < block->n_records; i++) {
        if (columns[1][i] >= n_types || columns[0][i] > block->last_ns - time_ns)
            return FALSE;
        events[i].time_ns = time_ns += columns[0][i];
        events[i].type = (guint32)types[columns[1][i]];
        events[i].value = (gint64)tnd_columns_unzigzag(columns[2][i]);
        events[i].cpu = (guint32)columns[3][i];
    }
    return TRUE;
}

/* The columns of messages, in their order. */
enum {
    SENDER,
    RECEIVER,
    SENDER_CPU,
    RECEIVER_CPU,
    LOGICAL_SEND,
    PHYSICAL_SEND,
    LOGICAL_RECEIVE,
    PHYSICAL_RECEIVE,
    SIZE,
    TAG,
    N_MESSAGE_COLUMNS
};

static void write_messages(TndBlock *block, GByteArray *bytes, const TndMessage *messages)
{
    Column columns[N_MESSAGE_COLUMNS];
    guint64 before_ns = block->first_ns = block->begin_ns = messages[0].logical_send_ns;
    for (guint i = 0; i < block->n_records; i++) {
        const TndMessage *message = &messages[i];
        guint64 send_ns = message->logical_send_ns;
        columns[SENDER][i] = message->sender;
        columns[RECEIVER][i] = message->receiver;
        columns[SENDER_CPU][i] = message->sender_cpu;
        columns[RECEIVER_CPU][i] = message->receiver_cpu;
        columns[LOGICAL_SEND][i] = send_ns - before_ns;
        columns[PHYSICAL_SEND][i] = tnd_columns_zigzag(message->physical_send_ns - send_ns);
        columns[LOGICAL_RECEIVE][i] = tnd_columns_zigzag(message->logical_receive_ns - send_ns);
        columns[PHYSICAL_RECEIVE][i] = tnd_columns_zigzag(message->physical_receive_ns - message->logical_receive_ns);
        columns[SIZE][i] = tnd_columns_zigzag((guint64)message->size_bytes);
        columns[TAG][i] = tnd_columns_zigzag((guint64)message->tag);
        before_ns = send_ns;
        const guint64 moments[] = {send_ns, message->physical_send_ns, message->logical_receive_ns,
                                   message->physical_receive_ns};
        for (guint moment = 0; moment < G_N_ELEMENTS(moments); moment++) {
            block->begin_ns = MIN(block->begin_ns, moments[moment]);
            block->end_ns = MAX(block->end_ns, moments[moment]);
        }
    }
    block->last_ns = before_ns;
    for (guint i = 0; i < N_MESSAGE_COLUMNS; i++)
        tnd_columns_write(bytes, columns[i], block->n_records);
}

static gboolean read_messages(const TndBlock *block, const guint8 *from, const guint8 *end, TndMessage *messages)
{
    Column columns[N_MESSAGE_COLUMNS];
    if (!read_columns(block, from, end, columns, N_MESSAGE_COLUMNS))
        return FALSE;
    guint64 send_ns = block->first_ns;
    for (guint i = 0; i < block->n_records; i++) {
        if (columns[LOGICAL_SEND][i] > block->last_ns - send_ns)
            return FALSE;
        send_ns += columns[LOGICAL_SEND][i];
        guint64 receive_ns = send_ns + tnd_columns_unzigzag(columns[LOGICAL_RECEIVE][i]);
        messages[i] =
            (TndMessage){.sender = (guint32)columns[SENDER][i],
                         .receiver = (guint32)columns[RECEIVER][i],
                         .sender_cpu = (guint32)columns[SENDER_CPU][i],
                         .receiver_cpu = (guint32)columns[RECEIVER_CPU][i],
                         .logical_send_ns = send_ns,
                         .physical_send_ns = send_ns + tnd_columns_unzigzag(columns[PHYSICAL_SEND][i]),
                         .logical_receive_ns = receive_ns,
                         .physical_receive_ns = receive_ns + tnd_columns_unzigzag(columns[PHYSICAL_RECEIVE][i]),
                         .size_bytes = (gint64)tnd_columns_unzigzag(columns[SIZE][i]),
                         .tag = (gint64)tnd_columns_unzigzag(columns[TAG][i])};
    }
    return TRUE;
}

static gboolean are_in_order(TndBlockKind kind, const guint8 *records, gsize n)
{
    const gsize size = tnd_blocks_record_bytes[kind];
    for (gsize i = 1; i < n; i++)
        if (tnd_blocks_time(records + i * size) < tnd_blocks_time(records + (i - 1) * size))
            return FALSE;
    return TRUE;
}

TndBlock tnd_blocks_write(TndBlockKind kind, GByteArray *bytes, gconstpointer records, gsize n)
{
    tnd_assert(n > 0 && n <= TND_BLOCKS_RECORDS);
    tnd_assert(are_in_order(kind, records, n));
    TndBlock block = {.offset = bytes->len, .n_records = (guint32)n};
    if (kind == TND_BLOCK_STATES)
        write_states(&block, bytes, records);
    else if (kind == TND_BLOCK_EVENTS)
        write_events(&block, bytes, records);
    else
        write_messages(&block, bytes, records);
    block.n_bytes = (guint32)(bytes->len - block.offset);
    block.sum = tnd_checksum_of(bytes->data + block.offset, block.n_bytes);
    return block;
}

gboolean tnd_blocks_read(TndBlockKind kind, const TndBlock *block, const guint8 *bytes, gpointer records)
{
    const guint8 *end = bytes + block->n_bytes;
    if (block->n_records > TND_BLOCKS_RECORDS || block->first_ns > block->last_ns)
        return FALSE;
    if (kind == TND_BLOCK_STATES)
        return read_states(block, bytes, end, records);
    if (kind == TND_BLOCK_EVENTS)
        return read_events(block, bytes, end, records);
    return read_messages(block, bytes, end, records);
}
