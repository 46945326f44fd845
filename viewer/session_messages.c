/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which messages are shown, and the one under the pointer.
 */
#include "viewer/session_parts.h"

#include <gio/gio.h>
#include <string.h>

TndMessagesShown tnd_session_messages(const TndSession *session)
{
    return session->messages;
}

void tnd_session_set_messages(TndSession *session, TndMessagesShown messages)
{
    if (session->messages == messages)
        return;
    session->messages = messages;
    tnd_session_notify(session, TND_CHANGED_OPTIONS);
}

gboolean tnd_session_sees_messages(const TndSession *session)
{
    return session->messages == TND_MESSAGES_ALL ||
           (session->messages == TND_MESSAGES_FITTING && session->messages_fit);
}

void tnd_session_note_messages_fit(TndSession *session, gboolean fit)
{
    if (session->messages_fit == fit)
        return;
    session->messages_fit = fit;
    tnd_session_notify(session, TND_CHANGED_MESSAGES_FIT);
}

void tnd_session_toggle_messages(TndSession *session)
{
    TndMessagesShown seen = session->messages_fit ? TND_MESSAGES_FITTING : TND_MESSAGES_ALL;
    tnd_session_set_messages(session, tnd_session_sees_messages(session) ? TND_MESSAGES_NONE : seen);
}

const TndMessageChoice *tnd_session_message_choice(const TndSession *session)
{
    return session->message_choice;
}

gboolean tnd_session_choose_messages(TndSession *session, const char *text, GError **error)
{
    if (!session->trace) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "no trace is open");
        return FALSE;
    }
    TndMessageChoice *before = session->message_choice, *choice = NULL;
    const gboolean are_all = !text[strspn(text, " \t")];
    if (!are_all && !(choice = tnd_message_choice_new(session->trace, text, error)))
        return FALSE;
    session->message_choice = choice;
    if (session->messages == TND_MESSAGES_NONE)
        session->messages = TND_MESSAGES_FITTING;
    tnd_session_notify(session, TND_CHANGED_OPTIONS);
    tnd_message_choice_free(before);
    return TRUE;
}

const TndMessage *tnd_session_hover_message(const TndSession *session)
{
    return session->has_hover_message ? &session->hover_message : NULL;
}

void tnd_session_set_hover_message(TndSession *session, const TndMessage *message)
{
    const TndMessage *before = tnd_session_hover_message(session);
    if (before == message || (before && message && !memcmp(before, message, sizeof *message)))
        return;
    session->has_hover_message = message != NULL;
    if (message)
        session->hover_message = *message;
    tnd_session_notify(session, TND_CHANGED_HOVER);
}

void tnd_session_go_along_message(TndSession *session, const TndMessage *message, gboolean to_sender)
{
    const TndLevel level = tnd_session_level(session);
    const guint thread = to_sender ? message->sender : message->receiver;
    TndSpot spot = {TRUE, tnd_levels_row_above(session->trace, TND_LEVEL_THREAD, thread, level),
                    to_sender ? message->logical_send_ns : message->logical_receive_ns, tnd_session_lane(session)};
    tnd_session_go(session, spot);
}
