/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What events of an OTF2 archive refer to: regions, metrics, parameters, stacks.  They get numbers and are defined when
 * they come up first.
 */
#ifndef TND_OTF2_DEFINITIONS_H
#define TND_OTF2_DEFINITIONS_H

#include "analysis/convert/otf2_archive.h"
#include "analysis/reports/samples.h"
#include "formats/otf2_attributes.h"

/* Interrupt generators, by their numbers, are what samples are of (TndSamplesOf). */

typedef struct TndOtf2Definitions TndOtf2Definitions;

TndOtf2Definitions *tnd_otf2_definitions_new(TndOtf2Archive *archive);
/* Defines the metrics, in the order of their numbers, after the locations that some are of. */
void tnd_otf2_definitions_finish(TndOtf2Definitions *definitions);
void tnd_otf2_definitions_free(TndOtf2Definitions *definitions);

/* A call or a region. */
OTF2_RegionRef tnd_otf2_definitions_region(TndOtf2Definitions *definitions, guint32 type, gint64 value);

/* A counter or a sensor of a row, or of its process or node. */
OTF2_MetricRef tnd_otf2_definitions_metric(TndOtf2Definitions *definitions, guint row, guint32 type);

/* Any other event type.  *is_text: its values have labels. */
OTF2_ParameterRef tnd_otf2_definitions_parameter(TndOtf2Definitions *definitions, guint32 type, gboolean *is_text);
OTF2_StringRef tnd_otf2_definitions_value(TndOtf2Definitions *definitions, guint32 type, gint64 value);

/* The stack of a sample. */
OTF2_CallingContextRef tnd_otf2_definitions_stack(TndOtf2Definitions *definitions, const TndSample *sample);

#endif
