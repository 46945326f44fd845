/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How `tandem stat` prints: colours where somebody looks, texts that live as long as a pool.
 */
#ifndef TND_STAT_TEXT_H
#define TND_STAT_TEXT_H

#include <glib.h>

/* Escape sequences of colours; empty if the output is not a terminal. */
typedef struct {
    const char *title, *useful, *mpi, *warning, *end;
} TndStatColours;

/* Texts for printf, which are freed with the pool. */
typedef GPtrArray TndStatPool;

const TndStatColours *tnd_stat_text_colours(void);

const char *tnd_stat_text_quantity(TndStatPool *pool, double value, const char *unit);
const char *tnd_stat_text_count(TndStatPool *pool, guint64 n, const char *one, const char *many); /* "12 calls" */

/* As tnd_cli_cut and tnd_cli_fit. */
const char *tnd_stat_text_cut(TndStatPool *pool, const char *name, glong width);
const char *tnd_stat_text_fit(TndStatPool *pool, const char *name, glong width);

void tnd_stat_text_title(const char *title);

#endif
