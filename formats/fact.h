/* SPDX-License-Identifier: Apache-2.0
 *
 * Facts: what a trace says of the run in comment lines "#tandem:KEY=VALUE", because no event or state can say it.  The
 * merge writes them, and whoever shows a trace reads them.
 *
 * Context: any.
 */
#ifndef TND_FACT_H
#define TND_FACT_H

#include <stddef.h>
#include <string.h>

#define TND_FACT_PREFIX "tandem:" /* of the comment's text, which is without the # */

/* The run.  Numbers are decimal. */
#define TND_FACT_COMMAND "command"
#define TND_FACT_PROCESSES "processes"
#define TND_FACT_THREADS "threads"
#define TND_FACT_RECORDS "records"
#define TND_FACT_CPU_NS "cpu-ns"
#define TND_FACT_MESSAGES "messages"
#define TND_FACT_OVERHEAD_NS "overhead-ns"
#define TND_FACT_CLOCK_ERROR_NS "clock-error-ns"

/* Sampling.  The period is in counts where events of the processor were counted. */
#define TND_FACT_SAMPLING_CLOCK "sampling-clock"
#define TND_FACT_SAMPLING_PERIOD_NS "sampling-period-ns"
#define TND_FACT_SAMPLING_PERIOD_COUNTS "sampling-period-counts"
#define TND_FACT_SAMPLES "samples"
#define TND_FACT_SAMPLED_CPU_NS "sampled-cpu-ns"

/* What is not in the trace. */
#define TND_FACT_LOST "lost"
#define TND_FACT_UNMATCHED_SENDS "unmatched-sends"
#define TND_FACT_UNMATCHED_RECEIVES "unmatched-receives"
#define TND_FACT_OPEN_CALLS "open-calls"
#define TND_FACT_DAMAGED_BYTES "damaged-bytes"
#define TND_FACT_NOTE "note" /* a sentence for the user; any number of them */

/* In a note on functions of which not all calls are in the trace, because they turned out too short. */
#define TND_FACT_NOTE_NO_FURTHER "recorded no further"

/* How a note on programs that could not be recorded begins. */
#define TND_FACT_NOTE_MISSED "not recorded: "

/* In a note on a sampling period that was not kept. */
#define TND_FACT_NOTE_SAMPLE_EVERY ": a sample every "

/* Lists: one line an item. */
#define TND_FACT_PYTHON_FUNCTIONS "python-functions"   /* how many there are; of some there is a line: */
#define TND_FACT_PYTHON_FUNCTION "python-function"     /* "value calls self-ns inclusive-ns [counted counted-ns]" */
#define TND_FACT_LIBRARY_FUNCTIONS "library-functions" /* likewise of wrapped libraries */
#define TND_FACT_LIBRARY_FUNCTION "library-function"
#define TND_FACT_COUNTED_CALL                                                                                          \
    "counted-call"               /* "type value calls ns" of MPI calls that are not in the trace, but counted */
#define TND_FACT_SENSOR "sensor" /* "type node cpus": which CPUs a node's sensor is about */
#define TND_FACT_HEAP_PROCESS "heap-process" /* "application.task live peak allocated allocations sample stack" */
#define TND_FACT_HEAP_SITE "heap-site"       /* "live blocks allocated allocations peak peak-blocks processes stack" */

/* In a stack of a heap's facts, the innermost function first: what stands between a function and its line, and between
 * two functions. */
#define TND_FACT_STACK_AT " at "
#define TND_FACT_STACK_CALLED_BY " <- "

/* The value, if the comment is a fact of this key; else NULL. */
static inline const char *tnd_fact_value(const char *comment, const char *key)
{
    const size_t n_prefix = sizeof TND_FACT_PREFIX - 1, n_key = strlen(key);
    if (strncmp(comment, TND_FACT_PREFIX, n_prefix) != 0 || strncmp(comment + n_prefix, key, n_key) != 0)
        return NULL;
    return comment[n_prefix + n_key] == '=' ? comment + n_prefix + n_key + 1 : NULL;
}

#endif
