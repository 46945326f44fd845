/* SPDX-License-Identifier: Apache-2.0
 *
 * What two software counters cost at an event, over the bare read of such a group that the same process makes: CPU ns.
 *
 * bench_counters LIBTANDEM
 */
#include "runtime/tandem.h"
#include "tests/bench/bench_turns.h"

#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { N = 2000, PLAIN = 1, COUNTED = 2 };

static int group = -1;
static tandem_region region;

static int open_counter(uint64_t config, int leader)
{
    struct perf_event_attr attr;
    memset(&attr, 0, sizeof attr);
    attr.size = sizeof attr;
    attr.type = PERF_TYPE_SOFTWARE;
    attr.config = config;
    attr.read_format = PERF_FORMAT_GROUP;
    attr.exclude_kernel = geteuid() != 0;
    attr.exclude_hv = 1;
    return (int)syscall(SYS_perf_event_open, &attr, 0, -1, leader, PERF_FLAG_FD_CLOEXEC);
}

static void read_group(int n)
{
    uint64_t words[3];
    if (getenv("TANDEM_COUNTERS"))
        return; /* a second group would make that of the library dearer */
    if (group < 0 && (group = open_counter(PERF_COUNT_SW_TASK_CLOCK, -1)) >= 0)
        open_counter(PERF_COUNT_SW_PAGE_FAULTS, group);
    for (int i = 0; i < n; i++)
        syscall(SYS_read, group, words, sizeof words);
}

static void begin_and_end(int n)
{
    if (!region)
        region = tandem_region_register("region");
    for (int i = 0; i < n; i++) {
        tandem_region_begin(region);
        tandem_region_end(region);
    }
}

static const struct bench_turns_case cases[] = {
    {"clock read", bench_turns_read_clock, N, 0, 0},
    {"group of two software counters, read", read_group, N, 0, 0},
    {"region, begun and ended", begin_and_end, N, 0, 0},
};
enum { N_CASES = sizeof cases / sizeof *cases };

static bench_turns_ns ns;

int main(int argc, char **argv)
{
    static const char *const settings[] = {"", "TANDEM_COUNTERS_AT=regions", "TANDEM_COUNTERS=task-clock,page-faults"};
    if (bench_turns_run(argc, argv, cases, N_CASES, settings, 3, ns) != 0)
        return 1;
    for (unsigned i = 0; i <= BENCH_TURNS_BATCHES / 2; i += BENCH_TURNS_BATCHES / 2) {
        double read = ns[1][PLAIN][i], added = (ns[2][COUNTED][i] - ns[2][PLAIN][i]) / 2;
        printf("%s: group read %.1f ns; an event %.1f, with two counters %.1f more: the read and %.1f, at most 20\n",
               i ? "median" : "least", read, ns[2][PLAIN][i] / 2, added, added - read);
    }
    return 0;
}
