/* SPDX-License-Identifier: Apache-2.0
 *
 * Which functions of Python the user wants recorded: settings `python` (all, auto, a file of names) and
 * `python-exclude`.
 *
 * A name is "module.function", as module and function call themselves (`__name__`, `__qualname__`), the program's own
 * module being `__main__`; * and ? stand for more.  A pattern without a dot matches functions of any module.  A file
 * has one pattern a line; # begins a comment.
 *
 * Context: start at start, allocates.  Else with the interpreter's lock, not in a handler.
 */
#ifndef TND_PYTHON_CHOICE_H
#define TND_PYTHON_CHOICE_H

#include "runtime/thread.h"

/* False: no functions are to be recorded, or the file cannot be read, which a NOTE says. */
bool tnd_python_choice_start(void);

/* Whether functions that turn out to be too short are no longer recorded. */
bool tnd_python_choice_is_auto(void);

/* Whether the function of this name is to be recorded. */
bool tnd_python_choice_takes(const char *name);

/* A WISH for each pattern of the file.  System calls only. */
void tnd_python_choice_tell(struct tnd_thread *thread);

#endif
