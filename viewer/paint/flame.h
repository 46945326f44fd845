/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The picture of a call tree as a flame graph that hangs down: a function is a box below its caller, as wide as the CPU
 * time (or the time waited) in it and in what it called.
 *
 * Cost: some us for each box that is at least as wide as a pixel.
 */
#ifndef TND_FLAME_H
#define TND_FLAME_H

#include "analysis/reports/flame_boxes.h"
#include "viewer/paint/text.h"

#include <cairo.h>

typedef struct TndFlame TndFlame;

typedef struct {
    const TndCallTree *tree;
    const char *title, *text; /* what the samples are of, and a line below; NULL: not wanted */
    guint top;                /* the node that takes the whole width; 0: all functions are there */
    TndTheme theme;
    gint64 marked; /* boxes of other functions are pale; 0: none is marked */
} TndFlameSubject;

TndFlame *tnd_flame_new(const TndFlameSubject *subject, double width);
void tnd_flame_free(TndFlame *flame); /* NULL is allowed */
void tnd_flame_paint(const TndFlame *flame, cairo_t *cr);

double tnd_flame_height(const TndFlame *flame); /* of the whole picture */

/* The box at a place; NULL: there is none. */
const TndFlameBox *tnd_flame_find(const TndFlame *flame, double x, double y);
TndRectangle tnd_flame_place(const TndFlame *flame, const TndFlameBox *box);
void tnd_flame_outline(const TndFlame *flame, const TndFlameBox *box, cairo_t *cr);

/* A node in words: "solve: 1.2 s, 45 %; in itself 300 ms, 11.2 %".  Free with g_free. */
char *tnd_flame_words(const TndCallTree *tree, guint node);

/* For tests: of TndText, and of TndFlameBox. */
const GArray *tnd_flame_texts(const TndFlame *flame);
const GArray *tnd_flame_boxes(const TndFlame *flame);

#endif
