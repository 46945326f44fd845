/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads what `perf script` prints: a line for each sample, and below it its stack, the innermost function first.  With
 * events that count time, a sample stands for its period; with others, each counts as one.  Samples are those of the
 * event that comes first; others are events with their periods.
 */
#include "analysis/import/import.h"
#include "analysis/import/import_items.h"
#include "formats/event_types.h"

#include <string.h>

/* "comm  pid/tid [cpu] flags seconds.fraction:  period event:  function (object)". */
#define HEAD                                                                                                           \
    "^\\s*(?<comm>\\S.*?)\\s+(?:(?<pid>-?\\d+)/)?(?<tid>-?\\d+)\\s+(?:\\[(?<cpu>\\d+)\\]\\s+)?(?:[.\\w]{4,5}\\s+)?"    \
    "(?<seconds>\\d+)\\.(?<fraction>\\d+):\\s+(?:(?<period>\\d+)\\s+)?(?<event>\\S+):(?:\\s+(?<rest>.*))?$"

typedef struct {
    char *function, *line; /* line NULL: not told */
} Frame;

typedef struct {
    TndImport *import;
    TndImportItems *items;
    GRegex *head;
    char *sampled; /* the event that samples are of; NULL: none yet */
    /* The sample whose stack is being read. */
    gboolean is_open;
    guint thread;
    guint64 time_ns, weight_ns;
    GArray *frames; /* Frame, the innermost first */
} Reading;

static void clear_frame(gpointer frame)
{
    g_free(((Frame *)frame)->function);
    g_free(((Frame *)frame)->line);
}

static void end_sample(Reading *reading)
{
    guint frame = 0;
    for (guint i = reading->frames->len; i-- > 0;) {
        const Frame *at = &g_array_index(reading->frames, Frame, i);
        frame = tnd_import_trace_frame(reading->import, frame, at->function, at->line);
    }
    if (reading->is_open && frame)
        tnd_import_items_sample(reading->items, reading->thread, reading->time_ns, frame, reading->weight_ns);
    else if (reading->is_open)
        tnd_import_trace_lose(reading->import, "it has no stack and no function");
    reading->is_open = FALSE;
    g_array_set_size(reading->frames, 0);
}

/* Where the object of a frame begins: the last " (" that is not that of " (deleted)"; NULL: there is none. */
static const char *find_object(const char *text)
{
    const char *found = NULL;
    for (const char *at = text; (at = strstr(at, " (")); at++)
        if (!g_str_has_prefix(at, " (deleted)"))
            found = at;
    return found;
}

/* "55d1a2b3 inner+0x43 (/tmp/burn)"; TRUE: it is a frame. */
static gboolean take_frame(const Reading *reading, const char *text)
{
    text += strspn(text, " \t");
    const char *object = find_object(text), *name = text + strspn(text, "0123456789abcdef");
    if (!object)
        return FALSE;
    name = name > text && *name == ' ' ? name + 1 : text;
    if (name > object)
        return FALSE;
    char *function = g_strstrip(g_strndup(name, (gsize)(object - name))), *offset = g_strrstr(function, "+0x");
    if (offset && strspn(offset + 3, "0123456789abcdef") == strlen(offset + 3))
        *offset = '\0';
    if (!*function || strcmp(function, "[unknown]") == 0) {
        char *path = g_strndup(object + 2, strcspn(object + 2, ")")), *base = g_path_get_basename(path);
        g_free(function);
        function = *base == '[' ? g_strdup(base) : g_strdup_printf("[%s]", base);
        g_free(base);
        g_free(path);
    }
    const Frame frame = {function, NULL};
    g_array_append_val(reading->frames, frame);
    return TRUE;
}

/* "  burn[1030]" or "  [vdso][b46]", below a frame: the address in an object that has no lines. */
static gboolean is_address_of_object(const Reading *reading, const char *text)
{
    const char *address = strrchr(text, '[');
    gsize n = address ? strspn(address + 1, "0123456789abcdef") : 0;
    return reading->frames->len && n && strcmp(address + 1 + n, "]") == 0;
}

/* "  burn.c:3", below a frame. */
static gboolean take_line(const Reading *reading, const char *text)
{
    char *copy = g_strstrip(g_strdup(text)), *colon = strrchr(copy, ':'), *end = NULL;
    guint64 number = colon ? g_ascii_strtoull(colon + 1, &end, 10) : 0;
    gboolean is_line = colon && end > colon + 1 && !*end && reading->frames->len && !strchr(copy, ' ');
    if (is_line && number) {
        Frame *frame = &g_array_index(reading->frames, Frame, reading->frames->len - 1);
        *colon = '\0';
        g_free(frame->line);
        frame->line = tnd_import_names_line(copy, (guint)number);
    }
    g_free(copy);
    return is_line;
}

static gint64 number_of(const GMatchInfo *match, const char *name)
{
    char *text = g_match_info_fetch_named(match, name);
    gint64 number = text ? g_ascii_strtoll(text, NULL, 10) : 0;
    g_free(text);
    return number;
}

#define MOST_SECONDS 9000000000 /* that are still less than 2^63 ns */

/* Seconds, and a fraction of six or nine digits; G_MAXUINT64: it is too large. */
static guint64 time_of(const GMatchInfo *match)
{
    char *fraction = g_match_info_fetch_named(match, "fraction"), digits[] = "000000000";
    memcpy(digits, fraction, MIN(strlen(fraction), 9));
    guint64 ns = (guint64)number_of(match, "seconds") * 1000000000 + g_ascii_strtoull(digits, NULL, 10);
    g_free(fraction);
    return number_of(match, "seconds") > MOST_SECONDS ? G_MAXUINT64 : ns;
}

/* Without the number of the process, threads of one command are taken for a process. */
static guint thread_of(const Reading *reading, const GMatchInfo *match)
{
    char *comm = g_match_info_fetch_named(match, "comm"), *pid = g_match_info_fetch_named(match, "pid");
    gint64 tid = number_of(match, "tid"), process = pid && *pid ? number_of(match, "pid") : (gint64)g_str_hash(comm);
    guint thread = tnd_import_items_thread(reading->items, process, tid);
    char *name = g_strdup_printf("%s %" G_GINT64_FORMAT, comm, tid);
    tnd_import_items_name_thread(reading->items, process, tid, name);
    if (!pid || !*pid || process == tid)
        tnd_import_items_name_process(reading->items, process, comm);
    g_free(name);
    g_free(pid);
    g_free(comm);
    return thread;
}

static void take_other(const Reading *reading, const GMatchInfo *match, const char *event)
{
    TndImportNames *names = tnd_import_trace_names(reading->import);
    char *label = g_strconcat("perf: ", event, NULL);
    gint64 period = number_of(match, "period");
    tnd_import_items_event(reading->items, thread_of(reading, match), time_of(match),
                           tnd_import_names_type(names, label, TND_IMPORT_EVENT), period ? period : 1);
    g_free(label);
}

static void take_head(Reading *reading, const GMatchInfo *match)
{
    char *event = g_match_info_fetch_named(match, "event"), *rest = g_match_info_fetch_named(match, "rest");
    if (!reading->sampled)
        reading->sampled = g_strdup(event);
    if (strcmp(event, reading->sampled) == 0) {
        gboolean is_time = g_str_has_prefix(event, "cpu-clock") || g_str_has_prefix(event, "task-clock");
        reading->is_open = TRUE;
        reading->thread = thread_of(reading, match);
        reading->time_ns = time_of(match);
        reading->weight_ns = is_time ? (guint64)number_of(match, "period") : 0;
        if (rest && *rest)
            take_frame(reading, rest);
    } else
        take_other(reading, match, event);
    g_free(rest);
    g_free(event);
}

static void take_text(Reading *reading, const char *text)
{
    GMatchInfo *match;
    if (!*text || *text == '#') {
        end_sample(reading);
        return;
    }
    if (g_regex_match(reading->head, text, 0, &match)) {
        end_sample(reading);
        take_head(reading, match);
    } else if (!g_ascii_isspace(*text) ||
               (!take_frame(reading, text) && !take_line(reading, text) && !is_address_of_object(reading, text)))
        tnd_import_trace_lose(reading->import, "it is no line as perf script prints them");
    g_match_info_free(match);
}

static GRegex *new_head(void)
{
    return g_regex_new(HEAD, G_REGEX_OPTIMIZE | G_REGEX_RAW, 0, NULL);
}

gboolean tnd_import_perf_is(const char *text)
{
    GRegex *head = new_head();
    char **lines = g_strsplit(text, "\n", 64);
    gboolean is = FALSE;
    for (char **line = lines; *line && !is; line++)
        if (**line && **line != '#') {
            is = g_regex_match(head, *line, 0, NULL);
            break;
        }
    g_strfreev(lines);
    g_regex_unref(head);
    return is;
}

static gboolean read_lines(const TndImportOptions *options, GDataInputStream *stream, Reading *reading, GError **error)
{
    TndImportMeter meter = tnd_import_meter(options);
    GError *failure = NULL;
    guint n = 0;
    for (char *line; (line = g_data_input_stream_read_line(stream, NULL, NULL, &failure)); g_free(line)) {
        take_text(reading, line);
        if (++n % 4096 == 0 && !tnd_import_meter_go_on(&meter, G_INPUT_STREAM(stream), error)) {
            g_free(line);
            return FALSE;
        }
    }
    end_sample(reading);
    if (failure)
        g_propagate_error(error, failure);
    return !failure;
}

gboolean tnd_import_perf(const TndImportOptions *options, TndImport *import, guint64 *begin_ns, guint64 *end_ns,
                         GError **error)
{
    GInputStream *plain = tnd_import_open(options->path, error);
    if (!plain)
        return FALSE;
    GDataInputStream *stream = g_data_input_stream_new(plain);
    Reading reading = {.import = import,
                       .items = tnd_import_items_new(import),
                       .head = new_head(),
                       .frames = g_array_new(FALSE, FALSE, sizeof(Frame))};
    g_array_set_clear_func(reading.frames, clear_frame);
    gboolean good = read_lines(options, stream, &reading, error);
    if (good)
        tnd_import_items_tell(reading.items, begin_ns, end_ns);
    g_array_unref(reading.frames);
    g_regex_unref(reading.head);
    g_free(reading.sampled);
    tnd_import_items_free(reading.items);
    g_object_unref(stream);
    g_object_unref(plain);
    return good;
}
