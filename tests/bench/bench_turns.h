/* SPDX-License-Identifier: Apache-2.0
 *
 * What recording adds to calls: CPU ns.  Processes of the benchmark itself, one for each way of recording and one
 * without, take turns on one core, a batch of each case each; they see the same machine, and the one without is the
 * program as it is.
 */
#ifndef TND_BENCH_TURNS_H
#define TND_BENCH_TURNS_H

enum { BENCH_TURNS_BATCHES = 101, BENCH_TURNS_MAX_CASES = 16, BENCH_TURNS_MAX_WAYS = 8 };

struct bench_turns_case {
    const char *name;
    void (*run)(int n);
    int n;            /* operations in a batch */
    int n_reads;      /* of the clock, that recording it takes */
    double extrae_ns; /* that Extrae adds; 0: not known */
};

/* For the first case: reads the clock that records have. */
void bench_turns_read_clock(int n);

/* By case and way: what the batches took, an operation, the least first. */
typedef double bench_turns_ns[BENCH_TURNS_MAX_CASES][BENCH_TURNS_MAX_WAYS][BENCH_TURNS_BATCHES];

/* With no arguments it is one of those processes and does not return; else argv[1] is the library.  settings: of each
 * way but the first, which is not recorded, "VARIABLE=value", several of these with blanks between them, or ""; with
 * LD_PRELOAD it is another library's; or "exec COMMAND $SELF", another tool that records it, which may write into the
 * directory $RUN.  0: `ns` is filled. */
int bench_turns_run(int argc, char **argv, const struct bench_turns_case *cases, unsigned n_cases,
                    const char *const *settings, unsigned n_ways, bench_turns_ns ns);

#endif
