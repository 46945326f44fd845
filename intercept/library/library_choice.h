/* SPDX-License-Identifier: Apache-2.0
 *
 * What the user asked for: which libraries are wrapped (setting `library`), and which of their functions
 * (`library-functions`, `library-exclude`), by patterns with * and ?.
 *
 * What a library is meant by: tnd_library_name_means (run/library_name.h).  A function is meant by its symbol, or, in
 * C++, by its name with its classes and namespaces and without its parameters (QWidget::show).
 *
 * Without library-functions, the setting `library-default`, which the tool makes of descriptions of libraries, says
 * which functions of some libraries are wrapped: "c=read,write*;z=compress*".
 *
 * Context: at start and after the program has loaded something; allocates.  Not in a handler.
 */
#ifndef TND_LIBRARY_CHOICE_H
#define TND_LIBRARY_CHOICE_H

#include <stdbool.h>
#include <stddef.h>

/* How far a wish has come true, as TND_DEFINE_LIBRARY_WISH has it. */
enum tnd_library_state { TND_LIBRARY_ABSENT = 0, TND_LIBRARY_LOADED = 1, TND_LIBRARY_WRAPPED = 2 };

/* Reads the settings.  False: no library is asked for. */
bool tnd_library_choice_start(void);

/* Whether the library of that path is asked for. */
bool tnd_library_choice_has(const char *path);

/* Notes for each wish that means the library how far it has come, and records it. */
void tnd_library_choice_note(const char *path, enum tnd_library_state state);

/* Whether the function of that symbol, in the library of that path, is asked for, and can be wrapped. */
bool tnd_library_choice_takes(const char *path, const char *symbol);

#endif
