/* SPDX-License-Identifier: Apache-2.0
 *
 * An audit hook of CPython's that is added before the interpreter starts, and leaves before it ends.
 *
 * CPython frees its list of hooks at the end with the allocator that is in use then; a hook that was added before the
 * program chose another one (`-X dev`, PYTHONMALLOC=debug) was not made by that one, and freeing it is fatal.  There is
 * no call to remove a hook.  So we find the list where CPython keeps it, by what adding the hook changes there.
 *
 * Context: add at start.  remove in the hook, when it hears "cpython._PySys_ClearAuditHooks".
 */
#ifndef TND_PYTHON_AUDIT_H
#define TND_PYTHON_AUDIT_H

#include <stdbool.h>

typedef int tnd_python_audit_hook(const char *event, void *arguments, void *data);

bool tnd_python_audit_add(tnd_python_audit_hook *hook);
void tnd_python_audit_remove(void);

#endif
