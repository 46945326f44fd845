/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which event types of a trace a view looks at: those of its definition that occur, or those that the user names, by
 * number or by label ("42000050,42000059", "PAPI_TOT_INS", "Package 0").
 */
#ifndef TND_VIEW_TYPES_H
#define TND_VIEW_TYPES_H

#include "analysis/trace/blocks.h"
#include "analysis/views/views.h"

/* Those of the definition that occur (guint32); free with g_array_unref. */
GArray *tnd_view_types_present(const TndTrace *trace, const TndViewDefinition *definition);

/* Those that the user named; NULL and error: there are none.  A label may be cut at a space: what follows is its unit
 * and where it comes from.  Numbers are taken as they are, labels have to be of types that occur. */
GArray *tnd_view_types_chosen(const TndTrace *trace, const TndViewDefinition *definition, const char *text,
                              GError **error);

/* With the divisor that each has. */
TndViewTypes tnd_view_types_with_divisors(const TndTrace *trace, const TndViewDefinition *definition,
                                          const GArray *types);

/* The type's label; NULL: it has none. */
const char *tnd_view_types_label(const TndTrace *trace, guint32 type);

/* Where values of a sensor come from, as its label says at its end in parentheses ("RAPL, fixture"); NULL: it is none,
 * or says nothing.  Free with g_free. */
char *tnd_view_types_origin(const TndTrace *trace, guint32 type);

/* What a walk over events that a view looks at wants. */
static inline guint64 tnd_view_types_bits(const TndViewTypes *types)
{
    guint64 bits = 0;
    for (guint i = 0; i < types->n_types; i++)
        bits |= tnd_blocks_bit(types->types[i]);
    return bits;
}

/* Index of a type among those of the view; -1: not one of them. */
static inline int tnd_view_types_find(const TndViewTypes *types, guint32 type)
{
    for (guint i = 0; i < types->n_types; i++)
        if (types->types[i] == type)
            return (int)i;
    return -1;
}

#endif
