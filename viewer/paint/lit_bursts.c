/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The lit bursts are holes in what dims the canvas.  Those that share a pixel share a hole.
 */
#include "viewer/paint/lit_bursts.h"

#include "analysis/bursts/burst_walk.h"

#include <math.h>

static void fill_dim(cairo_t *cr)
{
    cairo_set_source_rgba(cr, 0, 0, 0, 0.75);
    cairo_set_fill_rule(cr, CAIRO_FILL_RULE_EVEN_ODD);
    cairo_fill(cr);
    cairo_set_fill_rule(cr, CAIRO_FILL_RULE_WINDING);
}

void tnd_lit_bursts_dim(TndRectangle canvas, cairo_t *cr)
{
    cairo_rectangle(cr, canvas.x, canvas.y, canvas.width, canvas.height);
    fill_dim(cr);
}

void tnd_lit_bursts_paint(const TndLitBursts *lit, TndView *view, guint64 begin_ns, guint64 end_ns, TndRectangle canvas,
                          double top, double bottom, cairo_t *cr)
{
    const double per_ns = canvas.width / (double)(end_ns - begin_ns);
    double left = -1, right = -1; /* of the hole that is not cut yet; right < 0: there is none */
    cairo_save(cr);
    cairo_rectangle(cr, canvas.x, canvas.y, canvas.width, canvas.height);
    cairo_clip_preserve(cr);
    TndBurstWalk walk = tnd_burst_walk_start(tnd_view_row(view, lit->row), begin_ns);
    for (; walk.at && walk.at->begin_ns < end_ns; tnd_burst_walk_next(&walk)) {
        if (walk.at->value < lit->least || walk.at->value > lit->largest)
            continue;
        const guint64 from = MAX(walk.at->begin_ns, begin_ns) - begin_ns, to = MIN(walk.at->end_ns, end_ns) - begin_ns;
        const double x = floor((double)from * per_ns), end = MAX(ceil((double)to * per_ns), x + 1);
        if (right >= x) {
            right = MAX(right, end);
            continue;
        }
        if (right >= 0)
            cairo_rectangle(cr, canvas.x + left, floor(top), right - left, ceil(bottom) - floor(top));
        left = x;
        right = end;
    }
    tnd_burst_walk_end(&walk);
    if (right >= 0)
        cairo_rectangle(cr, canvas.x + left, floor(top), right - left, ceil(bottom) - floor(top));
    fill_dim(cr);
    cairo_restore(cr);
}
