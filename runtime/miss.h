/* SPDX-License-Identifier: Apache-2.0
 *
 * Entries in the ledger of what the run has missed (run/missed.h), which is told when the run ends: what a process
 * knows that it does not record, and that the user may take for recorded.
 *
 * Context: any, also handlers and children of vfork; three system calls; errno kept.
 */
#ifndef TND_MISS_H
#define TND_MISS_H

#include "run/missed.h"

/* program: its path; NULL: of this process. */
void tnd_miss_tell(enum tnd_missed kind, const char *program);

#endif
