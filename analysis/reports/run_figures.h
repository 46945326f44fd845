/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a run took, as a list of named numbers: times of the whole run and of its ranks, efficiencies, functions, calls,
 * messages, heap, energy.  Lists of several runs can be compared (run_comparison.h).
 *
 * A number's name is that of its kind ("elapsed"); if there are several of a kind, followed by what it is of
 * ("function:solve").  Names do not depend on the numbers that values have in a trace.
 *
 * Cost: that of statistics.h, and one more walk over samples and states.
 */
#ifndef TND_RUN_FIGURES_H
#define TND_RUN_FIGURES_H

#include "analysis/base/difference.h"
#include "analysis/causes/efficiency.h"
#include "analysis/trace/trace.h"

typedef enum {
    TND_FIGURE_ELAPSED,
    TND_FIGURE_USEFUL,
    TND_FIGURE_MPI,
    TND_FIGURE_OPENMP,
    TND_FIGURE_CPU,
    TND_FIGURE_MESSAGES,
    TND_FIGURE_MESSAGE_BYTES,
    TND_FIGURE_HEAP_PEAK,
    TND_FIGURE_JOULES,
    TND_FIGURE_PARALLEL,
    TND_FIGURE_BALANCE,
    TND_FIGURE_COMMUNICATION,
    TND_FIGURE_SERIALISATION,
    TND_FIGURE_TRANSFER,
    TND_FIGURE_RANK_ELAPSED,
    TND_FIGURE_RANK_USEFUL,
    TND_FIGURE_RANK_MPI,
    TND_FIGURE_RANK_CPU,
    TND_FIGURE_RANK_HEAP,
    TND_FIGURE_RANK_JOULES,
    TND_FIGURE_FUNCTION,
    TND_FIGURE_FUNCTION_SHARE, /* in traces whose samples have no weights */
    TND_FIGURE_REGION,
    TND_FIGURE_MPI_TIME,
    TND_FIGURE_MPI_CALLS,
    TND_FIGURE_PYTHON_TIME,
    TND_FIGURE_PYTHON_CALLS,
    TND_FIGURE_LIBRARY_TIME,
    TND_FIGURE_LIBRARY_CALLS,
    TND_FIGURE_N
} TndFigureKind;

/* What a number depends on besides the program, which matters where one run has to do. */
typedef enum {
    TND_FIGURE_COUNTED,  /* nothing, as a rule */
    TND_FIGURE_COMPUTED, /* CPU time that the program itself uses */
    TND_FIGURE_DIVIDED,  /* how time divides into computing and waiting */
    TND_FIGURE_LASTING,  /* time that passes until others have done something: the machine's other users, too */
} TndFigureNature;

typedef struct {
    const char *name;    /* in the names of its numbers; with a colon if there are several */
    const char *section; /* of tables */
    const char *unit;    /* for tnd_quantity_text */
    TndFigureNature nature;
    gboolean is_part; /* of all that threads did: a small one does not matter */
} TndFigureInfo;

extern const TndFigureInfo tnd_figure_infos[TND_FIGURE_N];

typedef struct {
    TndFigureKind kind;
    char *name;
    TndMeasured measured;
} TndFigure;

typedef struct {
    char *path;
    GArray *figures; /* TndFigure */
    guint has;       /* a bit for each kind that the trace can tell */
    guint lacks;     /* a bit for each kind of which not all are in the list; of others what is not there is 0 */
    guint n_ranks, n_threads;
    double threads_ns; /* the lives of all threads together */
    double sample_ns;  /* what a sample stands for; 0: no samples, or without weights */
    double period_ns;  /* that was asked for; 0: not known */
    guint64 n_samples;
    gboolean drops_calls; /* calls of short functions of Python are only there up to some moment */
    /* Of all threads, known only if there are samples: */
    double lacked_ns; /* how long they wanted a CPU and had none; in MPI they may have slept of their own will */
    double lacked;    /* the same within the time that efficiencies are about, as a share of it */
    double preempted; /* outside of runtimes, the share of the time in which another thread had their CPU */
} TndRunFigures;

TndRunFigures *tnd_run_figures_new(const TndTrace *trace, const TndEfficiency *efficiency);
void tnd_run_figures_free(TndRunFigures *run);

/* What a number is that the run's list does not have; NaN: not known. */
TndMeasured tnd_run_figures_none(const TndRunFigures *run, TndFigureKind kind);

#endif
