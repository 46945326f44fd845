/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The words are a table.
 */
#include "viewer/paint/message_choice.h"

#include "analysis/reports/task_graph.h"
#include "analysis/trace/bounds.h"
#include "analysis/trace/row_choice.h"

#include <gio/gio.h>
#include <string.h>

struct TndMessageChoice {
    const TndTrace *trace;
    char *text;
    TndBounds size, tag, duration;
    gboolean *senders, *receivers, *partners; /* [thread]; NULL: any */
};

static gboolean complain(GError **error, const char *word, const char *takes)
{
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "got '%s', takes %s", word, takes);
    return FALSE;
}

/* A thread must be chosen by each of several words. */
static gboolean add_rows(const TndTrace *trace, gboolean **rows, const char *text, GError **error)
{
    gboolean *more = tnd_row_choice_of_trace(trace, text, error);
    if (!more)
        return FALSE;
    for (guint thread = 0; *rows && thread < tnd_trace_n_threads(trace); thread++)
        more[thread] &= (*rows)[thread];
    g_free(*rows);
    *rows = more;
    return TRUE;
}

static gboolean parse_word(TndMessageChoice *choice, const char *word, GError **error)
{
    const struct {
        const char *begin;
        TndBounds *bounds; /* NULL: it is a choice of rows */
        gboolean **rows;
        TndBoundsTake takes;
        const char *like;
    } words[] = {{"size", &choice->size, NULL, TND_BOUNDS_SIZE, "a size, as size>64k or size=8"},
                 {"tag", &choice->tag, NULL, TND_BOUNDS_PLAIN, "a number, as tag=3"},
                 {"from:", NULL, &choice->senders, 0, TND_ROW_CHOICE_TAKES},
                 {"to:", NULL, &choice->receivers, 0, TND_ROW_CHOICE_TAKES},
                 {"with:", NULL, &choice->partners, 0, TND_ROW_CHOICE_TAKES}};
    for (guint i = 0; i < G_N_ELEMENTS(words); i++) {
        const char *rest = word + strlen(words[i].begin);
        if (!g_str_has_prefix(word, words[i].begin))
            continue;
        if (*rest && words[i].rows)
            return add_rows(choice->trace, words[i].rows, rest, error);
        return (words[i].bounds && tnd_bounds_parse(words[i].bounds, rest, words[i].takes)) ||
               complain(error, word, words[i].like);
    }
    return tnd_bounds_parse(&choice->duration, word, TND_BOUNDS_TIME) ||
           complain(error, word, TND_MESSAGE_CHOICE_TAKES);
}

TndMessageChoice *tnd_message_choice_new(const TndTrace *trace, const char *text, GError **error)
{
    TndMessageChoice *choice = g_new0(TndMessageChoice, 1);
    choice->trace = trace;
    choice->text = g_strstrip(g_strdup(text));
    choice->size = choice->tag = choice->duration = TND_BOUNDS_NONE;
    char **words = g_strsplit_set(choice->text, " \t", -1);
    gboolean is_good = *choice->text || complain(error, "", TND_MESSAGE_CHOICE_TAKES);
    for (guint i = 0; is_good && words[i]; i++)
        is_good = !*words[i] || parse_word(choice, words[i], error);
    g_strfreev(words);
    if (!is_good)
        g_clear_pointer(&choice, tnd_message_choice_free);
    return choice;
}

void tnd_message_choice_free(TndMessageChoice *choice)
{
    if (!choice)
        return;
    g_free(choice->text);
    g_free(choice->senders);
    g_free(choice->receivers);
    g_free(choice->partners);
    g_free(choice);
}

const char *tnd_message_choice_text(const TndMessageChoice *choice)
{
    return choice->text;
}

gboolean tnd_message_choice_has(const TndMessageChoice *choice, const TndMessage *message)
{
    const guint sender = message->sender, receiver = message->receiver;
    const double took = (double)message->physical_receive_ns - (double)message->logical_send_ns;
    if ((choice->senders && !choice->senders[sender]) || (choice->receivers && !choice->receivers[receiver]) ||
        (choice->partners && !choice->partners[sender] && !choice->partners[receiver]) ||
        !tnd_bounds_hold(&choice->duration, MAX(took, 0)))
        return FALSE;
    if (!tnd_bounds_are_set(&choice->size) && !tnd_bounds_are_set(&choice->tag))
        return TRUE;
    return !tnd_task_graph_is_line(choice->trace, message) &&
           tnd_bounds_hold(&choice->size, (double)message->size_bytes) &&
           tnd_bounds_hold(&choice->tag, (double)message->tag);
}
