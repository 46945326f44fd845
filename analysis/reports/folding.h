/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Folding: instances of a repeated region are laid over one another, so that samples that are far apart in time show,
 * together, what happens inside an instance.  A sample stands at the part of its instance that had passed when it was
 * taken, from 0 to 1; the same part is taken for the same work, however long the instance was.
 *
 * A sample is a point: its position is the moment at which it was taken.  The CPU time that it weighs was used before
 * that, over several instances if they are short, and is not spread.  What a thread used after its last sample has no
 * moment and is left out.
 *
 * Counters that are read at both ends of an instance become rates: a reading inside says which fraction of the
 * instance's count had been counted by then.  The fractions of all instances together can only rise; their slope is the
 * rate.  Values that hold (bytes of memory, temperatures) are averaged where they were read.
 *
 * Cost: three walks over the events of the rows.  Memory: 16 bytes a sample.
 */
#ifndef TND_FOLDING_H
#define TND_FOLDING_H

#include "analysis/reports/fold_instances.h"

typedef struct {
    double position; /* 0 to 1 */
    guint function;  /* index into those of the folding */
    guint weight;    /* CPU time in ns; 1 in a trace that does not have it */
} TndFoldSample;

/* Samples of which the function asked for was not on the stack. */
#define TND_FOLDING_ELSEWHERE G_MININT64

typedef struct {
    gint64 function; /* a value of TND_TYPE_SAMPLED_FUNCTION, or TND_FOLDING_ELSEWHERE */
    guint64 n;       /* samples */
    double weight;   /* their CPU time in ns; in a trace that does not have it, their number */
    double *weights; /* the same by bin */
} TndFoldFunction;

/* Values over the time in an instance. */
typedef struct {
    char *name;
    const char *unit; /* "%", "B", "per second"; as tnd_quantity_unit takes it */
    gboolean holds;   /* values are what was read, not rates or shares */
    double total;     /* of a counter: what an instance counts, on average; NaN: it is no counter */
    double *values;   /* by bin; NaN: nothing is known */
    guint64 *counts;  /* by bin: readings */
} TndFoldCurve;

typedef struct {
    guint n_bins;
    double mean_ns;       /* the duration of an instance */
    gboolean are_weighed; /* samples have weights */
    guint64 n_samples;    /* in the instances that are kept */
    guint64 n_left_out;   /* in other instances */
    guint64 n_outside;    /* in none */
    GArray *samples;      /* TndFoldSample, of the instances that are kept */
    GArray *functions;    /* TndFoldFunction, the largest weight first */
    double *weights;      /* by bin, of all functions */
    double *squares;      /* by bin, of the samples' weights */
    guint64 *counts;      /* by bin: samples */
    GPtrArray *curves; /* TndFoldCurve: use of the CPU first, if weights are known; counters, derived values, levels */
} TndFolding;

typedef struct {
    guint n_bins;      /* 0: as many as the number of samples allows */
    const char *below; /* count a sample for the function that this one called; NULL: for the innermost one */
} TndFoldingOptions;

#define TND_FOLDING_MOST_BINS 1000

/* Folds the samples and readings of the trace.  rows: only these threads; NULL: all. */
TndFolding *tnd_folding_new(const TndTrace *trace, const TndFoldInstances *instances, const gboolean *rows,
                            const TndFoldingOptions *options);
void tnd_folding_free(TndFolding *folding);

static inline const TndFoldFunction *tnd_folding_function(const TndFolding *folding, guint i)
{
    return &g_array_index(folding->functions, TndFoldFunction, i);
}

static inline const TndFoldCurve *tnd_folding_curve(const TndFolding *folding, guint i)
{
    return g_ptr_array_index(folding->curves, i);
}

/* The share of a function in a bin, and half the width of the interval that has it with a probability of 95 %; from 0
 * to 1.  NaN: the bin has no samples. */
double tnd_folding_share(const TndFolding *folding, guint function, guint bin, double *uncertainty);

/* The same for all bins together. */
double tnd_folding_total(const TndFolding *folding, guint function, double *uncertainty);

/* Of a hundred equal parts of an instance, how many have any samples, and how many would if as many samples fell
 * anywhere with the same probability. */
guint tnd_folding_parts_hit(const TndFolding *folding, double *expected);

/* How many bins have samples of more CPU time than there was, by more than chance explains: samples are in step with
 * the instances.  Shares in bins are right then, but not those of the whole instance. */
guint tnd_folding_overfull(const TndFolding *folding, const TndFoldInstances *instances);

/* The name of a function.  Free with g_free. */
char *tnd_folding_name(const TndTrace *trace, const TndFoldingOptions *options, const TndFoldFunction *function);

#endif
