/* SPDX-License-Identifier: Apache-2.0
 *
 * LLVM's OpenMP library (libomp, and libraries derived from it), which reports what happens to a tool (OMPT, ompt.c).
 * What it does not report, above all chunks of loops, is recorded by wrappers of the entry points that compilers call
 * (kmpc_calls.c).  The wrappers of libgomp's entry points, which this library has, too, then record only the lock API
 * (gomp_calls.tsv).
 *
 * Context: openmp_self.h.
 */
#ifndef TND_OMPT_H
#define TND_OMPT_H

#include "intercept/openmp/openmp_self.h"

/* What a wrapped entry point knows and OMPT does not report, for the callbacks during that call. */
struct tnd_ompt_hint {
    uint16_t schedule;     /* of the loop that begins; 0: not known */
    bool is_static;        /* a loop that begins is divided at once */
    bool is_detached;      /* the next task that is created is a detached one */
    uint64_t loop_time;    /* when a loop has just begun; 0: none has */
    const void *caller;    /* the program's code that last called a function of libgomp, through our wrapper */
    const void *taskloop;  /* where the program calls a taskloop; NULL: it does not */
    const void *loop_task; /* data of the task that is creating a taskloop's shares now */
    uint32_t loop_number;  /* of that taskloop, as a creator */
};

extern _Thread_local struct tnd_ompt_hint tnd_ompt_hint
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* Whether OMPT is in use: not before such a library is loaded, and not if the program has a tool of its own. */
extern bool tnd_ompt_is_heard __attribute__((visibility("hidden")));

/* Whether a library has asked for a tool, and got ours or the program's. */
extern bool tnd_ompt_is_asked __attribute__((visibility("hidden")));

#endif
