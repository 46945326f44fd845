/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `tandem merge` on one of several ranks.
 */
#ifndef TND_MERGE_COMMAND_H
#define TND_MERGE_COMMAND_H

#include "analysis/merge/base/merge_team.h"

/* Runs the subcommand with a team: all ranks call it with the same words, and rank 0 prints.  Returns the exit status,
 * on every rank. */
int tnd_merge_command_run(int argc, char **argv, TndMergeTeam *team);

#endif
