/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What session_file.c, which writes, and session_file_apply.c, which reads, have in common: the words of the file.
 */
#ifndef TND_SESSION_FILE_PARTS_H
#define TND_SESSION_FILE_PARTS_H

#include "viewer/session_file.h"
#include "viewer/session_parts.h"

#define TND_SESSION_FILE_HEAD "tview session"
#define TND_SESSION_FILE_VERSION 1

enum { TND_SESSION_FILE_PAGES = TND_PAGE_PROFILE + 1, TND_SESSION_FILE_MESSAGES = TND_MESSAGES_NONE + 1 };
extern const char *const tnd_session_file_pages[TND_SESSION_FILE_PAGES];
extern const char *const tnd_session_file_messages[TND_SESSION_FILE_MESSAGES];
extern const char *const tnd_session_file_cells[TND_CELLS_N];

char *tnd_session_file_parts_key(const char *what, TndLevel level); /* "rows-thread"; free with g_free */

/* NULL and error: there is no such file, or it is no session. */
GKeyFile *tnd_session_file_parts_read(const char *path, GError **error);

#endif
