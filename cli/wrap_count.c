/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What was recorded is read from the streams, whose names are the library's own; what was counted from the files that
 * intercept/library/library_audit.c makes.
 */
#include "cli/wrap_count.h"

#include "analysis/convert/archive_directory.h"
#include "analysis/merge/base/run_files.h"
#include "analysis/merge/read/symbols.h"
#include "cli/cli.h"
#include "cli/launch.h"
#include "cli/preload.h"
#include "formats/call_counts.h"
#include "formats/event_types.h"
#include "formats/stream.h"
#include "run/library_name.h"
#include "run/rundir.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

/* An image of the recorded run.  A forked one has the names of the one that it was forked from. */
typedef struct {
    guint64 id, parent;
    GHashTable *names;  /* value of a record to symbol */
    GHashTable *counts; /* value of a record to guint64 * */
} Image;

static void free_image(void *data)
{
    Image *image = data;
    g_hash_table_unref(image->names);
    g_hash_table_unref(image->counts);
    g_free(image);
}

static void add_count(GHashTable *counts, gpointer key, guint64 n)
{
    guint64 *sum = g_hash_table_lookup(counts, key);
    if (!sum)
        g_hash_table_insert(counts, key, sum = g_new0(guint64, 1));
    *sum += n;
}

/* The same for a name that is not the table's. */
static void add_calls(GHashTable *calls, const char *name, guint64 n)
{
    add_count(calls, g_hash_table_contains(calls, name) ? (gpointer)name : g_strdup(name), n);
}

static guint64 count_of(GHashTable *counts, const char *name)
{
    const guint64 *n = g_hash_table_lookup(counts, name);
    return n ? *n : 0;
}

static void take_record(Image *image, const struct tnd_record *record)
{
    gboolean is_ours = record->id == TND_TYPE_LIBRARY_FUNCTION;
    if (record->kind == TND_RECORD_PROCESS && record->n_words >= 3) {
        image->parent = record->aux == TND_BIRTH_FORK ? record->words[1] : 0;
        image->id = record->words[2];
    } else if (record->kind == TND_RECORD_ENTER && is_ours) {
        add_count(image->counts, GSIZE_TO_POINTER(tnd_record_value(record)), 1);
    } else if (record->kind == TND_RECORD_COUNTED && is_ours && record->n_words) {
        add_count(image->counts, GSIZE_TO_POINTER(record->aux), record->words[0]);
    } else if (record->kind == TND_RECORD_DEFINE && record->aux == TND_DEFINE_LIBRARY && record->n_words > 2) {
        const char *text = (const char *)(record->words + 2);
        gsize n = MIN(record->words[1], 8 * (record->n_words - 2U));
        const char *end = memchr(text, '\n', n);
        g_hash_table_insert(image->names, GSIZE_TO_POINTER(record->id), g_strndup(text, end ? (gsize)(end - text) : n));
    }
}

static Image *read_image(const TndRunImage *files)
{
    Image *image = g_new0(Image, 1);
    image->names = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    image->counts = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    for (guint i = 0; i < files->streams->len; i++) {
        char *path = g_build_filename(files->path, g_array_index(files->streams, TndRunStream, i).name, NULL);
        const char *fault;
        struct tnd_stream_reader *reader = tnd_stream_open_path(path, 1 << 20, &fault);
        for (const struct tnd_record *record; reader && (record = tnd_stream_next(reader));)
            take_record(image, record);
        if (reader)
            tnd_stream_close(reader);
        g_free(path);
    }
    return image;
}

static const char *name_in(GHashTable *images, const Image *image, gpointer value)
{
    const char *name = NULL;
    while (image && !(name = g_hash_table_lookup(image->names, value)))
        image = image->parent ? g_hash_table_lookup(images, &image->parent) : NULL;
    return name;
}

/* The calls in the streams of a run, by symbol.  NULL: complained. */
static GHashTable *read_recorded(const char *run)
{
    GError *error = NULL;
    GPtrArray *files = tnd_run_files_list(run, &error);
    if (!files) {
        tnd_cli_complain_error(&error);
        return NULL;
    }
    GHashTable *calls = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    GHashTable *images = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, free_image);
    for (guint i = 0; i < files->len; i++) {
        Image *image = read_image(files->pdata[i]);
        g_hash_table_replace(images, &image->id, image);
    }
    GHashTableIter of_images, of_counts;
    gpointer image, value, n;
    for (g_hash_table_iter_init(&of_images, images); g_hash_table_iter_next(&of_images, NULL, &image);)
        for (g_hash_table_iter_init(&of_counts, ((Image *)image)->counts);
             g_hash_table_iter_next(&of_counts, &value, &n);) {
            const char *name = name_in(images, image, value);
            add_calls(calls, name ? name : "?", *(guint64 *)n);
        }
    g_hash_table_unref(images);
    g_ptr_array_unref(files);
    return calls;
}

/* Adds the calls in a file of the audit library; FALSE: complained. */
static gboolean add_file(GHashTable *calls, const char *path)
{
    GError *error = NULL;
    GMappedFile *file = g_mapped_file_new(path, FALSE, &error);
    if (!file)
        tnd_cli_complain_error(&error);
    const struct tnd_call_counts *counts =
        file && g_mapped_file_get_length(file) == sizeof *counts ? (void *)g_mapped_file_get_contents(file) : NULL;
    gboolean is_whole = counts && counts->n_bytes <= TND_CALL_COUNTS_NAME_BYTES;
    if (counts && !is_whole)
        tnd_cli_complain(path, "has no room for so many functions");
    for (guint i = 0; is_whole && i < TND_CALL_COUNTS_FUNCTIONS; i++)
        if (counts->of[i].name)
            add_calls(calls, counts->names + counts->of[i].name - 1, counts->of[i].n);
    if (file)
        g_mapped_file_unref(file);
    return is_whole;
}

/* Runs the command, with complaints of what it ends with. */
static gboolean run(char **command, char **environment)
{
    GError *error = NULL;
    int status = tnd_launch_run(command, environment, &error);
    if (error)
        tnd_cli_complain(command[0], "%s", error->message);
    else if (status < 0)
        tnd_cli_complain("wrap", "the command ended by a signal: %s", g_strsignal(-status));
    else if (status)
        tnd_cli_complain("wrap", "the command ended with status %d", status);
    gboolean is_run = !error;
    g_clear_error(&error);
    return is_run;
}

/* The calls of a run with the audit library.  NULL: complained. */
static GHashTable *count_audited(const char *audit, const char *directory, const char *library, char **command)
{
    char *files = g_build_filename(directory, "counts", NULL);
    char **environment = g_environ_setenv(g_get_environ(), "LD_AUDIT", audit, TRUE);
    environment = g_environ_setenv(environment, TND_CALL_COUNTS_DIRECTORY, files, TRUE);
    environment = g_environ_setenv(environment, TND_CALL_COUNTS_LIBRARY, library, TRUE);
    g_mkdir(files, 0700);
    GHashTable *calls = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    gboolean is_good = run(command, environment);
    GDir *dir = is_good ? g_dir_open(files, 0, NULL) : NULL;
    const char *name;
    while (dir && is_good && (name = g_dir_read_name(dir))) {
        char *path = g_build_filename(files, name, NULL);
        is_good = add_file(calls, path);
        g_free(path);
    }
    if (dir)
        g_dir_close(dir);
    tnd_archive_directory_delete(files);
    g_strfreev(environment);
    g_free(files);
    if (!is_good)
        g_clear_pointer(&calls, g_hash_table_unref);
    return calls;
}

/* The calls of a run that is recorded.  NULL: complained. */
static GHashTable *count_recorded(const char *directory, const char *library, char **command)
{
    char *self = g_file_read_link("/proc/self/exe", NULL);
    char *output = g_build_filename(directory, "run.prv", NULL),
         *files = g_build_filename(directory, "run.tandem", NULL);
    const char *const options[] = {self,
                                   "record",
                                   "--library",
                                   library,
                                   "--library-functions",
                                   "*",
                                   "--no-merge",
                                   "--library-values",
                                   "none",
                                   "--sampling-period",
                                   "0",
                                   "--output",
                                   output,
                                   "--"};
    GPtrArray *words = g_ptr_array_new();
    for (gsize i = 0; i < G_N_ELEMENTS(options); i++)
        g_ptr_array_add(words, (gpointer)options[i]);
    for (char **word = command; *word; word++)
        g_ptr_array_add(words, *word);
    g_ptr_array_add(words, NULL);
    char **environment = g_get_environ();
    GHashTable *calls = run((char **)words->pdata, environment) ? read_recorded(files) : NULL;
    g_strfreev(environment);
    tnd_rundir_remove(files);
    g_ptr_array_unref(words);
    g_free(files);
    g_free(output);
    g_free(self);
    return calls;
}

/* What the two ways agree on, and what they do not. */
typedef struct {
    guint n_same, n_alone, n_unsteady; /* functions: same numbers; left alone; whose number differs from run to run */
    guint64 n_calls;                   /* of those with the same numbers */
    GPtrArray *different;              /* names */
} Comparison;

static int compare_names(gconstpointer a, gconstpointer b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* again: counted once more; NULL: not yet. */
static Comparison compare(GHashTable *recorded, GHashTable *audited, GHashTable *again)
{
    Comparison result = {.different = g_ptr_array_new()};
    GHashTable *tables[] = {recorded, audited};
    GHashTableIter iter;
    gpointer name;
    for (guint t = 0; t < G_N_ELEMENTS(tables); t++)
        for (g_hash_table_iter_init(&iter, tables[t]); g_hash_table_iter_next(&iter, &name, NULL);) {
            guint64 n = count_of(audited, name);
            if (t && g_hash_table_contains(recorded, name))
                continue;
            if (n == count_of(recorded, name)) {
                result.n_same++;
                result.n_calls += n;
            } else if (tnd_library_name_is_left_alone(name)) {
                result.n_alone++;
            } else if (again && count_of(again, name) != n) {
                result.n_unsteady++;
            } else {
                g_ptr_array_add(result.different, name);
            }
        }
    g_ptr_array_sort(result.different, compare_names);
    return result;
}

static void print_comparison(const Comparison *result, GHashTable *recorded, GHashTable *audited)
{
    const struct {
        guint n;
        const char *what;
    } others[] = {{result->n_alone, "never recorded"},
                  {result->n_unsteady, "called more or less often from run to run"},
                  {result->different->len, "with other numbers of calls"}};
    printf("functions recorded as often as counted: %u, with %" G_GUINT64_FORMAT " calls\n", result->n_same,
           result->n_calls);
    for (gsize i = 0; i < G_N_ELEMENTS(others); i++)
        if (others[i].n)
            printf("functions %s: %u\n", others[i].what, others[i].n);
    if (result->different->len)
        printf("%12s %12s  function\n", "recorded", "counted");
    for (guint i = 0; i < result->different->len; i++) {
        const char *name = result->different->pdata[i];
        char *plain = tnd_symbols_demangle(name);
        printf("%12" G_GUINT64_FORMAT " %12" G_GUINT64_FORMAT "  %s\n", count_of(recorded, name),
               count_of(audited, name), plain ? plain : name);
        g_free(plain);
    }
}

int tnd_wrap_count_check(const char *library, char **command)
{
    GError *error = NULL;
    char *audit = tnd_preload_find("libtandem-audit.so");
    char *directory = audit ? g_dir_make_tmp("tandem-check-XXXXXX", &error) : NULL;
    if (!audit)
        tnd_cli_complain("wrap", "libtandem-audit.so is not there, which counts calls (there is one for x86-64 only)");
    else if (!directory)
        tnd_cli_complain_error(&error);
    if (!directory) {
        free(audit);
        return TND_EXIT_INPUT;
    }
    GHashTable *recorded = count_recorded(directory, library, command), *again = NULL;
    GHashTable *audited = recorded ? count_audited(audit, directory, library, command) : NULL;
    int status = TND_EXIT_INPUT;
    if (audited) {
        Comparison result = compare(recorded, audited, NULL);
        if (result.different->len && (again = count_audited(audit, directory, library, command))) {
            g_ptr_array_unref(result.different);
            result = compare(recorded, audited, again);
        }
        print_comparison(&result, recorded, audited);
        status = result.different->len ? TND_EXIT_INPUT : TND_EXIT_FINE;
        g_ptr_array_unref(result.different);
    }
    g_clear_pointer(&recorded, g_hash_table_unref);
    g_clear_pointer(&audited, g_hash_table_unref);
    g_clear_pointer(&again, g_hash_table_unref);
    g_rmdir(directory);
    g_free(directory);
    free(audit);
    return status;
}
