/* SPDX-License-Identifier: Apache-2.0
 *
 * What two software counters cost at an event, over the bare read of their group: CPU ns.  The bare read is of the very
 * group that the library reads, in the same process, in batches that take turns with those of events: another group of
 * the same counters, in another process, costs up to 50 ns more or less.
 *
 * bench_counters LIBTANDEM
 */
#include "runtime/tandem.h"
#include "tests/bench/bench_turns.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { N = 500, GROUP = 1, REGION = 2, PLAIN = 1, COUNTED = 2, MAX_FD = 65536 };

static tandem_region region;

/* The library's group, where it has one. */
static int find_group(void)
{
    for (int fd = 0; fd < MAX_FD; fd++) {
        char path[32], target[32] = "";
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        uint64_t words[3];
        if (readlink(path, target, sizeof target - 1) > 0 && strcmp(target, "anon_inode:[perf_event]") == 0 &&
            read(fd, words, sizeof words) == sizeof words)
            return fd;
    }
    return -1;
}

static void read_group(int n)
{
    static int group = -2;
    uint64_t words[3];
    if (group == -2)
        group = find_group();
    for (int i = 0; i < n && group >= 0; i++)
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
    {"group of two software counters, read", read_group, 2 * N, 0, 0},
    {"region, begun and ended", begin_and_end, N, 0, 0},
};
enum { N_CASES = sizeof cases / sizeof *cases };

static bench_turns_ns ns;

int main(int argc, char **argv)
{
    static const char *const settings[] = {"", "", "TANDEM_COUNTERS=task-clock,page-faults"};
    if (bench_turns_run(argc, argv, cases, N_CASES, settings, 3, ns) != 0)
        return 1;
    for (unsigned i = 0; i <= BENCH_TURNS_BATCHES / 2; i += BENCH_TURNS_BATCHES / 2) {
        double read = ns[GROUP][COUNTED][i], event = ns[REGION][PLAIN][i] / 2;
        double added = ns[REGION][COUNTED][i] / 2 - event;
        printf("%s: group read %.1f ns; an event %.1f, with two counters %.1f more: the read and %.1f, at most 20\n",
               i ? "median" : "least", read, event, added, added - read);
    }
    return 0;
}
