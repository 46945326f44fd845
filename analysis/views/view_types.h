/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The events of a trace that a view reads, and their values.  They are of the types of its definition that occur, of
 * types that the user names by number or label ("42000050,42000059", "PAPI_TOT_INS", "Package 0"), or pass the filters
 * of one of Paraver's windows.
 *
 * Cost: finding an event's type is one step, however many types there are.
 */
#ifndef TND_VIEW_TYPES_H
#define TND_VIEW_TYPES_H

#include "analysis/cfg/cfg.h"
#include "analysis/trace/blocks.h"

typedef struct TndViewDefinition TndViewDefinition;

/* A type that a view reads.  The value of an event is its number in the trace, times the factor (from the type's
 * precision), divided by the divisor (into the view's unit). */
typedef struct {
    guint32 type;
    gboolean is_filtered; /* the filter of values applies to it */
    double factor, divisor;
} TndViewType;

typedef struct {
    guint n_types;
    TndViewType *types;
    const TndCfgFilter *filter; /* of values; NULL: no type is filtered */
    guint32 *slots;             /* hash table of indices of types + 1; 0: free */
    guint n_bits;               /* there are 2^n_bits slots */
    gboolean are_plain;         /* all values are the numbers in the trace, and none is filtered */
} TndViewTypes;

/* The types of the definition that occur in the trace (guint32).  Free with g_array_unref. */
GArray *tnd_view_types_present(const TndTrace *trace, const TndViewDefinition *definition);

/* The types that the user named (guint32).  NULL and error: a label is not of any type that occurs.  Labels may be
 * given up to a space, because units and origins follow.  Numbers are taken as they are. */
GArray *tnd_view_types_chosen(const TndTrace *trace, const TndViewDefinition *definition, const char *text,
                              GError **error);

/* The events of these types (guint32), whose values are divided by the divisor (0: by 1). */
TndViewTypes tnd_view_types_of(const TndTrace *trace, const GArray *types, double divisor);

/* The events that pass a window's filters.  The window must outlive the result. */
TndViewTypes tnd_view_types_of_filters(const TndTrace *trace, const TndCfgWindow *window);

void tnd_view_types_clear(TndViewTypes *types);

/* The type's label; NULL: it has none. */
const char *tnd_view_types_label(const TndTrace *trace, guint32 type);

/* Where the values of a sensor come from: the words in parentheses at the end of its label ("RAPL, fixture").  NULL:
 * the type is not a sensor's, or its label does not say.  Free with g_free. */
char *tnd_view_types_origin(const TndTrace *trace, guint32 type);

/* The bits of a walk over the events that a view reads (tnd_walk_events). */
static inline guint64 tnd_view_types_bits(const TndViewTypes *types)
{
    guint64 bits = 0;
    for (guint i = 0; i < types->n_types; i++)
        bits |= tnd_blocks_bit(types->types[i].type);
    return bits;
}

/* The slot of a type, or the free slot where it belongs. */
static inline guint32 *tnd_view_types_slot(const TndViewTypes *types, guint32 type)
{
    guint last = (1u << types->n_bits) - 1, slot = type * 2654435769u >> (32 - types->n_bits);
    while (types->slots[slot] && types->types[types->slots[slot] - 1].type != type)
        slot = (slot + 1) & last;
    return &types->slots[slot];
}

/* The index of a type among those of the view; -1: it is not one of them. */
static inline int tnd_view_types_find(const TndViewTypes *types, guint32 type)
{
    return (int)*tnd_view_types_slot(types, type) - 1;
}

/* The value of an event; FALSE: the view does not read this event. */
static inline gboolean tnd_view_types_value(const TndViewTypes *types, const TndEvent *event, double *value)
{
    guint32 place = *tnd_view_types_slot(types, event->type);
    *value = (double)event->value;
    if (place == 0)
        return FALSE;
    if (types->are_plain)
        return TRUE;
    const TndViewType *type = &types->types[place - 1];
    *value = *value * type->factor / type->divisor;
    return !type->is_filtered || tnd_cfg_filter_holds(types->filter, *value);
}

#endif
