/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `tandem doctor`: checks what works on this machine, and says what to do about the rest.  It records a run of `true`
 * in a directory of its own and reads there which clocks and counters were used; it reads the sensors once, and asks
 * the loader for MPI libraries.
 *
 * Cost: some 100 ms.
 */
#include "cli/cli.h"
#include "cli/mpi_calls.h"
#include "cli/preload.h"
#include "formats/record.h"
#include "system/sensor_files.h"

#include <dlfcn.h>
#include <errno.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum verdict { WORKS, NOTE, FAILS };

static enum verdict worst;

G_GNUC_PRINTF(3, 4) static void tell(enum verdict verdict, const char *what, const char *format, ...)
{
    static const char *const words[] = {"ok", "note", "FAILS"};
    va_list arguments;
    va_start(arguments, format);
    char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    printf("%-5s  %-10s  %s\n", words[verdict], what, text);
    g_free(text);
    worst = MAX(worst, verdict);
}

static void examine_library(void)
{
    char *path = tnd_preload_find("libtandem.so");
    if (path)
        tell(WORKS, "library", "%s is there to preload", path);
    else
        tell(FAILS, "library", "libtandem.so is not installed with this command: install all of tandem");
    free(path);
}

/* Runs this program with other arguments.  Returns what it printed; NULL: it failed, which was reported. */
static char *run_self(const char *const words[])
{
    char *self = g_file_read_link("/proc/self/exe", NULL);
    char *output = NULL, *complaints = NULL;
    GPtrArray *command = g_ptr_array_new();
    g_ptr_array_add(command, self ? self : (char *)"tandem");
    for (; *words; words++)
        g_ptr_array_add(command, (char *)*words);
    g_ptr_array_add(command, NULL);
    GError *error = NULL;
    int status = 0;
    gboolean ran = g_spawn_sync(NULL, (char **)command->pdata, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &output,
                                &complaints, &status, &error) &&
                   g_spawn_check_wait_status(status, &error);
    if (!ran) {
        tell(FAILS, "recording", "%s%s%s", error->message, complaints && *complaints ? ": " : "",
             complaints ? g_strstrip(complaints) : "");
        g_clear_pointer(&output, g_free);
    }
    g_clear_error(&error);
    g_free(complaints);
    g_free(self);
    g_ptr_array_unref(command);
    return output;
}

static void tell_clock(unsigned clock)
{
    if (clock == TND_CLOCK_MONOTONIC)
        tell(NOTE, "clock",
             "no counter of the processor's is trusted here: the system's clock is read, which costs more");
    else
        tell(WORKS, "clock", "the processor's own counter");
}

static void tell_sampling(unsigned clock, unsigned refusal)
{
    if (clock)
        tell(WORKS, "sampling", "by a timer for each thread");
    else
        tell(FAILS, "sampling", "the kernel refuses timers: %s", g_strerror((int)refusal));
}

/* Reports which clocks were used, by the text of a run's CLOCK and SAMPLING records. */
static void tell_clocks(const char *text)
{
    unsigned clock = 0, sampling = 0, refusal = 0;
    const char *clock_at = strstr(text, " clock "), *sampling_at = strstr(text, " sampling ");
    if (clock_at && sscanf(clock_at, " clock %u", &clock) == 1)
        tell_clock(clock);
    else
        tell(FAILS, "clock", "the recording does not say which");
    if (sampling_at && sscanf(sampling_at, " sampling %u %*u %*u %u:", &sampling, &refusal) == 2)
        tell_sampling(sampling, refusal);
    else
        tell(NOTE, "sampling", "nothing samples here");
}

/* Counters of the kernel, of the processor and of PAPI. */
#define COUNTERS "task-clock,page-faults,context-switches,cpu-migrations,instructions,cycles,PAPI_TOT_INS,PAPI_TOT_CYC"

/* The text at `at` in a dumped record, up to its closing quote. */
static char *text_of(const char *at)
{
    const char *begin = strchr(at, '"'), *end = begin ? strstr(begin + 1, "\"\n") : NULL;
    return end ? g_strndup(begin + 1, (gsize)(end - begin - 1)) : NULL;
}

static void tell_counted(GString *names, const char *none)
{
    if (names->len)
        tell(WORKS, "counters", "%s", names->str);
    else if (none)
        tell(NOTE, "counters", "%s", none);
    g_string_free(names, TRUE);
}

/* What to do if the recorder says this about counters that it does not count. */
static const char *remedy(const char *sentence)
{
    if (strstr(sentence, "forbids"))
        return ".  To allow them: sysctl kernel.perf_event_paranoid=2, or 1 for context-switches and cpu-migrations; "
               "in a container its seccomp profile";
    if (strstr(sentence, "no PMU"))
        return ".  A virtual machine has none unless its host gives it one; the kernel's software counters serve";
    if (strstr(sentence, "libpapi is not installed"))
        return " (Debian: libpapi7.0)";
    return "";
}

/* Reports what was counted and what was not, by the text of a run's DEFINE and TEXT records. */
static void tell_counters(const char *text)
{
    GString *names = g_string_new(NULL);
    const char *why = strstr(text, "\"counters: not counted: ");
    for (const char *at = text; (at = strstr(at, " define ")); at += strlen(" define ")) {
        unsigned id, role;
        char *label = sscanf(at, " define %u %u", &id, &role) == 2 && role == TND_DEFINE_COUNTED ? text_of(at) : NULL;
        char *more = label ? strstr(label, "\\x0a") : NULL;
        if (more)
            g_string_append_printf(names, "%s%.*s", names->len ? ", " : "", (int)(more - label), label);
        g_free(label);
    }
    tell_counted(names, why ? NULL : "nothing counts here");
    char *sentence = why ? text_of(why) : NULL;
    if (sentence)
        tell(NOTE, "counters", "%s%s", sentence + strlen("counters: "), remedy(sentence));
    g_free(sentence);
}

/* Deletes the files of the recording. */
static void remove_trial(const char *directory, const char *run)
{
    static const char *const endings[] = {"prv", "pcf", "row"};
    char *text = run_self((const char *[]){"merge", "--force", "--quiet", "--remove", run, NULL});
    g_free(text);
    for (gsize i = 0; i < G_N_ELEMENTS(endings); i++) {
        char *path = g_strdup_printf("%s/trial.%s", directory, endings[i]);
        g_unlink(path);
        g_free(path);
    }
    g_rmdir(directory);
}

/* Makes a recording, and returns the text of its records; NULL: it could not be made.  Free with g_free. */
static char *examine_recording(void)
{
    GError *error = NULL;
    char *directory = g_dir_make_tmp("tandem-doctor-XXXXXX", &error);
    if (!directory) {
        tell(FAILS, "recording", "%s", error->message);
        g_clear_error(&error);
        return NULL;
    }
    char *output = g_build_filename(directory, "trial.prv", NULL);
    char *run = g_build_filename(directory, "trial.tandem", NULL);
    g_setenv("TANDEM_MERGE", "0", TRUE);
    char *said = run_self((const char *[]){"record", "--sampling-period", "1ms", "--counters", COUNTERS, "--sensors",
                                           "power", "-o", output, "--", "true", NULL});
    g_unsetenv("TANDEM_MERGE");
    char *records = said ? run_self((const char *[]){"dump", "--kind", "clock,sampling,define,text", run, NULL}) : NULL;
    if (records) {
        tell(WORKS, "recording", "a run of `true` was recorded");
        tell_clocks(records);
        tell_counters(records);
    }
    remove_trial(directory, run);
    g_free(said);
    g_free(run);
    g_free(output);
    g_free(directory);
    return records;
}

/* Reports the energy that PAPI measured in the recording, where the kernel's files do not tell it.  Returns why there
 * is none; NULL: there is, or PAPI was not asked.  Free with g_free. */
static char *tell_energy_by_papi(const char *records, gboolean *is_there)
{
    static const char label_end[] = " [µJ] (RAPL by PAPI)", note[] = "\"sensors (RAPL by PAPI): ";
    GString *names = g_string_new(NULL);
    for (const char *at = records; at && (at = strstr(at, " define ")); at += strlen(" define ")) {
        char *label = text_of(at);
        if (label && g_str_has_suffix(label, label_end))
            g_string_append_printf(names, "%s%.*s", names->len ? ", " : "", (int)(strlen(label) - strlen(label_end)),
                                   label);
        g_free(label);
    }
    *is_there = names->len > 0;
    if (*is_there)
        tell(WORKS, "sensors", "energy: %s (RAPL by PAPI)", names->str);
    g_string_free(names, TRUE);
    const char *why = records ? strstr(records, note) : NULL;
    return why ? g_strndup(why + strlen(note), strcspn(why + strlen(note), "\"")) : NULL;
}

/* Sensors of one origin that can be read, or that cannot be read for the same reason. */
typedef struct {
    enum tnd_sensor_kind kind;
    const char *origin, *path; /* of the first sensor */
    int error;                 /* 0: they can be read */
    guint n;
    GString *names; /* of the first few sensors */
} SensorGroup;

#define NAMES_TOLD 6

static const char *const sensor_kinds[] = {"temperature", "power", "energy", "others"};

static void add_to_group(GArray *groups, const struct tnd_sensor *sensor, int error)
{
    guint i = 0;
    for (; i < groups->len; i++) {
        const SensorGroup *group = &g_array_index(groups, SensorGroup, i);
        if (group->kind == sensor->kind && group->error == error && strcmp(group->origin, sensor->origin) == 0)
            break;
    }
    if (i == groups->len) {
        SensorGroup group = {sensor->kind, sensor->origin, sensor->path, error, 0, g_string_new(NULL)};
        g_array_append_val(groups, group);
    }
    SensorGroup *group = &g_array_index(groups, SensorGroup, i);
    if (group->n++ < NAMES_TOLD)
        g_string_append_printf(group->names, "%s%s", group->n > 1 ? ", " : "", sensor->name);
}

static void tell_group(const SensorGroup *group, const char *root)
{
    char *more = group->n > NAMES_TOLD ? g_strdup_printf(" and %u more", group->n - NAMES_TOLD) : g_strdup("");
    char *what = g_strdup_printf("%s: %s%s (%s)", sensor_kinds[group->kind], group->names->str, more, group->origin);
    if (!group->error)
        tell(WORKS, "sensors", "%s", what);
    else if (group->error == EACCES)
        tell(NOTE, "sensors", "%s: %s%s: only root may read it.  To let everybody until the next boot: chmod a+r %s%s",
             what, root, group->path, root,
             group->kind == TND_SENSOR_ENERGY ? "/sys/class/powercap/intel-rapl:*/energy_uj" : group->path);
    else
        tell(NOTE, "sensors", "%s: %s%s: %s", what, root, group->path,
             group->error == ERANGE ? "says what cannot be" : g_strerror(group->error));
    g_free(what);
    g_free(more);
}

/* Reads each of the sensors in files that `record --sensors` would read; those of PAPI were read by the recording. */
static void examine_sensors(const char *records)
{
    const char *given = g_getenv("TANDEM_SYSFS_ROOT"), *root = given && strcmp(given, "/") != 0 ? given : "";
    struct tnd_sensor *sensors = g_new(struct tnd_sensor, TND_SENSOR_FILES_MAX);
    guint n = tnd_sensor_files_find(root, sensors, TND_SENSOR_FILES_MAX);
    gboolean has_temperature = FALSE, has_power = FALSE;
    GArray *groups = g_array_new(FALSE, FALSE, sizeof(SensorGroup));
    for (guint i = 0; i < n; i++) {
        int64_t value;
        int error = tnd_sensor_files_read(root, &sensors[i], &value);
        has_temperature |= sensors[i].kind == TND_SENSOR_TEMPERATURE;
        has_power |= !error && (sensors[i].kind == TND_SENSOR_POWER || sensors[i].kind == TND_SENSOR_ENERGY);
        add_to_group(groups, &sensors[i], error);
    }
    for (guint i = 0; i < groups->len; i++) {
        SensorGroup *group = &g_array_index(groups, SensorGroup, i);
        tell_group(group, root);
        g_string_free(group->names, TRUE);
    }
    if (!has_temperature)
        tell(NOTE, "sensors",
             "no temperature: neither %s/sys/class/hwmon nor thermal has one.  Most virtual machines "
             "have none",
             root);
    gboolean is_by_papi;
    char *why = tell_energy_by_papi(records, &is_by_papi);
    if (!has_power && !is_by_papi)
        tell(NOTE, "sensors",
             "nothing measures power here%s%s%s: record --power-model computes it from how busy the CPUs are",
             why ? " (RAPL by PAPI: " : "", why ? why : "", why ? ")" : "");
    g_free(why);
    g_array_unref(groups);
    g_free(sensors);
}

/* Reports an MPI library by the first words of its version text, which may be asked for before MPI_Init. */
static void tell_mpi(void *library, const char *preload, gboolean is_there)
{
    typedef int (*version_call)(char *, int *);
    char text[8192] = "an MPI";
    int length;
    version_call ask;
    *(void **)&ask = dlsym(library, "MPI_Get_library_version");
    if (ask)
        ask(text, &length);
    text[strcspn(text, ",\n")] = 0;
    g_strdelimit(text, "\t", ' ');
    if (is_there)
        tell(WORKS, "MPI", "%s is there to preload, for %s", preload, text);
    else
        tell(NOTE, "MPI", "%s is not installed, so calls of %s are not recorded: build tandem with it", preload, text);
}

static void examine_mpi(void)
{
    static const struct {
        const char *name, *preload;
    } libraries[] = {{"libmpi.so.40", "libtandem.so"}, {"libmpich.so.12", "libtandem-mpich.so"}};
    gboolean is_any = FALSE;
    for (gsize i = 0; i < G_N_ELEMENTS(libraries); i++) {
        void *library = dlopen(libraries[i].name, RTLD_LAZY | RTLD_LOCAL);
        char *preload = tnd_preload_find(libraries[i].preload);
        if (library)
            tell_mpi(library, libraries[i].preload, preload != NULL);
        is_any |= library != NULL;
        free(preload);
    }
    if (!is_any)
        tell(NOTE, "MPI",
             "the loader knows no libmpi.so.40 (Open MPI) and no libmpich.so.12 (MPICH); a program that has "
             "its own is recorded all the same");
}

static void examine_space(void)
{
    struct statvfs space;
    char *here = g_get_current_dir();
    if (g_access(here, W_OK) != 0 || statvfs(here, &space) != 0) {
        tell(NOTE, "space", "%s: %s: choose where traces go with --output", here, g_strerror(errno));
    } else {
        guint64 free_bytes = (guint64)space.f_bavail * space.f_frsize;
        char *size = g_format_size_full(free_bytes, G_FORMAT_SIZE_IEC_UNITS);
        tell(free_bytes < 1 << 30 ? NOTE : WORKS, "space", "%s free in %s%s", size, here,
             free_bytes < 1 << 30 ? ": recording stops when it is full" : "");
        g_free(size);
    }
    g_free(here);
}

/* Prints the calls from `at` on that have the same text.  Returns the index of the next call. */
static unsigned print_group(unsigned at)
{
    const char *text = tnd_mpi_calls[at].text;
    int column = 0;
    printf("\n  %s\n", text);
    for (; at < tnd_mpi_calls_n && strcmp(tnd_mpi_calls[at].text, text) == 0; at++) {
        int length = (int)strlen(tnd_mpi_calls[at].name);
        if (column == 0 || column + 1 + length > 100)
            column = printf("%s    %s", column ? "\n" : "", tnd_mpi_calls[at].name) - (column > 0);
        else
            column += printf(" %s", tnd_mpi_calls[at].name);
    }
    putchar('\n');
    return at;
}

static void print_groups(bool is_more)
{
    for (unsigned at = 0; at < tnd_mpi_calls_n;)
        if (tnd_mpi_calls[at].is_more == is_more)
            at = print_group(at);
        else
            at++;
}

static void print_calls(void)
{
    unsigned n_more = 0;
    for (unsigned i = 0; i < tnd_mpi_calls_n; i++)
        n_more += tnd_mpi_calls[i].is_more;
    printf("%u MPI calls have a wrapper, as far as the library has them; MPI_X_c, with large counts, is MPI_X.\n"
           "\n%u are recorded with more than their enter and leave:\n",
           tnd_mpi_calls_n, n_more);
    print_groups(true);
    printf("\n%u with enter and leave only:\n", tnd_mpi_calls_n - n_more);
    print_groups(false);
}

int tnd_cli_doctor(int argc, char **argv)
{
    gboolean mpi = FALSE;
    const GOptionEntry entries[] = {
        {"mpi", 'm', 0, G_OPTION_ARG_NONE, &mpi, "List the MPI calls, and what is recorded of each", NULL},
        G_OPTION_ENTRY_NULL,
    };
    int status;
    if (!tnd_cli_options(&argc, &argv, entries, "",
                         "Checks what works on this machine, and says what to do about the rest.", &status))
        return status;
    if (argc > 1) {
        tnd_cli_complain("doctor", "takes no arguments (see `tandem doctor --help`)");
        return TND_EXIT_USAGE;
    }
    if (mpi) {
        print_calls();
        return TND_EXIT_FINE;
    }
    examine_library();
    char *records = examine_recording();
    examine_sensors(records);
    g_free(records);
    examine_mpi();
    examine_space();
    return worst == FAILS ? TND_EXIT_INPUT : TND_EXIT_FINE;
}
