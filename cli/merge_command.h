/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `tandem merge` as a rank of several runs it.
 */
#ifndef TND_MERGE_COMMAND_H
#define TND_MERGE_COMMAND_H

#include "analysis/merge/base/merge_team.h"

/* The subcommand over a team: all ranks call it with the same words, rank 0 speaks.  Its exit status, on every rank. */
int tnd_merge_command_run(int argc, char **argv, TndMergeTeam *team);

#endif
