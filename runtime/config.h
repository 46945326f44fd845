/* SPDX-License-Identifier: Apache-2.0
 *
 * The configuration: one table of environment variables, read once at start.  This and the file behind it are the only
 * places that call getenv.  A bad value is reported in one line (variable, what it got, what it takes) and the default
 * is used; the program runs on.
 *
 * A setting has a name ("sampling-period"): the option of `tandem record` is "--" name, the variable "TANDEM_" NAME.
 * The table is plain data without code, so that the command-line tool and the manual page are made from it too.
 *
 * Context: tnd_config is constant after start and may be read anywhere.
 */
#ifndef TND_CONFIG_H
#define TND_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

/*
 * TND_CONFIG_TABLE(X): X(kind, field, name, also, default, takes, help)
 *   kind      duration (ns in a uint64_t), size (bytes in a uint64_t), number (uint64_t), flag (bool), text (const char
 * *) also      a second variable with the same meaning, or "" default   as the user would type it takes     what a
 * value may be, for messages and help; choices of a text are separated by |
 */
#define TND_CONFIG_TABLE(X)                                                                                            \
    X(duration, sampling_period_ns, "sampling-period", "SAMPLING_PERIOD", "0", "500us, 1ms, 0.5s; 0: no sampling",     \
      "time between two samples of a thread")                                                                          \
    X(text, sampling_clock, "sampling-clock", "", "auto", "auto|perf|real|cpu|itimer",                                 \
      "what the sampling period is counted in: perf: perf_event of the thread's CPU time; real: monotonic timer, "     \
      "quiet while the thread sleeps; cpu: CPU-time timer; itimer: one for the process; auto: perf, else real")        \
    X(number, sampling_depth, "sampling-depth", "", "16", "0 to 128",                                                  \
      "frames kept of a sample's stack; 0: none, not even where")                                                      \
    X(text, unwind, "unwind", "", "auto", "auto|fp|libgcc|none",                                                       \
      "how a sample's stack is walked: fp: frame pointers; libgcc: unwind tables; none: only where")                   \
    X(size, buffer_bytes, "buffer", "", "256k", "64k to 64M", "ring of a thread, written out when full")               \
    X(text, output, "output", "", "", "a file's name, x.prv", "the trace; default: the program's name, beside you")    \
    X(flag, force, "force", "", "0", "0|1", "overwrite an existing trace")                                             \
    X(flag, keep, "keep", "", "0", "0|1", "keep the run directory after the merge")                                    \
    X(flag, merge, "merge", "", "1", "0|1", "make the trace when the run ends")                                        \
    X(flag, mpi, "mpi", "", "1", "0|1", "record MPI calls")                                                            \
    X(flag, record, "record", "", "1", "0|1", "record at all")                                                         \
    X(text, run, "run", "", "", "set by tandem", "run directory that this process belongs to")

#define TND_CONFIG_TYPE_duration uint64_t
#define TND_CONFIG_TYPE_size uint64_t
#define TND_CONFIG_TYPE_number uint64_t
#define TND_CONFIG_TYPE_flag bool
#define TND_CONFIG_TYPE_text const char *

#define TND_CONFIG_FIELD(kind, field, name, also, default_, takes, help) TND_CONFIG_TYPE_##kind field;
struct tnd_config {
    TND_CONFIG_TABLE(TND_CONFIG_FIELD)
};

extern struct tnd_config tnd_config __attribute__((visibility("hidden")));

/* Reads the environment.  Once, at start.  A fault is told through report, one sentence each. */
void tnd_config_start(void (*report)(const char *sentence));

#endif
