/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The profile of a session: what it is of, which part of it is shown, and its picture as a file.
 */
#include "viewer/session_parts.h"

#include "viewer/paint/export.h"

#include <gio/gio.h>
#include <string.h>

TndSamplesOf tnd_session_profile_of(const TndSession *session)
{
    return session->profile.what;
}

void tnd_session_set_profile_of(TndSession *session, TndSamplesOf what)
{
    if (session->profile.what == what)
        return;
    session->profile.what = what;
    tnd_profile_page_drop(&session->profile);
    tnd_session_notify(session, TND_CHANGED_PROFILE);
}

gboolean tnd_session_has_samples(const TndSession *session)
{
    return session->trace && tnd_samples_exist(session->trace);
}

const TndProfile *tnd_session_profile(const TndSession *session)
{
    return session->profile.made;
}

TndProfileSource *tnd_session_profile_source(const TndSession *session)
{
    TndLevel level = tnd_session_level(session);
    const TndRowOrder *order = tnd_scene_order(tnd_session_parts_scene(session), tnd_session_lane(session), level);
    return tnd_profile_page_source(&session->profile, session->trace, tnd_session_zoom(session), level, order);
}

void tnd_session_set_profile(TndSession *session, TndProfile *profile)
{
    tnd_profile_page_take(&session->profile, profile);
    tnd_session_notify(session, TND_CHANGED_PROFILE);
}

guint tnd_session_profile_top(const TndSession *session)
{
    return session->profile.top;
}

void tnd_session_set_profile_top(TndSession *session, guint node)
{
    if (!session->profile.made || node == session->profile.top)
        return;
    session->profile.top = node;
    tnd_session_notify(session, TND_CHANGED_PROFILE);
}

gint64 tnd_session_marked_function(const TndSession *session)
{
    return session->profile.marked;
}

void tnd_session_mark_function(TndSession *session, gint64 function)
{
    if (function == session->profile.marked)
        return;
    session->profile.marked = function;
    tnd_session_notify(session, TND_CHANGED_PROFILE);
}

gboolean tnd_session_flame(const TndSession *session, TndFlameSubject *subject)
{
    const TndProfilePage *page = &session->profile;
    if (!page->made)
        return FALSE;
    *subject = (TndFlameSubject){
        .tree = page->made->tree, .top = page->top, .theme = session->look.theme, .marked = page->marked};
    return TRUE;
}

gboolean tnd_session_export_profile(TndSession *session, const char *path, int width, GError **error)
{
    TndFlameSubject subject;
    if (!tnd_session_has_samples(session)) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_FAILED, "%s: the trace has no samples (tandem record)", path);
        return FALSE;
    }
    if (!session->profile.made) {
        TndProfileSource *source = tnd_session_profile_source(session);
        tnd_profile_page_take(&session->profile, tnd_profile_page_make(source, NULL, NULL, NULL));
        tnd_profile_page_free_source(source);
    }
    tnd_session_flame(session, &subject);
    char *title = g_strdup_printf("%s: %s of %s", tnd_trace_name(session->trace), tnd_call_tree_unit(subject.tree),
                                  session->profile.made->text);
    char *all = tnd_flame_words(subject.tree, 0);
    char *text = g_strdup_printf("A function is a box below its caller, as wide as the %s in it and in what it called. "
                                 "Whole width: %.*s",
                                 tnd_call_tree_unit(subject.tree), (int)strcspn(all + strlen("all: "), ","),
                                 all + strlen("all: "));
    subject.title = title;
    subject.text = text;
    gboolean is_good = tnd_export_flame(&subject, path, width ? width : 1200, error);
    g_free(text);
    g_free(all);
    g_free(title);
    return is_good;
}
