/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Loops in a string of symbols.  What follows itself at once is folded into a loop, the shortest bodies first, and a
 * loop is a symbol of what is around it; so loops nest.  How often an inner loop repeats, and where
 * in the body the first iteration begins, makes no difference to whether two bodies are the same.
 *
 * Cost: for a string of n symbols that does not repeat, 256 n comparisons of numbers.  Memory: 80 bytes a symbol.
 */
#ifndef TND_LOOPS_H
#define TND_LOOPS_H

#include <glib.h>

/* The longest body, in symbols and inner loops. */
#define TND_LOOPS_LONGEST 256

typedef struct {
    gsize begin, end; /* positions in the string */
    guint32 id;       /* of the body; the symbol itself if the body is a single one */
    guint32 n_body;   /* symbols and inner loops of the body */
    guint32 n;        /* iterations */
    gsize *starts;    /* n positions at which iterations begin */
} TndLoop;

typedef struct TndLoops TndLoops;

/* Symbols are less than 2^31.  least: of fewer iterations, a loop is none, but those in it may be. */
TndLoops *tnd_loops_new(const guint32 *symbols, gsize n, guint least);
void tnd_loops_free(TndLoops *loops);

/* The outermost loops, in the order of the string.  Those that chance may have made are left out: of strings without
 * any order, fewer than one of a thousand would have a loop that is as long. */
const TndLoop *tnd_loops_outermost(const TndLoops *loops, guint *n);

/* The name of a symbol. */
typedef const char *(*TndLoopsName)(guint32 symbol, gpointer user_data);

/* The body: "MPI_Irecv, 3 x (MPI_Send, MPI_Wait), MPI_Allreduce".  It is as it is met
 * first in the string.  Free with g_free. */
char *tnd_loops_text(const TndLoops *loops, const TndLoop *loop, TndLoopsName name, gpointer user_data);

#endif
