/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writes stacks and weights of each thread, one pass for each, and the functions that came up at the end.
 */
#include "analysis/convert/speedscope.h"

#include "analysis/convert/json.h"
#include "analysis/reports/samples.h"
#include "analysis/trace/levels.h"

typedef struct {
    const TndConversion *conversion;
    GByteArray *bytes;
    GHashTable *places; /* of functions in the list of frames, from 1 on */
    GArray *functions;  /* gint64 */
    guint64 n, sum;     /* samples of the thread so far, and their weights */
} Profile;

static guint place_of(Profile *profile, gint64 function)
{
    guint place = GPOINTER_TO_UINT(g_hash_table_lookup(profile->places, &function));
    if (!place) {
        g_array_append_val(profile->functions, function);
        place = profile->functions->len;
        g_hash_table_insert(profile->places, g_memdup2(&function, sizeof function), GUINT_TO_POINTER(place));
    }
    return place - 1;
}

static void write_stack(gpointer self, const TndSample *sample)
{
    Profile *profile = self;
    tnd_json_put(profile->bytes, profile->n++ ? ",[" : "[");
    for (guint depth = sample->n_frames; depth-- > 0;) {
        tnd_json_number(profile->bytes, place_of(profile, sample->frames[depth]));
        tnd_json_put(profile->bytes, depth ? "," : "]");
    }
    tnd_conversion_flush(profile->conversion, profile->bytes, TND_CONVERSION_BUFFER);
}

static void write_weight(gpointer self, const TndSample *sample)
{
    Profile *profile = self;
    guint64 weight = sample->weight_ns ? sample->weight_ns : 1;
    if (profile->n++)
        tnd_json_put(profile->bytes, ",");
    tnd_json_number(profile->bytes, weight);
    profile->sum += weight;
    tnd_conversion_flush(profile->conversion, profile->bytes, TND_CONVERSION_BUFFER);
}

static void write_profile(Profile *profile, guint row)
{
    const TndTrace *trace = profile->conversion->trace;
    char *name = tnd_levels_row_name(trace, TND_LEVEL_THREAD, row);
    profile->n = profile->sum = 0;
    tnd_json_put(profile->bytes, "\n{\"type\":\"sampled\",\"name\":");
    tnd_json_text(profile->bytes, name);
    tnd_json_put(profile->bytes, ",\"samples\":[");
    tnd_samples_each(trace, row, TND_SAMPLES_CPU, write_stack, profile);
    tnd_json_put(profile->bytes, "],\n\"weights\":[");
    profile->n = 0;
    tnd_samples_each(trace, row, TND_SAMPLES_CPU, write_weight, profile);
    tnd_json_put(profile->bytes, "],\n\"unit\":");
    tnd_json_text(profile->bytes, tnd_samples_are_weighed(trace, TND_SAMPLES_CPU) ? "nanoseconds" : "none");
    tnd_json_put(profile->bytes, ",\"startValue\":0,\"endValue\":");
    tnd_json_number(profile->bytes, profile->sum);
    tnd_json_put(profile->bytes, "}");
    g_free(name);
}

static void write_frames(const Profile *profile)
{
    for (guint i = 0; i < profile->functions->len; i++) {
        gint64 function = g_array_index(profile->functions, gint64, i);
        char *name = tnd_samples_function_name(profile->conversion->trace, function);
        tnd_json_put(profile->bytes, i ? ",\n{\"name\":" : "\n{\"name\":");
        tnd_json_text(profile->bytes, name);
        tnd_json_put(profile->bytes, "}");
        g_free(name);
    }
}

void tnd_speedscope_write(const TndConversion *conversion)
{
    Profile profile = {conversion,
                       g_byte_array_new(),
                       g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL),
                       g_array_new(FALSE, FALSE, sizeof(gint64)),
                       0,
                       0};
    tnd_json_put(profile.bytes, "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n"
                                "\"exporter\":\"tandem\",\"name\":");
    tnd_json_text(profile.bytes, tnd_trace_name(conversion->trace));
    tnd_json_put(profile.bytes, ",\n\"profiles\":[");
    gboolean is_first = TRUE;
    for (guint row = 0; row < tnd_trace_n_threads(conversion->trace); row++)
        if (tnd_conversion_is_chosen(conversion, row)) {
            tnd_json_put(profile.bytes, is_first ? "" : ",");
            write_profile(&profile, row);
            is_first = FALSE;
        }
    tnd_json_put(profile.bytes, "],\n\"shared\":{\"frames\":[");
    write_frames(&profile);
    tnd_json_put(profile.bytes, "]}}\n");
    tnd_conversion_flush(conversion, profile.bytes, 0);
    g_byte_array_unref(profile.bytes);
    g_hash_table_unref(profile.places);
    g_array_unref(profile.functions);
}
