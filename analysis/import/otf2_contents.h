/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The definitions of an OTF2 archive that is read: what its events refer to, as numbers of the trace that is made.
 */
#ifndef TND_OTF2_CONTENTS_H
#define TND_OTF2_CONTENTS_H

#include "analysis/import/import_trace.h"

#include <otf2/otf2.h>

typedef struct TndOtf2Contents TndOtf2Contents;

/* Reads the global definitions, and makes nodes, processes and threads.  NULL and error: it failed. */
TndOtf2Contents *tnd_otf2_contents_read(OTF2_Reader *reader, TndImport *import, GError **error);
void tnd_otf2_contents_free(TndOtf2Contents *contents);

guint64 tnd_otf2_contents_n_events(const TndOtf2Contents *contents);
guint64 tnd_otf2_contents_end_ns(const TndOtf2Contents *contents);
guint64 tnd_otf2_contents_time_ns(const TndOtf2Contents *contents, OTF2_TimeStamp time);

/* The locations that have events; and the thread of any, G_MAXUINT: there is none. */
const OTF2_LocationRef *tnd_otf2_contents_locations(const TndOtf2Contents *contents, guint *n);
guint tnd_otf2_contents_thread(const TndOtf2Contents *contents, OTF2_LocationRef location);

/* Whether tandem wrote the archive, whose attributes are then those of otf2_attributes.h. */
gboolean tnd_otf2_contents_is_own(const TndOtf2Contents *contents);

/* The call that a region is; type 0: it is not defined. */
TndImportCall tnd_otf2_contents_call(TndOtf2Contents *contents, OTF2_RegionRef region);
OTF2_RegionRef tnd_otf2_contents_context_region(const TndOtf2Contents *contents, OTF2_CallingContextRef context);
guint tnd_otf2_contents_frame(TndOtf2Contents *contents, OTF2_CallingContextRef context);

/* What a sample stands for if it does not say; *is_wait: it is of time that a thread waited. */
guint64 tnd_otf2_contents_period_ns(const TndOtf2Contents *contents, OTF2_InterruptGeneratorRef generator,
                                    gboolean *is_wait);

/* The event type of a metric's member; 0: it is not defined. */
typedef struct {
    guint32 type;
    gboolean is_accumulated;
    double factor; /* of values that are no whole numbers, or have an exponent */
} TndOtf2Metric;
TndOtf2Metric tnd_otf2_contents_metric(TndOtf2Contents *contents, OTF2_MetricRef metric, guint member);

/* The event type of a parameter, and the value of its text. */
guint32 tnd_otf2_contents_parameter(TndOtf2Contents *contents, OTF2_ParameterRef parameter);
const char *tnd_otf2_contents_text(const TndOtf2Contents *contents, OTF2_StringRef text);

/* The location of a rank in a communicator as a location of it sees it; OTF2_UNDEFINED_LOCATION: there is none.  The
 * communicator's number in the trace; 0: there is none. */
OTF2_LocationRef tnd_otf2_contents_rank(const TndOtf2Contents *contents, OTF2_CommRef comm, OTF2_LocationRef seen_by,
                                        guint32 rank);
guint64 tnd_otf2_contents_communicator(const TndOtf2Contents *contents, OTF2_CommRef comm);
/* The number of the process of a location. */
guint tnd_otf2_contents_process(const TndOtf2Contents *contents, OTF2_LocationRef location);

#endif
