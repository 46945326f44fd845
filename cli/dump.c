/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `tandem dump`: prints streams as text, one record a line, or counts of records.  What cannot be read is reported on
 * stderr.
 */
#include "analysis/merge/base/run_files.h"
#include "analysis/merge/merge.h"
#include "cli/cli.h"
#include "formats/event_types.h"
#include "formats/record_text.h"
#include "formats/rings.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct dump {
    gboolean wanted[256]; /* by kind */
    GHashTable *counts;   /* key of a record to guint64 *; NULL: records are printed */
    TndMergeTimes *times; /* converts ticks to times of the trace; NULL: print ticks */
    gboolean failed;
};

static char *kind_name(guint8 kind)
{
    const char *name = tnd_record_text_kind(kind);
    return name ? g_strdup(name) : g_strdup_printf("kind-%u", kind);
}

static void print_record(const char *where, const struct tnd_record *record, guint64 time)
{
    printf("%s ", where);
    tnd_record_text_write_at(stdout, record, time);
    putchar('\n');
}

/* Counts a record by its key, "enter 50000001 1 MPI_Send". */
static void count_record(GHashTable *counts, const struct tnd_record *record)
{
    char *kind = kind_name(record->kind), *key;
    gint64 value = tnd_record_value(record);
    gboolean has_value = record->kind == TND_RECORD_ENTER || record->kind == TND_RECORD_EVENT;
    const struct tnd_event_value *known = has_value ? tnd_event_types_value(record->id, value) : NULL;
    if (has_value)
        key = g_strdup_printf("%s %" PRIu32 " %" PRIi64 "%s%s", kind, record->id, value, known ? " " : "",
                              known ? known->label : "");
    else if (record->kind == TND_RECORD_LEAVE || record->kind == TND_RECORD_COUNTER)
        key = g_strdup_printf("%s %" PRIu32, kind, record->id);
    else
        key = g_strdup(kind);
    guint64 *n = g_hash_table_lookup(counts, key);
    if (n)
        g_free(key);
    else
        g_hash_table_insert(counts, key, n = g_new0(guint64, 1));
    ++*n;
    g_free(kind);
}

static void dump_records(const struct dump *dump, const char *where, struct tnd_stream_reader *reader,
                         const struct TndMergeClock *clock)
{
    const struct tnd_record *record;
    guint64 time = 0;
    while ((record = tnd_stream_next(reader))) {
        if (clock)
            tnd_merge_times_step(clock, record->time, &time);
        if (!dump->wanted[record->kind])
            continue;
        if (dump->counts)
            count_record(dump->counts, record);
        else
            print_record(where, record, clock ? time : record->time);
    }
    const struct tnd_stream_header *header = tnd_stream_header(reader);
    if (tnd_stream_damaged(reader))
        tnd_cli_complain(where, "%" PRIu64 " bytes are damaged", tnd_stream_damaged(reader));
    if (header->n_lost || header->stop_errno)
        tnd_cli_complain(where, "%" PRIu64 " records were lost%s%s", header->n_lost, header->stop_errno ? ": " : "",
                         header->stop_errno ? g_strerror((int)header->stop_errno) : "");
}

static void dump_stream(struct dump *dump, const char *directory, const char *image, const char *name)
{
    int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const char *fault = "its directory cannot be opened";
    struct tnd_stream_reader *reader = fd < 0 ? NULL : tnd_stream_open(fd, name, &fault);
    const struct TndMergeClock *clock = dump->times ? tnd_merge_times_clock(dump->times, directory) : NULL;
    char *where = g_strdup_printf("%s %s", image, name);
    if (fd >= 0)
        close(fd);
    if (!reader) {
        char *path = strcmp(directory, ".") == 0 ? g_strdup(name) : g_build_filename(directory, name, NULL);
        tnd_cli_complain(path, "no stream: %s", fault);
        dump->failed = TRUE;
        g_free(path);
    } else if (dump->times && !clock) {
        tnd_cli_complain(where, "is in no trace: the process was killed before it read its clock");
    } else {
        dump_records(dump, where, reader, clock);
    }
    if (reader)
        tnd_stream_close(reader);
    g_free(where);
}

/* Dumps a run directory, a directory of one image or its file of rings, or the file of a stream (with or without its
 * ending). */
static void dump_argument(struct dump *dump, const char *argument)
{
    if (!g_file_test(argument, G_FILE_TEST_IS_DIR)) {
        char *directory = g_path_get_dirname(argument), *image = g_path_get_basename(directory);
        char *name = g_path_get_basename(argument);
        if (g_str_has_suffix(name, ".ring") || g_str_has_suffix(name, ".stream"))
            *strrchr(name, '.') = 0;
        if (strcmp(name, TND_RINGS_FILE) == 0)
            dump_argument(dump, directory);
        else
            dump_stream(dump, directory, image, name);
        g_free(name);
        g_free(image);
        g_free(directory);
        return;
    }
    GError *error = NULL;
    GPtrArray *images = tnd_run_files_list(argument, &error);
    if (!images) {
        tnd_cli_complain_error(&error);
        dump->failed = TRUE;
        return;
    }
    for (guint i = 0; i < images->len; i++) {
        const TndRunImage *image = images->pdata[i];
        for (guint j = 0; j < image->streams->len; j++)
            dump_stream(dump, image->path, image->name, g_array_index(image->streams, TndRunStream, j).name);
    }
    g_ptr_array_unref(images);
}

/* "clock, process, ...". */
static char *list_kinds(void)
{
    GString *kinds = g_string_new(NULL);
    for (guint kind = 0; kind < 256; kind++)
        if (tnd_record_text_kind((guint8)kind))
            g_string_append_printf(kinds, "%s%s", kinds->len ? ", " : "", tnd_record_text_kind((guint8)kind));
    return g_string_free(kinds, FALSE);
}

/* Sets the kinds that are wanted; list NULL: all.  FALSE: complained of a name. */
static gboolean want_kinds(struct dump *dump, const char *list)
{
    for (gsize k = 0; k < G_N_ELEMENTS(dump->wanted); k++)
        dump->wanted[k] = !list;
    char **names = g_strsplit(list ? list : "", ",", -1), *kinds = list_kinds();
    gboolean is_known = TRUE;
    for (char **name = names; *name; name++) {
        guint8 kind = tnd_record_text_find_kind(*name);
        dump->wanted[kind] |= kind != 0;
        if (!kind)
            tnd_cli_complain("dump", "--kind: got \"%s\", takes %s", *name, kinds);
        is_known &= kind != 0;
    }
    g_strfreev(names);
    g_free(kinds);
    return is_known;
}

static void print_counts(GHashTable *counts)
{
    GList *keys = g_list_sort(g_hash_table_get_keys(counts), (GCompareFunc)(void (*)(void))strcmp);
    for (const GList *key = keys; key; key = key->next)
        printf("%" PRIu64 " %s\n", *(const guint64 *)g_hash_table_lookup(counts, key->data), (const char *)key->data);
    g_list_free(keys);
}

/* Finds how to convert ticks to times of the trace.  FALSE: complained. */
static gboolean find_times(struct dump *dump, char **directories)
{
    const TndMergeOptions options = {.run_directory = directories[0], .others = (const char *const *)directories + 1};
    GError *error = NULL;
    dump->times = tnd_merge_times_new(&options, &error);
    if (!dump->times)
        tnd_cli_complain_error(&error);
    return dump->times != NULL;
}

int tnd_cli_dump(int argc, char **argv)
{
    char *kinds = NULL;
    gboolean is_count = FALSE, has_trace_time = FALSE;
    const GOptionEntry entries[] = {
        {"kind", 'k', 0, G_OPTION_ARG_STRING, &kinds, "Only these kinds of records (enter,leave,sample,...)", "LIST"},
        {"count", 'c', 0, G_OPTION_ARG_NONE, &is_count, "Count records of each kind, type and value instead", NULL},
        {"trace-time", 't', 0, G_OPTION_ARG_NONE, &has_trace_time,
         "Print times in ns, as in the trace of these run directories", NULL},
        G_OPTION_ENTRY_NULL,
    };
    int status;
    if (!tnd_cli_options(&argc, &argv, entries, "RUN.tandem|STREAM...",
                         "Prints streams as text: process, stream, time in ticks, kind, id, small value, words.",
                         &status))
        return status;
    struct dump dump = {0};
    gboolean is_known = want_kinds(&dump, kinds);
    g_free(kinds);
    if (argc < 2)
        tnd_cli_complain("dump", "takes a run directory or streams (see `tandem dump --help`)");
    if (argc < 2 || !is_known)
        return TND_EXIT_USAGE;
    if (has_trace_time && !find_times(&dump, argv + 1))
        return TND_EXIT_INPUT;
    if (is_count)
        dump.counts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    for (int i = 1; i < argc; i++)
        dump_argument(&dump, argv[i]);
    if (dump.counts) {
        print_counts(dump.counts);
        g_hash_table_unref(dump.counts);
    }
    tnd_merge_times_free(dump.times);
    return dump.failed ? TND_EXIT_INPUT : TND_EXIT_FINE;
}
