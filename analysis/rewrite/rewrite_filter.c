/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the lists say about an event type is looked up once, and cached.
 */
#include "analysis/rewrite/rewrite_filter.h"

#include "analysis/base/label_pattern.h"
#include "analysis/rewrite/rewrite_values.h"
#include "formats/event_types.h"

#include <errno.h>
#include <gio/gio.h>
#include <string.h>

#define N_TYPES 4096 /* size of the cache of types, by number % N_TYPES */

enum { IS_OPEN = 1 }; /* flag of a value: a value that was kept holds */

/* An item of a list: event types, and values of them. */
typedef struct {
    guint32 low, high; /* a range of types, if there is no pattern */
    char *pattern;     /* for labels; NULL: none */
    char **values;     /* NULL: all */
} Choice;

/* What to do with a type: keep it, drop it, or keep it by value. */
typedef struct {
    guint32 type;
    enum { UNKNOWN, KEEP, DROP, BY_VALUE } rule;
} Type;

typedef struct {
    const TndRewriteFilterOptions *options;
    TndRewrite *rewrite;
    GArray *events, *drop_events; /* Choice; NULL: not given */
    GArray *tags;                 /* TndRewriteRange; NULL: all */
    gboolean *states;             /* whether each of N_STATES states is kept; larger ones are treated as the last one */
    Type types[N_TYPES];
    TndRewriteValues *values; /* of types that are kept by value */
    gboolean *open_states;    /* of each row: its last state has no end */
    GArray *pairs;
} Filter;

#define N_STATES 4096

static void clear_choice(gpointer data)
{
    Choice *choice = data;
    g_free(choice->pattern);
    g_strfreev(choice->values);
}

/* Parses a number that fits; *end: what follows. */
static gboolean parse_number(const char *text, gint64 *number, char **end)
{
    errno = 0;
    *number = g_ascii_strtoll(text, end, 10);
    return *end > text && errno != ERANGE;
}

/* Parses "3" or "3-7"; numbers may be negative. */
static gboolean parse_range(const char *text, TndRewriteRange *range)
{
    char *end;
    if (!parse_number(text, &range->low, &end))
        return FALSE;
    range->high = range->low;
    if (*end == '-' && !parse_number(end + 1, &range->high, &end))
        return FALSE;
    return *end == '\0' && range->low <= range->high;
}

/* The label of a type in the .pcf, else in our own table; NULL: it has none.  Free with g_free. */
static char *label_of(const Filter *filter, guint32 type)
{
    const struct tnd_pcf_type *known = tnd_pcf_type(tnd_rewrite_pcf(filter->rewrite), type);
    char own[256];
    if (known && known->label)
        return g_strdup(known->label);
    return tnd_event_types_label(type, own, sizeof own) ? g_strdup(own) : NULL;
}

static gboolean is_type(const Filter *filter, const Choice *choice, guint32 type)
{
    if (!choice->pattern)
        return type >= choice->low && type <= choice->high;
    char *label = label_of(filter, type);
    gboolean is = label && tnd_label_pattern_matches(choice->pattern, label);
    g_free(label);
    return is;
}

/* Whether the trace has a label that matches, so that a mistyped label is an error and not a filter that keeps nothing.
 */
static gboolean is_a_label(const Filter *filter, const Choice *choice)
{
    const struct tnd_pcf *pcf = tnd_rewrite_pcf(filter->rewrite);
    for (size_t i = 0; i < pcf->n_types; i++)
        if (is_type(filter, choice, pcf->types[i].type))
            return TRUE;
    for (size_t i = 0; i < tnd_event_types_n; i++)
        if (is_type(filter, choice, tnd_event_types[i].type))
            return TRUE;
    return FALSE;
}

static gboolean parse_choice(const Filter *filter, const char *text, Choice *choice)
{
    TndRewriteRange range;
    *choice = (Choice){0};
    for (const char *colon = text + strlen(text);; colon--) { /* labels may contain colons */
        if (*colon && *colon != ':') {
            if (colon == text)
                return FALSE;
            continue;
        }
        char *name = g_strndup(text, (gsize)(colon - text));
        clear_choice(choice);
        *choice = (Choice){.values = *colon ? g_strsplit(colon + 1, "|", -1) : NULL};
        gboolean is_range = parse_range(name, &range) && range.low >= 0 && range.high <= G_MAXUINT32;
        if (is_range) {
            choice->low = (guint32)range.low;
            choice->high = (guint32)range.high;
        } else {
            choice->pattern = g_steal_pointer(&name);
        }
        g_free(name);
        if (is_range || is_a_label(filter, choice))
            return TRUE;
        if (colon == text)
            return FALSE;
    }
}

static gboolean is_one_label(const Filter *filter, const char *text)
{
    Choice choice = {.pattern = g_strdup(text)};
    gboolean is = is_a_label(filter, &choice);
    clear_choice(&choice);
    return is;
}

/* Parses lists, each of which may have several parts, separated by commas.  A text that is a label as a whole is not
 * split. */
static gboolean parse_choices(const Filter *filter, const char *option, const char *const *texts, GArray **choices,
                              GError **error)
{
    if (!texts)
        return TRUE;
    *choices = g_array_new(FALSE, FALSE, sizeof(Choice));
    g_array_set_clear_func(*choices, clear_choice);
    for (; *texts; texts++) {
        char **parts = g_strsplit(*texts, is_one_label(filter, *texts) ? "\n" : ",", -1);
        for (char **part = parts; *part && !*error; part++) {
            Choice choice;
            gboolean good = parse_choice(filter, g_strstrip(*part), &choice);
            g_array_append_val(*choices, choice);
            if (!good)
                g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                            "%s: got \"%s\", takes numbers, ranges and labels of event types: \"%s\" is none of these",
                            option, *texts, *part);
        }
        g_strfreev(parts);
        if (*error)
            return FALSE;
    }
    return TRUE;
}

static gboolean has_value(const Filter *filter, const Choice *choice, guint32 type, gint64 value)
{
    const char *label = tnd_pcf_value_label(tnd_rewrite_pcf(filter->rewrite), type, value);
    for (char **text = choice->values; *text; text++) {
        TndRewriteRange range;
        if (parse_range(*text, &range) ? value >= range.low && value <= range.high
                                       : label && tnd_label_pattern_matches(*text, label))
            return TRUE;
    }
    return FALSE;
}

/* Whether a list has the type with all of its values, with some, or not at all. */
static Type lookup(const Filter *filter, const GArray *choices, guint32 type)
{
    Type found = {type, DROP};
    for (guint i = 0; i < choices->len && found.rule != KEEP; i++) {
        const Choice *choice = &g_array_index(choices, Choice, i);
        if (is_type(filter, choice, type))
            found.rule = choice->values ? BY_VALUE : KEEP;
    }
    return found;
}

static gboolean list_has(const Filter *filter, const GArray *choices, guint32 type, gint64 value)
{
    for (guint i = 0; i < choices->len; i++) {
        const Choice *choice = &g_array_index(choices, Choice, i);
        if (is_type(filter, choice, type) && (!choice->values || has_value(filter, choice, type, value)))
            return TRUE;
    }
    return FALSE;
}

static int rule_of(Filter *filter, guint32 number)
{
    Type *type = &filter->types[number % N_TYPES];
    if (G_LIKELY(type->rule && type->type == number))
        return type->rule;
    Type kept = filter->events ? lookup(filter, filter->events, number) : (Type){number, KEEP};
    Type dropped = filter->drop_events ? lookup(filter, filter->drop_events, number) : (Type){number, DROP};
    *type = kept;
    if (dropped.rule == KEEP)
        type->rule = DROP;
    else if (dropped.rule == BY_VALUE && kept.rule == KEEP)
        type->rule = BY_VALUE;
    return type->rule;
}

/* Filters a pair of a type that is kept by value: keeps it, or makes its value 0.  FALSE: drops it. */
static gboolean filter_value(Filter *filter, guint row, struct tnd_prv_pair *pair)
{
    TndRewriteValue *value = tnd_rewrite_values_of(filter->values, row, pair->type);
    gboolean was_open = value->flags & IS_OPEN;
    gboolean is_kept = pair->value && (!filter->events || list_has(filter, filter->events, pair->type, pair->value)) &&
                       !(filter->drop_events && list_has(filter, filter->drop_events, pair->type, pair->value));
    value->flags = is_kept ? IS_OPEN : 0;
    if (!is_kept)
        pair->value = 0;
    return is_kept || was_open;
}

static void on_event(gpointer self, guint row, struct tnd_prv_event *event)
{
    Filter *filter = self;
    if (filter->options->no_events)
        return;
    g_array_set_size(filter->pairs, 0);
    for (size_t i = 0; i < event->n_pairs; i++) {
        struct tnd_prv_pair pair = event->pairs[i];
        int rule = rule_of(filter, pair.type);
        if (rule == KEEP || (rule == BY_VALUE && filter_value(filter, row, &pair)))
            g_array_append_val(filter->pairs, pair);
    }
    event->pairs = (const struct tnd_prv_pair *)(void *)filter->pairs->data;
    event->n_pairs = filter->pairs->len;
    if (event->n_pairs)
        tnd_rewrite_event(filter->rewrite, row, event);
}

static inline gboolean is_in(const TndRewriteRange *range, gint64 number)
{
    return number >= range->low && number <= range->high;
}

/* A state without end is kept, because its length is not known yet; if the next state is dropped, that one's begin ends
 * it. */
static void on_state(gpointer self, guint row, struct tnd_prv_state *state)
{
    Filter *filter = self;
    gboolean is_open = state->end == UINT64_MAX;
    gint64 length = (gint64)MIN(state->end - state->begin, (guint64)G_MAXINT64);
    gboolean is_kept =
        filter->states[MIN(state->state, N_STATES - 1)] && (is_open || is_in(&filter->options->state_ns, length));
    if (!is_kept && filter->open_states[row] && !filter->options->no_states) {
        state->end = state->begin;
        state->state = TND_STATE_IDLE;
        tnd_rewrite_state(filter->rewrite, row, state);
    }
    filter->open_states[row] = is_kept && is_open;
    if (is_kept)
        tnd_rewrite_state(filter->rewrite, row, state);
}

static gint64 duration_of(const struct tnd_prv_message *message)
{
    guint64 sent = message->physical_send, received = message->physical_receive;
    return received >= sent ? (gint64)MIN(received - sent, (guint64)G_MAXINT64)
                            : -(gint64)MIN(sent - received, (guint64)G_MAXINT64);
}

static void on_message(gpointer self, guint sender, guint receiver, struct tnd_prv_message *message)
{
    const Filter *filter = self;
    const TndRewriteFilterOptions *options = filter->options;
    gboolean is_kept = !options->no_messages && is_in(&options->message_bytes, message->size_bytes) &&
                       is_in(&options->message_ns, duration_of(message));
    if (is_kept && filter->tags) {
        is_kept = FALSE;
        for (guint i = 0; i < filter->tags->len && !is_kept; i++)
            is_kept = is_in(&g_array_index(filter->tags, TndRewriteRange, i), message->tag);
    }
    if (is_kept)
        tnd_rewrite_message(filter->rewrite, sender, receiver, message);
}

/* Sets the states in a list; FALSE and error: the text is not a list of states. */
static gboolean set_states(Filter *filter, const char *option, const char *const *texts, gboolean value, GError **error)
{
    const struct tnd_pcf *pcf = tnd_rewrite_pcf(filter->rewrite);
    char *text = g_strjoinv(",", (char **)texts), **parts = g_strsplit(text, ",", -1);
    gboolean good = TRUE;
    for (char **part = parts; *part && good; part++) {
        TndRewriteRange range;
        const char *name = g_strstrip(*part);
        good = parse_range(name, &range) && range.low >= 0;
        for (gint64 i = range.low; good && i <= MIN(range.high, N_STATES - 1); i++)
            filter->states[i] = value;
        for (size_t i = 0; i < pcf->n_states; i++)
            if (tnd_label_pattern_matches(name, pcf->states[i].label) && pcf->states[i].value >= 0 &&
                pcf->states[i].value < N_STATES) {
                filter->states[pcf->states[i].value] = value;
                good = TRUE;
            }
        if (!good)
            g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                        "%s: got \"%s\", takes numbers and names of states: \"%s\" is none of these", option, text,
                        name);
    }
    g_strfreev(parts);
    g_free(text);
    return good;
}

static gboolean choose_states(Filter *filter, GError **error)
{
    const TndRewriteFilterOptions *options = filter->options;
    filter->states = g_new0(gboolean, N_STATES);
    for (guint i = 0; i < N_STATES; i++)
        filter->states[i] = !options->states && !options->no_states;
    if (options->states && !options->no_states && !set_states(filter, "--states", options->states, TRUE, error))
        return FALSE;
    return !options->drop_states || set_states(filter, "--drop-states", options->drop_states, FALSE, error);
}

static gboolean choose_tags(Filter *filter, GError **error)
{
    if (!filter->options->tags)
        return TRUE;
    filter->tags = g_array_new(FALSE, FALSE, sizeof(TndRewriteRange));
    char **parts = g_strsplit(filter->options->tags, ",", -1);
    gboolean good = TRUE;
    for (char **part = parts; *part && good; part++) {
        TndRewriteRange range = {0, 0};
        good = parse_range(g_strstrip(*part), &range);
        g_array_append_val(filter->tags, range);
        if (!good)
            g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                        "--message-tags: got \"%s\", takes numbers and ranges, as 7,100-199", filter->options->tags);
    }
    g_strfreev(parts);
    return good;
}

static gboolean begin(gpointer self, TndRewrite *rewrite, GError **error)
{
    Filter *filter = self;
    const TndRewriteFilterOptions *options = filter->options;
    GError *reason = NULL;
    filter->rewrite = rewrite;
    filter->values = tnd_rewrite_values_new(tnd_rewrite_n_rows(rewrite));
    filter->open_states = g_new0(gboolean, tnd_rewrite_n_rows(rewrite) + 1);
    filter->pairs = g_array_new(FALSE, FALSE, sizeof(struct tnd_prv_pair));
    gboolean good = parse_choices(filter, "--events", options->events, &filter->events, &reason) &&
                    parse_choices(filter, "--drop-events", options->drop_events, &filter->drop_events, &reason) &&
                    choose_states(filter, &reason) && choose_tags(filter, &reason);
    if (!good)
        g_propagate_error(error, reason);
    return good;
}

static void free_array(GArray *array)
{
    if (array)
        g_array_unref(array);
}

gboolean tnd_rewrite_filter_run(const TndRewriteOptions *options, const TndRewriteFilterOptions *filter_options,
                                TndRewriteResult *result, GError **error)
{
    static const TndRewriteTool tool = {
        .name = "filter", .begin = begin, .state = on_state, .event = on_event, .message = on_message};
    Filter filter = {.options = filter_options};
    gboolean done = tnd_rewrite_run(options, &tool, &filter, result, error);
    free_array(filter.events);
    free_array(filter.drop_events);
    free_array(filter.tags);
    free_array(filter.pairs);
    g_free(filter.states);
    g_free(filter.open_states);
    tnd_rewrite_values_free(filter.values);
    return done;
}
