/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Labels of places in the source, taken apart: "work.c:12", or "work.c:12 [/usr/lib/work.c]" if there are several such
 * files; "work.c:12 [/usr/lib/work.c:12, /usr/bin/app]" or "12 (work.c, app)" in traces of Extrae.  What has no line is
 * called by its function and object: "_start (app)", "[libm.so.6]+0x1f0".
 */
#ifndef TND_SOURCE_LINE_H
#define TND_SOURCE_LINE_H

#include "analysis/trace/trace.h"

typedef struct {
    char *file;   /* with its folder if the label tells it; NULL: there is no line */
    guint number; /* 1-based; 0: there is no line */
    char *object; /* the program or library; NULL: the label does not say */
} TndSourceLine;

/* Of a value of TND_TYPE_SAMPLED_LINE or the like. */
TndSourceLine tnd_source_line_of(const TndTrace *trace, guint32 type, gint64 value);
TndSourceLine tnd_source_line_parse(const char *label);
void tnd_source_line_clear(TndSourceLine *line);

#endif
