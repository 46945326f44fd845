/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which events of a trace a view looks at: those of the types of its definition that occur, those of types that the
 * user names, by number or by label ("42000050,42000059", "PAPI_TOT_INS", "Package 0"), or those that the filters of a
 * window of Paraver's let pass; and what their values are.
 *
 * Cost: finding an event's type is one step, however many types there are.
 */
#ifndef TND_VIEW_TYPES_H
#define TND_VIEW_TYPES_H

#include "analysis/cfg/cfg.h"
#include "analysis/trace/blocks.h"

typedef struct TndViewDefinition TndViewDefinition;

/* A value of an event is its number in the trace times the factor, which its type's precision says, by the divisor into
 * the view's unit. */
typedef struct {
    guint32 type;
    gboolean is_asked; /* whether the filter of values has a say */
    double factor, divisor;
} TndViewType;

typedef struct {
    guint n_types;
    TndViewType *types;
    const TndCfgFilter *filter; /* of values; NULL: no type is asked */
    guint32 *slots;             /* places of types + 1, found by hash; 0: free */
    guint n_bits;               /* of a slot's number */
    gboolean are_plain;         /* values are the numbers in the trace, and none is asked */
} TndViewTypes;

/* Those of the definition that occur (guint32); free with g_array_unref. */
GArray *tnd_view_types_present(const TndTrace *trace, const TndViewDefinition *definition);

/* Those that the user named; NULL and error: there are none.  A label may be cut at a space: what follows is its unit
 * and where it comes from.  Numbers are taken as they are, labels have to be of types that occur. */
GArray *tnd_view_types_chosen(const TndTrace *trace, const TndViewDefinition *definition, const char *text,
                              GError **error);

/* The events of these types (guint32), whose values are divided by the divisor; 0: by 1. */
TndViewTypes tnd_view_types_of(const TndTrace *trace, const GArray *types, double divisor);

/* The events that a window's filters let pass, which are kept by the caller. */
TndViewTypes tnd_view_types_of_filters(const TndTrace *trace, const TndCfgWindow *window);

void tnd_view_types_clear(TndViewTypes *types);

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
        bits |= tnd_blocks_bit(types->types[i].type);
    return bits;
}

/* The slot of a type, or the free one where it would stand. */
static inline guint32 *tnd_view_types_slot(const TndViewTypes *types, guint32 type)
{
    guint last = (1u << types->n_bits) - 1, slot = type * 2654435769u >> (32 - types->n_bits);
    while (types->slots[slot] && types->types[types->slots[slot] - 1].type != type)
        slot = (slot + 1) & last;
    return &types->slots[slot];
}

/* Place of a type among those of the view; -1: it is not one of them. */
static inline int tnd_view_types_find(const TndViewTypes *types, guint32 type)
{
    return (int)*tnd_view_types_slot(types, type) - 1;
}

/* The value of an event; FALSE: the view does not look at this one. */
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
    return !type->is_asked || tnd_cfg_filter_holds(types->filter, *value);
}

#endif
