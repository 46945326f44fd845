/* SPDX-License-Identifier: Apache-2.0
 *
 * Adding an audit hook before the interpreter starts, and removing it before the interpreter ends.
 *
 * CPython frees its list of hooks at the end with the allocator that is in use then.  A hook that was added before the
 * program chose another allocator (`-X dev`, PYTHONMALLOC=debug) was not allocated by that one, and freeing it is
 * fatal.  There is no call to remove a hook, so we find the list in CPython's global state, by what adding the hook
 * changes there.
 *
 * Context: add at start; remove in the hook, at the event "cpython._PySys_ClearAuditHooks".
 */
#ifndef TND_PYTHON_AUDIT_H
#define TND_PYTHON_AUDIT_H

#include <stdbool.h>

typedef int tnd_python_audit_hook(const char *event, void *arguments, void *data);

bool tnd_python_audit_add(tnd_python_audit_hook *hook);
void tnd_python_audit_remove(void);

#endif
