/* SPDX-License-Identifier: Apache-2.0
 *
 * LLVM's OpenMP library (libomp, and its kin): it tells what happens to a tool that it finds by itself (OMPT, ompt.c).
 * What it does not tell, chunks above all, is seen at the entry points that compilers call (kmpc_calls.c).  libgomp's
 * entry points, which it has as well, are left alone then; the lock API is recorded as ever (gomp_calls.tsv).
 *
 * Context: openmp_self.h.
 */
#ifndef TND_OMPT_H
#define TND_OMPT_H

#include "intercept/openmp/openmp_self.h"

/* What the entry points know and the library does not tell, between their beginning and what it tells. */
struct tnd_ompt_hint {
    uint16_t schedule;     /* of the loop that begins; 0: not known */
    bool is_static;        /* a loop that begins is divided at once */
    bool is_detached;      /* the next task that is made is a detached one */
    uint64_t loop_time;    /* when a loop has just begun; 0: none has */
    const void *caller;    /* of libgomp's last call, whose wrapper may stand between the library and the program */
    const void *taskloop;  /* where the program calls one; NULL: it does not */
    const void *loop_task; /* data of the task that makes a taskloop's shares now */
    uint32_t loop_number;  /* of that taskloop, as a creator */
};

extern _Thread_local struct tnd_ompt_hint tnd_ompt_hint
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* Whether a library tells us: never before it is loaded, and not if the program has a tool of its own. */
extern bool tnd_ompt_is_heard __attribute__((visibility("hidden")));

#endif
