/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `tandem record`: makes the run directory, runs the command with the library preloaded, makes the trace.
 *
 * The library records.  All settings go to it through the environment, by the names of run/setting.h.  Under a launcher
 * (mpirun -n 4 tandem record -- ./app) several `tandem record` share one run, and the last one to end makes the trace.
 */
#include "analysis/merge/base/run_files.h"
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/launch.h"
#include "cli/library_wishes.h"
#include "cli/merging.h"
#include "cli/preload.h"
#include "run/attendance.h"
#include "run/job.h"
#include "run/rank_marks.h"
#include "run/rundir.h"
#include "run/setting.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* A setting, and its value as text; NULL: not set. */
struct setting {
    const char *placeholder; /* of its value in --help; NULL: it is a flag */
    const char *name, *also, *standard, *takes, *help;
    gboolean (*is_valid)(const char *text, const char *takes);
    char *option; /* on the command line */
    char *value;
    char **lists;      /* of a list, which may be given in several options */
    gboolean is_given; /* of a flag: the option that reverses it is given */
};

#define VALIDATE(kind)                                                                                                 \
    static gboolean takes_##kind(const char *text, const char *takes)                                                  \
    {                                                                                                                  \
        TND_VALUE_##kind value;                                                                                        \
        return tnd_value_##kind(&value, text, takes);                                                                  \
    }
VALIDATE(period)
VALIDATE(size)
VALIDATE(number)
VALIDATE(flag)
VALIDATE(text)
VALIDATE(list)

#define PLACEHOLDER_period "TIME"
#define PLACEHOLDER_size "SIZE"
#define PLACEHOLDER_number "N"
#define PLACEHOLDER_text "FILE"
#define PLACEHOLDER_list "LIST"
#define PLACEHOLDER_flag NULL

#define ENTRY(kind, field, name, also, standard, takes, help)                                                          \
    {PLACEHOLDER_##kind, name, also, standard, takes, help, takes_##kind, NULL, NULL, NULL, FALSE},
static struct setting settings[] = {TND_SETTING_TABLE(ENTRY)};

static gboolean is_flag(const struct setting *setting)
{
    return !setting->placeholder;
}

static gboolean is_list(const struct setting *setting)
{
    return setting->is_valid == takes_list;
}

static char *variable_of(const struct setting *setting)
{
    char *name = g_ascii_strup(setting->name, -1);
    char *variable = g_strconcat("TANDEM_", g_strdelimit(name, "-", '_'), NULL);
    g_free(name);
    return variable;
}

/* The value of a setting in the environment, as the library reads it; NULL: it has none.  *variable: the name of the
 * variable, to be freed with g_free. */
static const char *look_up(const struct setting *setting, char **variable)
{
    *variable = variable_of(setting);
    const char *value = g_getenv(*variable);
    if (!value && setting->also[0]) {
        g_free(*variable);
        *variable = g_strdup(setting->also);
        value = g_getenv(*variable);
    }
    return value && value[0] ? value : NULL;
}

/* The value of a setting: that of the option, else of the environment, else the default. */
static const char *value_of(const char *name)
{
    for (gsize i = 0; i < G_N_ELEMENTS(settings); i++) {
        const struct setting *setting = &settings[i];
        if (strcmp(setting->name, name) != 0)
            continue;
        if (setting->value)
            return setting->value;
        char *variable;
        const char *value = look_up(setting, &variable);
        g_free(variable);
        return value ? value : setting->standard;
    }
    g_return_val_if_reached("");
}

static gboolean is_on(const char *name)
{
    return strcmp(value_of(name), "1") == 0;
}

/* The text of a setting in --help; never freed, like the options. */
static const char *describe(const struct setting *setting, gboolean is_turned)
{
    if (is_turned)
        return g_strconcat("do not ", setting->help, NULL);
    if (is_flag(setting) || strchr(setting->takes, '|'))
        return setting->help;
    return g_strdup_printf("%s (%s)", setting->help, setting->takes);
}

static const char *placeholder_of(const struct setting *setting)
{
    if (strchr(setting->takes, '|'))
        return setting->takes;
    return g_str_has_prefix(setting->takes, "a directory") ? "DIRECTORY" : setting->placeholder;
}

/* Makes an option for each setting; a flag that is on by default gets --no-NAME. */
static GOptionEntry *make_entries(void)
{
    GOptionEntry *entries = g_new0(GOptionEntry, G_N_ELEMENTS(settings) + 1), *entry = entries;
    for (gsize i = 0; i < G_N_ELEMENTS(settings); i++) {
        struct setting *setting = &settings[i];
        if (strcmp(setting->takes, "set by tandem") == 0)
            continue;
        gboolean is_turned = is_flag(setting) && strcmp(setting->standard, "1") == 0;
        setting->option = is_turned ? g_strconcat("no-", setting->name, NULL) : g_strdup(setting->name);
        entry->long_name = setting->option;
        entry->short_name = strcmp(setting->name, "output") == 0 ? 'o' : strcmp(setting->name, "force") == 0 ? 'f' : 0;
        entry->arg = is_flag(setting)   ? G_OPTION_ARG_NONE
                     : is_list(setting) ? G_OPTION_ARG_STRING_ARRAY
                                        : G_OPTION_ARG_STRING;
        entry->arg_data = is_flag(setting)   ? (gpointer)&setting->is_given
                          : is_list(setting) ? (gpointer)&setting->lists
                                             : (gpointer)&setting->value;
        if (!is_flag(setting))
            entry->arg_description = placeholder_of(setting);
        entry->description = describe(setting, is_turned);
        entry++;
    }
    return entries;
}

/* Whether a value cannot be used: an output that is a directory, or a file of functions or power that cannot be read.
 * The path of such a file is made absolute, because the program may change its directory. */
static gboolean is_of_no_use(struct setting *setting)
{
    static const char *const words[] = {"none", "all", "auto", NULL};
    if (strcmp(setting->name, "output") == 0)
        return g_str_has_suffix(value_of("output"), "/");
    gboolean is_python = strcmp(setting->name, "python") == 0, is_model = strcmp(setting->name, "power-model") == 0;
    if (!setting->value || (!is_model && !(is_python && !g_strv_contains(words, setting->value))))
        return FALSE;
    char *path = g_canonicalize_filename(setting->value, NULL);
    gboolean is_there = g_access(path, R_OK) == 0;
    g_free(is_there ? setting->value : path);
    if (is_there)
        setting->value = path;
    return !is_there;
}

/* Complains of a faulty value of the option or of the environment. */
static gboolean check(struct setting *setting)
{
    char *variable, *option = g_strconcat("--", setting->option, NULL);
    const char *value = look_up(setting, &variable), *where = setting->value ? option : variable;
    if (setting->value)
        value = setting->value;
    gboolean is_good = !is_of_no_use(setting) && (!value || setting->is_valid(value, setting->takes));
    if (!is_good) {
        gsize n;
        const char *wrong = tnd_value_wrong(value, setting->takes, &n);
        tnd_cli_complain("record", "%s: got \"%.*s\", takes %s", where, (int)n, wrong, setting->takes);
    }
    g_free(option);
    g_free(variable);
    return is_good;
}

/* Puts what is in a file, one word a line, in the place of "@FILE".  FALSE: complained. */
static gboolean read_list(const struct setting *setting, char **list)
{
    char *text, *path = *list + 1;
    GError *error = NULL;
    if (**list != '@')
        return TRUE;
    if (!g_file_get_contents(path, &text, NULL, &error)) {
        tnd_cli_complain_error(&error);
        return FALSE;
    }
    GString *words = g_string_new(NULL);
    char **lines = g_strsplit(text, "\n", -1);
    for (guint i = 0; lines[i]; i++)
        if (*g_strstrip(lines[i]) && *lines[i] != '#')
            g_string_append_printf(words, "%s%s", words->len ? "," : "", lines[i]);
    gboolean is_good = words->len > 0 && words->len < TND_LAUNCH_MOST_BYTES;
    if (!is_good)
        tnd_cli_complain(path, "%s for --%s", words->len ? "is too long" : "has no line", setting->option);
    g_strfreev(lines);
    g_free(text);
    g_free(*list);
    *list = g_string_free(words, FALSE);
    return is_good;
}

static gboolean take_options(int *argc, char ***argv, int *status)
{
    GOptionEntry *entries = make_entries();
    gboolean parsed = tnd_cli_options(argc, argv, entries, "[--] COMMAND [ARGUMENTS]",
                                      "Runs a command, records what it does, and makes a trace of it.", status);
    g_free(entries);
    for (gsize i = 0; i < G_N_ELEMENTS(settings) && parsed; i++) {
        struct setting *setting = &settings[i];
        if (setting->is_given)
            setting->value = g_strdup(strcmp(setting->standard, "1") == 0 ? "0" : "1");
        for (guint k = 0; setting->lists && setting->lists[k] && parsed; k++)
            parsed = read_list(setting, &setting->lists[k]);
        if (setting->lists)
            setting->value = g_strjoinv(",", setting->lists);
        parsed = parsed && check(setting);
        if (!parsed)
            *status = TND_EXIT_USAGE;
    }
    return parsed;
}

/* Who records by the command wants to see where the time goes: the command samples unless told otherwise, at a rate
 * whose cost nobody notices. */
#define USUAL_PERIOD "10ms"

static void sample_by_default(void)
{
    if (strchr(value_of("sampling-clock"), ':')) /* a clock that counts, and has no period */
        return;
    for (gsize i = 0; i < G_N_ELEMENTS(settings); i++) {
        struct setting *setting = &settings[i];
        if (strcmp(setting->name, "sampling-period") != 0 || setting->value)
            continue;
        char *variable;
        if (!look_up(setting, &variable))
            setting->value = g_strdup(USUAL_PERIOD);
        g_free(variable);
    }
}

static char *stem_of(char **command)
{
    const char *output = value_of("output");
    if (!output[0])
        return tnd_launch_name(command);
    return tnd_merging_stem(output);
}

static const char *output_ending(void)
{
    return g_str_has_suffix(value_of("output"), ".gz") ? ".prv.gz" : ".prv";
}

/* Whether the trace may have the name that the user gave it; known before the command runs. */
static gboolean may_write(char **command)
{
    char *stem = stem_of(command), *path = g_strconcat(stem, output_ending(), NULL);
    gboolean may = !value_of("output")[0] || !is_on("merge") || tnd_cli_may_write(path, is_on("force"));
    g_free(path);
    g_free(stem);
    return may;
}

/* The path of the run directory, in the directory of the trace.  *output: a line for its file `run` that says where the
 * trace goes, or "". */
static char *localize(char *stem, char **output)
{
    const char *local = value_of("local-directory");
    *output = g_strdup("");
    if (!local[0])
        return stem;
    char *absolute = g_canonicalize_filename(stem, NULL), *name = g_path_get_basename(stem);
    char *localized = g_build_filename(local, name, NULL);
    g_free(*output);
    *output = g_strdup_printf("output=%s%s\n", absolute, output_ending());
    g_free(absolute);
    g_free(name);
    g_free(stem);
    return localized;
}

static const char *lookup(const char *variable)
{
    return g_getenv(variable);
}

/* Our part in a run: its directory, and the lock of a member of a launcher's job. */
struct part {
    char *refusal; /* why there is no directory, and the command runs without being recorded; NULL: there is one */
    struct tnd_preload_program program;
    struct tnd_rundir run;
    int member_fd;
    unsigned n_members;
};

static void tell_refusal(const char *stem, int error)
{
    char *path = g_strconcat(stem, TND_RUNDIR_ENDING, NULL);
    tnd_cli_complain(path, "cannot be made: %s%s", g_strerror(error),
                     value_of("output")[0] ? "" : "; --output FOLDER/app.prv writes elsewhere");
    g_free(path);
}

/* Why nothing can be recorded under a limit that the user has set for the command, which runs all the same; NULL: it
 * can be.  Free with g_free. */
static char *refuse(void)
{
    struct rlimit limit;
    uint64_t n_bytes;
    gboolean is_small = getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
                        tnd_value_size(&n_bytes, value_of("buffer"), TND_SETTING_BUFFER_TAKES) &&
                        limit.rlim_cur < n_bytes;
    return is_small ? g_strdup_printf("files may have %" G_GUINT64_FORMAT " bytes (ulimit -f), and a thread's has %s "
                                      "(--buffer)",
                                      (guint64)limit.rlim_cur, value_of("buffer"))
                    : NULL;
}

/* FALSE: complained, and the command is not to run. */
static gboolean join(struct part *part, char **command)
{
    *part = (struct part){.member_fd = -1, .refusal = refuse(), .program = tnd_preload_look(command[0])};
    if (part->refusal)
        return TRUE;
    char job[TND_JOB_KEY_MAX];
    tnd_job_key(lookup, job);
    char *output, *stem = localize(stem_of(command), &output);
    char *text = g_strdup_printf("host=%s\npid=%d\nstart_ns=%" G_GINT64_FORMAT "000\n%s", g_get_host_name(), getpid(),
                                 g_get_real_time(), output);
    g_free(output);
    int error = tnd_rundir_make(stem, text, job, is_on("force"), &part->run);
    if (error)
        tell_refusal(stem, error);
    g_free(text);
    g_free(stem);
    if (error)
        return FALSE;
    if (job[0]) {
        char *key = g_strdup_printf("%s.%d", g_get_host_name(), getpid());
        part->member_fd = tnd_attendance_enter(part->run.path, key);
        part->n_members = tnd_job_size(lookup);
        g_free(key);
    }
    return TRUE;
}

static char **make_environment(const struct part *part, const char *library)
{
    char **environment = g_get_environ();
    if (part->refusal)
        return environment;
    char *run = g_strdup_printf("%s:%d:%016x", part->run.path, getpid(), 0);
    environment = g_environ_setenv(environment, "TANDEM_RUN", run, TRUE);
    for (gsize i = 0; i < G_N_ELEMENTS(settings); i++) {
        char *variable = variable_of(&settings[i]);
        if (settings[i].value)
            environment = g_environ_setenv(environment, variable, settings[i].value, TRUE);
        g_free(variable);
    }
    g_free(run);
    tnd_preload_note_missed(&part->program, part->run.path);
    return tnd_preload_into(&part->program, library, environment);
}

/* Makes the trace; FALSE: complained, and the run directory is kept. */
static gboolean merge(const char *path)
{
    const char *output = value_of("output");
    char *zipped = NULL;
    if (g_str_has_suffix(output, ".gz") && !value_of("local-directory")[0]) {
        char *stem = g_strndup(path, strlen(path) - strlen(TND_RUNDIR_ENDING));
        zipped = g_strconcat(stem, output_ending(), NULL);
        g_free(stem);
    }
    const TndMergeOptions options = {
        .run_directory = path, .output = zipped, .force = is_on("force"), .has_task_creation = is_on("task-creation")};
    gboolean merged = tnd_merging_finish(&options);
    g_free(zipped);
    return merged;
}

/* Waits a moment for processes that a launcher has killed and that may outlive it.  Those that live longer are meant
 * to.
 */
static void wait_for_the_dying(const char *path)
{
    enum { TRIES = 25, PAUSE_US = 20000 };
    for (int i = 0; i < TRIES && tnd_attendance_is_alive(path); i++)
        g_usleep(PAUSE_US);
}

/* Called when the command has ended or could not be started: makes the trace, unless another process will. */
static void leave(struct part *part, gboolean is_started)
{
    const char *path = part->run.path;
    if (part->refusal) {
        tnd_cli_complain("record", "nothing was recorded: %s", part->refusal);
        return;
    }
    unsigned n_expected = tnd_rank_marks_is(path, TND_RANK_MARKS_COMPLETE) ? 0 : part->n_members;
    if (part->member_fd >= 0 && !tnd_attendance_leave(path, part->member_fd, n_expected))
        return;
    wait_for_the_dying(path);
    GPtrArray *images = tnd_run_files_list(path, NULL);
    if (!images) {
        if (is_started)
            tnd_preload_complain(&part->program, path);
        tnd_rundir_remove(path);
        return;
    }
    g_ptr_array_unref(images);
    enum tnd_rank_marks_end end = tnd_rank_marks_end(path);
    if (end == TND_RANK_MARKS_REMOVE)
        tnd_merging_remove(path);
    else if (end == TND_RANK_MARKS_KEEP)
        tnd_cli_complain(path,
                         "kept: the job has ranks on other nodes; `tandem merge` puts the run directories of several "
                         "nodes together");
    else if (is_on("merge") && merge(path) && !is_on("keep"))
        tnd_merging_remove(path);
}

/* A process in a session of its own that holds the member's lock, and merges if we are the last member.  A launcher
 * that aborts a job kills its processes milliseconds after asking them to end, so that we may not get to it.  The
 * keeper starts when we are gone, for whatever reason: when the pipe that only we hold is closed. */
struct keeper {
    pid_t pid; /* 0: there is none */
    int pipe_fd;
};

G_NORETURN static void keep(struct part *part, int pipe_fd)
{
    static const int ignored[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE};
    char byte; /* is sent if the command could not be started */
    ssize_t n;
    setsid();
    for (gsize i = 0; i < G_N_ELEMENTS(ignored); i++)
        signal(ignored[i], SIG_IGN);
    while ((n = read(pipe_fd, &byte, 1)) < 0 && errno == EINTR)
        ;
    leave(part, n == 0);
    fflush(NULL);
    _exit(0);
}

static struct keeper start_keeper(struct part *part)
{
    struct keeper keeper = {0, -1};
    int ends[2];
    if (part->member_fd < 0 || pipe2(ends, O_CLOEXEC) != 0)
        return keeper;
    keeper.pid = fork();
    if (keeper.pid == 0) {
        close(ends[1]);
        keep(part, ends[0]);
    }
    close(ends[0]);
    if (keeper.pid < 0) {
        close(ends[1]);
        keeper.pid = 0;
        return keeper;
    }
    keeper.pipe_fd = ends[1];
    close(part->member_fd); /* only the keeper holds it from here on */
    part->member_fd = -1;
    return keeper;
}

static void end_keeper(const struct keeper *keeper, gboolean is_started)
{
    while (!is_started && write(keeper->pipe_fd, "", 1) < 0 && errno == EINTR)
        ;
    close(keeper->pipe_fd);
    while (waitpid(keeper->pid, NULL, 0) < 0 && errno == EINTR)
        ;
}

/* Sets what the library is told of a setting that only the command knows; "" clears what the environment has. */
static void tell(const char *name, char *value)
{
    gboolean is_told = *value || *value_of(name);
    for (gsize i = 0; is_told && i < G_N_ELEMENTS(settings); i++)
        if (strcmp(settings[i].name, name) == 0)
            settings[i].value = value;
}

/* Finds out which functions of libraries are recorded by default, and where the arguments and results are that are to
 * be recorded; FALSE: complained. */
static gboolean plan_library(char **command)
{
    GError *error = NULL;
    char *defaults = NULL, *program = g_find_program_in_path(*tnd_launch_program(command));
    char *plan = tnd_library_wishes_plan(value_of("library"), value_of("library-values"), program, &defaults, &error);
    g_free(program);
    if (plan) {
        tell("library-plan", plan);
        tell("library-default", defaults);
    } else
        tnd_cli_complain("record", "--library-values: %s", error->message);
    g_clear_error(&error);
    return plan != NULL;
}

int tnd_cli_record(int argc, char **argv)
{
    int status;
    if (!take_options(&argc, &argv, &status))
        return status;
    tnd_launch_outlive_limits();
    sample_by_default();
    char **command = argv + 1;
    if (argc > 1 && strcmp(command[0], "--") == 0)
        command++;
    if (!command[0]) {
        tnd_cli_complain("record", "takes a command (see `tandem record --help`)");
        return TND_EXIT_USAGE;
    }
    char *library = tnd_preload_choose(command, is_on("mpi") ? value_of("mpi-library") : "openmpi",
                                       strcmp(value_of("heap"), "none") != 0);
    if (!library)
        return TND_EXIT_INPUT;
    struct part part;
    if (!plan_library(command))
        return TND_EXIT_USAGE;
    if (!may_write(command) || !join(&part, command))
        return TND_EXIT_INPUT;
    char **environment = make_environment(&part, library);
    struct keeper keeper = start_keeper(&part);
    GError *error = NULL;
    status = tnd_launch_run(command, environment, &error);
    if (error)
        tnd_cli_complain(command[0], "%s", error->message);
    if (keeper.pid)
        end_keeper(&keeper, !error);
    else
        leave(&part, !error);
    g_clear_error(&error);
    tnd_interrupt_die();
    if (status < 0)
        tnd_interrupt_die_as(-status);
    g_strfreev(environment);
    g_free(part.refusal);
    g_free(part.program.path);
    free(library);
    return status;
}
