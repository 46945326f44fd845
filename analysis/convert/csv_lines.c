/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each row is walked over for each kind of line; a call has its line when it ends.
 */
#include "analysis/convert/csv_lines.h"

#include "analysis/convert/row_items.h"
#include "analysis/reports/samples.h"
#include "analysis/trace/walk.h"
#include "formats/csv.h"

#include <math.h>

typedef struct {
    const TndConversion *conversion;
    guint row; /* that is being written */
    gboolean is_weighed;
} Writing;

/* A line, before it is written.  Texts may be NULL. */
typedef struct {
    const char *kind;
    guint32 type; /* of an event; 0: there is none */
    const char *name, *label;
    guint64 begin_ns, end_ns;
    gint64 value;
    int decimals; /* that the value, a whole number, has in truth */
    const TndMessage *message;
} Line;

static void put_signed(FILE *file, gint64 value)
{
    tnd_csv_whole(file, 0, value < 0 ? -(guint64)value : (guint64)value, value < 0, 0);
}

static void put(const Writing *writing, const Line *line)
{
    const TndTrace *trace = writing->conversion->trace;
    FILE *file = writing->conversion->file;
    tnd_csv_text(file, 1, tnd_trace_thread(trace, writing->row)->name);
    tnd_csv_text(file, 0, line->kind);
    if (line->type)
        tnd_csv_whole(file, 0, line->type, 0, 0);
    else
        tnd_csv_text(file, 0, "");
    tnd_csv_text(file, 0, line->name ? line->name : "");
    tnd_csv_whole(file, 0, line->begin_ns, 0, 0);
    tnd_csv_whole(file, 0, line->end_ns, 0, 0);
    if (line->decimals)
        tnd_csv_number(file, 0, (double)line->value / pow(10, line->decimals), line->decimals);
    else
        put_signed(file, line->value);
    tnd_csv_text(file, 0, line->label ? line->label : "");
    if (line->message) {
        tnd_csv_text(file, 0, tnd_trace_thread(trace, line->message->receiver)->name);
        put_signed(file, line->message->tag);
    } else {
        tnd_csv_text(file, 0, "");
        tnd_csv_text(file, 0, "");
    }
    tnd_csv_end_line(file);
}

static void put_of_type(const Writing *writing, Line line)
{
    const struct tnd_pcf *pcf = tnd_trace_pcf(writing->conversion->trace);
    const struct tnd_pcf_type *known = tnd_pcf_type(pcf, line.type);
    line.name = known ? known->label : NULL;
    line.decimals = known ? known->precision : 0;
    line.label = tnd_pcf_value_label(pcf, line.type, line.value);
    put(writing, &line);
}

static void put_state(gpointer self, const TndState *state)
{
    const Writing *writing = self;
    const char *label = tnd_pcf_state_label(tnd_trace_pcf(writing->conversion->trace), state->state);
    put(writing, &(Line){.kind = "state",
                         .begin_ns = state->begin_ns,
                         .end_ns = state->end_ns,
                         .value = state->state,
                         .label = label});
}

static void begin_call(gpointer self, const TndNestingCall *call)
{
    (void)self;
    (void)call; /* it is written when it ends */
}

static void end_call(gpointer self, const TndNestingCall *call, guint64 time_ns)
{
    put_of_type(
        self,
        (Line){
            .kind = "call", .type = call->type, .begin_ns = call->begin_ns, .end_ns = time_ns, .value = call->value});
}

static void put_counter(gpointer self, guint32 type, guint64 time_ns, gint64 value)
{
    put_of_type(self, (Line){.kind = "counter", .type = type, .begin_ns = time_ns, .end_ns = time_ns, .value = value});
}

static void put_other(gpointer self, const TndEvent *event)
{
    if (!tnd_samples_are_of(event->type))
        put_of_type(self, (Line){.kind = "event",
                                 .type = event->type,
                                 .begin_ns = event->time_ns,
                                 .end_ns = event->time_ns,
                                 .value = event->value});
}

static void put_sample(gpointer self, const TndSample *sample)
{
    const Writing *writing = self;
    char *function = sample->n_frames ? tnd_samples_function_name(writing->conversion->trace, sample->frames[0]) : NULL;
    put(writing, &(Line){.kind = "sample",
                         .begin_ns = sample->time_ns,
                         .end_ns = sample->time_ns,
                         .value = writing->is_weighed ? (gint64)sample->weight_ns : 1,
                         .label = function});
    g_free(function);
}

static void put_row(const Writing *writing)
{
    static const TndRowItemsTake take = {put_state, begin_call, end_call, put_counter, .other = put_other};
    const TndTrace *trace = writing->conversion->trace;
    tnd_row_items_each(trace, writing->row, &take, (gpointer)writing);
    tnd_samples_each(trace, writing->row, TND_SAMPLES_CPU, put_sample, (gpointer)writing);
}

static void put_messages(Writing *writing)
{
    TndWalk walk = tnd_walk_messages(writing->conversion->trace, 0, G_MAXUINT64);
    for (const TndMessage *message; (message = tnd_walk_next_message(&walk));) {
        writing->row = message->sender;
        if (tnd_conversion_is_chosen(writing->conversion, message->sender) &&
            tnd_conversion_is_chosen(writing->conversion, message->receiver))
            put(writing, &(Line){.kind = "message",
                                 .begin_ns = message->logical_send_ns,
                                 .end_ns = message->logical_receive_ns,
                                 .value = message->size_bytes,
                                 .message = message});
    }
    tnd_walk_end(&walk);
}

void tnd_csv_lines_write(const TndConversion *conversion)
{
    const TndTrace *trace = conversion->trace;
    Writing writing = {conversion, 0, tnd_samples_are_weighed(trace, TND_SAMPLES_CPU)};
    fputs("thread,kind,type,name,begin_ns,end_ns,value,label,receiver,tag\n", conversion->file);
    for (; writing.row < tnd_trace_n_threads(trace); writing.row++)
        if (tnd_conversion_is_chosen(conversion, writing.row))
            put_row(&writing);
    put_messages(&writing);
}
