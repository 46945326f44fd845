/* SPDX-License-Identifier: Apache-2.0
 *
 * What recording adds to a call of a wrapped library's function: CPU ns; beside wrappers made by prototypes, which
 * write the same records or only read the clock, the linker's audit interface, which writes the same records, and
 * uftrace where it is installed, which reads the clock by the C library and leaves it to a process of its own to write
 * out what it recorded (that is not in the figure).  A processor makes a part of the call while it reads the clock: so
 * what only reads the clock adds a little less than two readings one after the other.
 *
 * bench_library LIBTANDEM TYPED CLOCK: the others are bench_library_typed, and the same with IS_ONLY_CLOCK.
 */
#include "tests/bench/bench_turns.h"

#include <stdio.h>
#include <stdlib.h>

void bench_nothing(void);
double bench_sum(int a, double b, long c, double d);

static void call_nothing(int n)
{
    for (int i = 0; i < n; i++)
        bench_nothing();
}

static void call_sum(int n)
{
    volatile double sum = 0;
    for (int i = 0; i < n; i++)
        sum = bench_sum(i, sum, i, 1.5);
}

static const struct bench_turns_case cases[] = {
    {"clock read", bench_turns_read_clock, 5000, 0, 0},
    {"a function without arguments", call_nothing, 5000, 2, 0},
    {"four arguments and a result", call_sum, 5000, 2, 0},
};
enum { N_CASES = sizeof cases / sizeof *cases, N_WAYS = 7 };

static bench_turns_ns ns;

int main(int argc, char **argv)
{
    static char typed[4096], clock_only[4096], audit[4096];
    static const char *const ways[] = {"",         "counted", "recorded", "by prototypes", "only the clock",
                                       "LD_AUDIT", "uftrace"};
    const char *settings[] = {"",
                              "TANDEM_LIBRARY=*bench_library_functions*",
                              "TANDEM_LIBRARY=*bench_library_functions* TANDEM_LIBRARY_SHORT=all",
                              typed,
                              clock_only,
                              audit,
                              "exec uftrace record --force --no-event -d $RUN $SELF"};
    unsigned n_ways = system("command -v uftrace >/dev/null") == 0 ? N_WAYS : N_WAYS - 1;
    if (argc > 3) {
        snprintf(typed, sizeof typed, "LD_PRELOAD=%s", argv[2]);
        snprintf(clock_only, sizeof clock_only, "LD_PRELOAD=%s", argv[3]);
        snprintf(audit, sizeof audit, "LD_AUDIT=%s", argv[2]);
    }
    if (bench_turns_run(argc, argv, cases, N_CASES, settings, n_ways, ns) != 0)
        return 1;
    double clock = ns[0][0][0];
    printf("CPU ns, least of the batches (median)\nclock read: %.1f\n", clock);
    for (unsigned c = 1; c < N_CASES; c++) {
        printf("%s: %.1f alone\n", cases[c].name, ns[c][0][0]);
        for (unsigned w = 1; w < n_ways; w++) {
            double added = ns[c][w][0] - ns[c][0][0];
            printf("  %-16s adds %6.1f (%.1f), two clock reads and %.1f\n", ways[w], added,
                   ns[c][w][BENCH_TURNS_BATCHES / 2] - ns[c][0][BENCH_TURNS_BATCHES / 2], added - 2 * clock);
        }
    }
    return 0;
}
