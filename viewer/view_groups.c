/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The views of each group, by name, with a blank before and after each.
 */
#include "viewer/view_groups.h"

#include <string.h>

const char *const tnd_view_groups[] = {"Activity", "MPI",      "OpenMP",  "Program", "Samples",   "Python", "Libraries",
                                       "Memory",   "Counters", "Sensors", "System",  "Own views", NULL};

static const char *const members[] = {
    " state useful-duration parallelism node-parallelism node-threads cpu-use wait-states waits-for ",
    " mpi-calls mpi-p2p mpi-collectives mpi-other mpi-one-sided mpi-io collective-bytes-sent collective-bytes-received "
    "collective-root collective-communicator one-sided-bytes one-sided-target mpi-io-bytes ",
    " openmp-regions openmp-tasks openmp-worksharing openmp-sync ",
    " user-events user-functions pthread callers call-sites ",
    " sampled-functions waiting-functions ",
    " python-functions python-memory ",
    " library-functions libraries library-values library-results ",
    " rss huge-pages numa-memory numa-misses numa-miss-rate heap heap-used heap-largest mapped heap-allocated "
    "heap-allocations heap-calls heap-change heap-rate stack page-faults page-fault-rate ",
    " counter ipc instruction-rate cycle-rate flop-rate l1-misses l2-misses branch-misses ahb-use ",
    " temperature power power-share energy energy-rate ",
    " cpu context-switches context-switch-rate io-bytes io-rate migrations ",
};

guint tnd_view_groups_of(const char *view)
{
    char *word = g_strdup_printf(" %s ", view);
    guint i = 0;
    while (i < G_N_ELEMENTS(members) && !strstr(members[i], word))
        i++;
    g_free(word);
    return i;
}

G_STATIC_ASSERT(G_N_ELEMENTS(tnd_view_groups) == G_N_ELEMENTS(members) + 2);
