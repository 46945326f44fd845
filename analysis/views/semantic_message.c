/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Thread functions of messages.  A message that is received before it was sent, because clocks disagree, is called
 * negative, and is never in transit.
 */
#include "analysis/views/view_plan.h"

#include <math.h>

#define IS(record, flags) (((record)->kind & (flags)) != 0)

static guint64 received_ns(const TndMessage *message)
{
    return MAX(message->logical_receive_ns, message->physical_receive_ns);
}

/* Whether the record is the later one of its message's logical and physical receive, which is the one that counts. */
static gboolean is_later_receive(const TndSemanticRecord *record)
{
    const TndMessage *message = record->message;
    return IS(record, TND_RECORD_IS_LOGICAL) ? message->logical_receive_ns > message->physical_receive_ns
                                             : message->physical_receive_ns >= message->logical_receive_ns;
}

/* Defines a test for the records that a function is called for: their kinds, and their side if it is not 0. */
#define CALLED_FOR(name, kinds, side)                                                                                  \
    static gboolean name(const TndRecords *records, gsize i)                                                           \
    {                                                                                                                  \
        return IS(&records->records[i], kinds) && IS(&records->records[i], side);                                      \
    }
#define ANY_SIDE (TND_RECORD_IS_LOGICAL | TND_RECORD_IS_PHYSICAL)
CALLED_FOR(is_own, TND_RECORD_IS_OWN, ANY_SIDE)
CALLED_FOR(is_send, TND_RECORD_IS_SEND, ANY_SIDE)
CALLED_FOR(is_receive, TND_RECORD_IS_RECEIVE, ANY_SIDE)
CALLED_FOR(is_logical_send, TND_RECORD_IS_SEND, TND_RECORD_IS_LOGICAL)
CALLED_FOR(is_logical_receive, TND_RECORD_IS_RECEIVE, TND_RECORD_IS_LOGICAL)
CALLED_FOR(is_physical_receive, TND_RECORD_IS_RECEIVE, TND_RECORD_IS_PHYSICAL)
CALLED_FOR(is_send_or_its_receive, TND_RECORD_IS_SEND | TND_RECORD_IS_FAR_RECEIVE, ANY_SIDE)
CALLED_FOR(is_receive_or_its_send, TND_RECORD_IS_RECEIVE | TND_RECORD_IS_FAR_SEND, ANY_SIDE)

/* The sender of the message that is received next, whether it passes the filters or not. */
static double sender_of_next(const TndRecords *records, gssize i)
{
    for (gsize next = (gsize)i + 1; next < records->n; next++) {
        const TndSemanticRecord *record = &records->records[next];
        const TndMessage *message = record->message;
        if (IS(record, TND_RECORD_IS_RECEIVE) &&
            (IS(record, TND_RECORD_IS_LOGICAL) ? message->logical_receive_ns >= message->physical_receive_ns
                                               : message->physical_receive_ns > message->logical_receive_ns))
            return message->sender + 1;
    }
    return 0;
}

/* The time until the message that is received next was sent, as Paraver defines it. */
static double time_to_receive(const TndRecords *records, gssize i, const TndSemanticCall *call)
{
    gsize next = (gsize)(i + 1);
    while (next < records->n && !IS(&records->records[next], TND_RECORD_IS_RECEIVE))
        next++;
    if (next >= records->n)
        return 0;
    return ((double)records->records[next].message->logical_send_ns - (double)records->records[i].time_ns) /
           call->unit_ns;
}

/* How a record changes the number of messages in transit: +1 where a message's transit begins, -1 where it ends, else
 * 0. Which records these are depends on whether the window reads logical records. */
static int flight_step(const TndRecords *records, const TndSemanticRecord *record, guint begins, guint ends,
                       gboolean wants_negative)
{
    const TndMessage *message = record->message;
    gboolean is_logical = records->plan->window.logical;
    guint64 sent_ns = is_logical ? message->logical_send_ns : message->physical_send_ns;
    guint64 until_ns = is_logical ? received_ns(message) : message->physical_receive_ns;
    guint side = is_logical ? TND_RECORD_IS_LOGICAL : TND_RECORD_IS_PHYSICAL;
    if ((until_ns <= sent_ns) != wants_negative)
        return 0;
    if (IS(record, begins) && IS(record, side))
        return 1;
    gboolean is_end = IS(record, ends) && (is_logical ? is_later_receive(record) : IS(record, side));
    return is_end ? -1 : 0;
}

static int send_step(const TndRecords *records, gssize i)
{
    return flight_step(records, &records->records[i], TND_RECORD_IS_SEND, TND_RECORD_IS_FAR_RECEIVE, FALSE);
}

static int receive_step(const TndRecords *records, gssize i, gboolean wants_negative)
{
    return flight_step(records, &records->records[i], TND_RECORD_IS_FAR_SEND, TND_RECORD_IS_RECEIVE, wants_negative);
}

/* The nearest integer that the type can hold. */
static gint64 to_whole(double number)
{
    return isnan(number) ? 0 : (gint64)CLAMP(number, -0x1p63, 0x1.fffffffffffffp62);
}

/* Paraver adds bandwidths as integers in units of 1e-12, so that subtracting one removes it exactly. */
static double bandwidth(const TndRecords *records, gssize i, const TndSemanticCall *call, double before, int step)
{
    const TndCfgWindow *window = &records->plan->window;
    const TndMessage *message = records->records[i].message;
    double from, until;
    if (window->logical && message->logical_receive_ns > message->physical_receive_ns) {
        from = (double)message->logical_send_ns;
        until = (double)message->logical_receive_ns;
    } else {
        from = (double)(window->physical ? message->physical_send_ns : message->logical_send_ns);
        until = (double)message->physical_receive_ns;
    }
    double time = fabs(until - from) / call->unit_ns;
    if (time == 0 || step == 0)
        return before;
    guint64 sum = (guint64)to_whole(round(before * 1e12)); /* unsigned: the sum may wrap around */
    guint64 change = (guint64)to_whole((double)message->size_bytes / tnd_semantic_parameter(call, 0) / time * 1e12);
    return (double)(gint64)(step > 0 ? sum + change : sum - change) * 1e-12;
}

/* Whether a record counts as a message sent: it is of a side that the window reads. */
static gboolean counts_as_sent(const TndRecords *records, gssize i)
{
    const TndSemanticRecord *record = &records->records[i];
    return IS(record, TND_RECORD_IS_PHYSICAL) ? records->plan->window.physical : records->plan->window.logical;
}

static gboolean counts_as_received(const TndRecords *records, gssize i)
{
    const TndSemanticRecord *record = &records->records[i];
    if (records->plan->window.physical && IS(record, TND_RECORD_IS_PHYSICAL))
        return TRUE;
    return records->plan->window.logical && is_later_receive(record);
}

/* Defines a function by its value from record i on; it is 0 before the first record. */
#define FROM_RECORD_ON(name, expression)                                                                               \
    static double name(const TndRecords *records, gssize i, const TndSemanticCall *call, double before)                \
    {                                                                                                                  \
        const TndSemanticRecord *record = i < 0 ? NULL : &records->records[i];                                         \
        const double size = record ? (double)record->message->size_bytes : 0;                                          \
        (void)size;                                                                                                    \
        return record ? expression : 0;                                                                                \
    }
FROM_RECORD_ON(last_tag, (double)record->message->tag)
FROM_RECORD_ON(last_size, size)
FROM_RECORD_ON(next_sender, sender_of_next(records, i))
FROM_RECORD_ON(last_receiver, record->message->receiver + 1)
FROM_RECORD_ON(send_duration, ((double)received_ns(record->message) - (double)record->time_ns) / call->unit_ns)
FROM_RECORD_ON(receive_duration, time_to_receive(records, i, call))
FROM_RECORD_ON(send_bytes_in_transit, before + send_step(records, i) * size)
FROM_RECORD_ON(send_messages_in_transit, before + send_step(records, i))
FROM_RECORD_ON(receive_bytes_in_transit, before + receive_step(records, i, FALSE) * size)
FROM_RECORD_ON(receive_messages_in_transit, before + receive_step(records, i, FALSE))
FROM_RECORD_ON(negative_messages, before - receive_step(records, i, TRUE)) /* received first, so the sign is reversed */
FROM_RECORD_ON(negative_bytes, before - receive_step(records, i, TRUE) * size)
FROM_RECORD_ON(send_bandwidth, bandwidth(records, i, call, before, send_step(records, i)))
FROM_RECORD_ON(receive_bandwidth, bandwidth(records, i, call, before, receive_step(records, i, FALSE)))
FROM_RECORD_ON(n_sent, before + counts_as_sent(records, i))
FROM_RECORD_ON(bytes_sent, before + counts_as_sent(records, i) * size)
FROM_RECORD_ON(n_received, before + counts_as_received(records, i))
FROM_RECORD_ON(bytes_received, before + counts_as_received(records, i) * size)

#define SENDING TND_SEMANTIC_NUMBERS, NULL, TND_RECORD_IS_SEND | TND_RECORD_IS_FAR_RECEIVE, is_send_or_its_receive
#define RECEIVING TND_SEMANTIC_NUMBERS, NULL, TND_RECORD_IS_RECEIVE | TND_RECORD_IS_FAR_SEND, is_receive_or_its_send
const TndSemanticThread tnd_semantic_messages[] = {
    {{"Last Tag", 0, {0}}, TND_SEMANTIC_NUMBERS, NULL, TND_RECORD_IS_OWN, is_physical_receive, last_tag},
    {{"Comm Size", 0, {0}}, TND_SEMANTIC_NUMBERS, NULL, TND_RECORD_IS_OWN, is_own, last_size},
    {{"Comm Recv. Partner", 0, {0}}, TND_SEMANTIC_NUMBERS, NULL, TND_RECORD_IS_OWN, is_receive, next_sender},
    {{"Comm Partner", 0, {0}}, TND_SEMANTIC_NUMBERS, NULL, TND_RECORD_IS_OWN, is_send, last_receiver},
    {{"Last Send Dur.", 0, {0}}, TND_SEMANTIC_TIMES, NULL, TND_RECORD_IS_OWN, is_logical_send, send_duration},
    {{"Next Recv Dur.", 0, {0}}, TND_SEMANTIC_TIMES, NULL, TND_RECORD_IS_OWN, is_logical_receive, receive_duration},
    {{"Last Send Size", 0, {0}}, TND_SEMANTIC_NUMBERS, NULL, TND_RECORD_IS_OWN, is_logical_send, last_size},
    {{"Send Bytes in Transit", 0, {0}}, SENDING, send_bytes_in_transit},
    {{"Send Messages in Transit", 0, {0}}, SENDING, send_messages_in_transit},
    {{"Send BandWidth", 1, {1}}, SENDING, send_bandwidth},
    {{"Recv Bytes in Transit", 0, {0}}, RECEIVING, receive_bytes_in_transit},
    {{"Recv Messages in Transit", 0, {0}}, RECEIVING, receive_messages_in_transit},
    {{"Recv BandWidth", 1, {1}}, RECEIVING, receive_bandwidth},
    {{"Recv Negative Messages", 0, {0}}, RECEIVING, negative_messages},
    {{"Recv Negative Bytes", 0, {0}}, RECEIVING, negative_bytes},
    {{"Number Of Sends", 0, {0}}, TND_SEMANTIC_NUMBERS, NULL, TND_RECORD_IS_OWN, is_send, n_sent},
    {{"Number Of Send Bytes", 0, {0}}, TND_SEMANTIC_NUMBERS, NULL, TND_RECORD_IS_OWN, is_send, bytes_sent},
    {{"Number Of Receives", 0, {0}}, TND_SEMANTIC_NUMBERS, NULL, TND_RECORD_IS_OWN, is_receive, n_received},
    {{"Number Of Receive Bytes", 0, {0}}, TND_SEMANTIC_NUMBERS, NULL, TND_RECORD_IS_OWN, is_receive, bytes_received},
    {{NULL, 0, {0}}, 0, NULL},
};
