/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The definitions of an OTF2 archive as they stand in it, by their numbers: the inside of otf2_contents.h.
 */
#ifndef TND_OTF2_TABLES_H
#define TND_OTF2_TABLES_H

#include "analysis/import/otf2_contents.h"

typedef struct {
    OTF2_StringRef name, class;
    OTF2_SystemTreeNodeRef parent;
    guint node; /* + 1, once it is made */
} TndOtf2Node;

typedef struct {
    OTF2_StringRef name;
    OTF2_SystemTreeNodeRef node;
    guint order, process; /* in the order of definitions; + 1, once it is made */
} TndOtf2Process;

typedef struct {
    OTF2_LocationRef self;
    OTF2_StringRef name;
    OTF2_LocationGroupRef group;
    guint order, thread;
    guint64 n_events;
} TndOtf2Location;

typedef struct {
    OTF2_StringRef name, description;
    OTF2_RegionRole role;
    OTF2_Paradigm paradigm;
    TndImportCall call; /* once it was asked for */
} TndOtf2Region;

typedef struct {
    OTF2_RegionRef region;
    OTF2_SourceCodeLocationRef place;
    OTF2_CallingContextRef parent;
    guint frame; /* once it was asked for */
} TndOtf2Context;

typedef struct {
    OTF2_StringRef file;
    guint32 line;
} TndOtf2Place;

typedef struct {
    OTF2_StringRef name;
    OTF2_MetricMode mode;
    OTF2_Type type;
    OTF2_Base base;
    gint64 exponent;
    TndOtf2Metric metric; /* once it was asked for */
} TndOtf2Member;

typedef struct {
    guint n;
    OTF2_MetricMemberRef *members; /* NULL: an instance of another metric */
    OTF2_MetricRef of;
} TndOtf2MetricClass;

typedef struct {
    OTF2_GroupType type;
    OTF2_Paradigm paradigm;
    OTF2_GroupFlag flags;
    guint n;
    guint64 *members;
} TndOtf2Set;

typedef struct {
    OTF2_GroupRef groups[2]; /* the second one: UNDEFINED unless it is of two groups */
    guint64 number;
} TndOtf2Comm;

typedef struct {
    OTF2_StringRef name;
    guint64 period_ns;
} TndOtf2Generator;

struct TndOtf2Contents {
    TndImport *import;
    guint64 resolution, offset, length, begin_s;
    gboolean is_own;
    GHashTable *texts, *nodes, *groups, *regions, *contexts, *places, *members, *metrics, *parameters, *sets, *comms,
        *generators;         /* by their numbers */
    GArray *locations;       /* TndOtf2Location */
    GHashTable *of_location; /* number of a location to its index + 1 */
    OTF2_LocationRef *refs;  /* of those that have events */
    guint n_refs;
    const TndOtf2Set *ranks; /* the locations that are ranks; NULL: not told */
    guint64 n_events;
};

/* Empty tables, the callbacks that fill them, and their end. */
void tnd_otf2_tables_begin(TndOtf2Contents *contents);
OTF2_GlobalDefReaderCallbacks *tnd_otf2_tables_callbacks(void);
void tnd_otf2_tables_end(TndOtf2Contents *contents);

/* What a table has of a number; NULL: nothing. */
static inline gpointer tnd_otf2_tables_find(GHashTable *table, guint64 number)
{
    return g_hash_table_lookup(table, GSIZE_TO_POINTER(number));
}

#endif
