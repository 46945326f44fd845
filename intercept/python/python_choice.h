/* SPDX-License-Identifier: Apache-2.0
 *
 * Which functions of Python the user wants recorded: settings `python` (all, auto, a file of names) and
 * `python-exclude`.
 *
 * A name is "module.function", as module and function call themselves (`__name__`, `__qualname__`), the program's own
 * module being `__main__`; * and ? stand for more.  A pattern without a dot is of functions of any module.  A file has
 * one a line; # begins a remark.
 *
 * Context: start at start, allocates.  Else with the interpreter's lock, not in a handler.
 */
#ifndef TND_PYTHON_CHOICE_H
#define TND_PYTHON_CHOICE_H

#include "runtime/thread.h"

/* False: nothing is wanted, or the list cannot be read, which a NOTE tells. */
bool tnd_python_choice_start(void);

/* Functions that turn out too short are to be given up. */
bool tnd_python_choice_is_auto(void);

/* Whether the function of this name is wanted. */
bool tnd_python_choice_takes(const char *name);

/* A WISH for each pattern of the file.  System calls only. */
void tnd_python_choice_tell(struct tnd_thread *thread);

#endif
