/* SPDX-License-Identifier: Apache-2.0
 *
 * Entries are empty files in the run's directory.  Context: miss.h.
 */
#include "runtime/miss.h"

#include "runtime/root.h"
#include "runtime/target.h"

void tnd_miss_tell(enum tnd_missed kind, const char *program)
{
    char name[TND_MISSED_NAME_MAX];
    if (!tnd_root_for_children()[0]) /* there is no run */
        return;
    program = program ? program : tnd_target_program();
    tnd_missed_file(kind, program ? program : "?", name);
    tnd_target_mark(tnd_root_path(), name);
}
