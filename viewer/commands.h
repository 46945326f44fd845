/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All that a user can do by key, button or menu.  It is one table, which the keys, the menus and the list of keys are
 * made from.
 */
#ifndef TND_COMMANDS_H
#define TND_COMMANDS_H

#include "viewer/session.h"

typedef struct {
    const char *id;
    const char *group; /* heading in the list of keys */
    const char *title;
    const char *keys;                 /* accelerators as GTK writes them, separated by blanks */
    void (*run)(TndSession *session); /* NULL: it asks something of the window: */
    TndWish wish;
} TndCommand;

extern const TndCommand tnd_commands[];
extern const guint tnd_commands_n;

void tnd_commands_do(const TndCommand *command, TndSession *session);
gboolean tnd_commands_run(TndSession *session, const char *id); /* FALSE: there is no such command */

#endif
