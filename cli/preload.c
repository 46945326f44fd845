/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Chooses the library to preload, and preloads it.
 */
#include "cli/preload.h"

#include "cli/cli.h"
#include "cli/launch.h"
#include "cli/library_files.h"
#include "run/gate.h"
#include "run/job.h"
#include "run/missed.h"
#include "run/rundir.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* By implementation of MPI; the second ones also wrap the allocator. */
static const char *const libraries[][2] = {
    {"libtandem.so", "libtandem-heap.so"},
    {"libtandem.so", "libtandem-heap.so"},
    {"libtandem-mpich.so", "libtandem-mpich-heap.so"},
};

/* Implementations of MPI by the beginning of a library's name.  Intel MPI, MVAPICH and Cray MPI share MPICH's ABI,
 * whose number is 12. */
static const struct {
    const char *prefix;
    enum tnd_job_mpi mpi;
} needs[] = {{"libmpich.so.", TND_JOB_MPICH}, {"libmpi.so.12", TND_JOB_MPICH}, {"libmpi.so.", TND_JOB_OPEN_MPI}};

enum { MAX_TEXT = 1 << 16, MAX_PROGRAMS = 32 };

static enum tnd_job_mpi of_list(const char *list)
{
    char **lines = g_strsplit(list, "\n", -1);
    enum tnd_job_mpi found = TND_JOB_ANY_MPI;
    for (char **line = lines; *line && !found; line++) {
        const char *name = g_strchug(*line);
        for (gsize i = 0; i < G_N_ELEMENTS(needs) && !found; i++)
            if (g_str_has_prefix(name, needs[i].prefix))
                found = needs[i].mpi;
    }
    g_strfreev(lines);
    return found;
}

static enum tnd_job_mpi of_file(const char *path)
{
    char *list = tnd_library_files_linked(path);
    enum tnd_job_mpi found = list ? of_list(list) : TND_JOB_ANY_MPI;
    g_free(list);
    return found;
}

/* The MPI of a launcher; symbolic links are followed. */
static enum tnd_job_mpi of_launcher(const char *path)
{
    char *real = realpath(path, NULL);
    char *name = g_path_get_basename(real ? real : path);
    enum tnd_job_mpi found = TND_JOB_ANY_MPI;
    tnd_job_is_launcher(name, &found);
    g_free(name);
    free(real);
    return found;
}

/* The first n bytes of a file, followed by a 0; NULL: it cannot be read. */
static char *read_start(const char *path, gsize n)
{
    FILE *file = fopen(path, "re");
    char *text = file ? g_malloc0(n + 1) : NULL;
    if (file && fread(text, 1, n, file) == 0)
        g_clear_pointer(&text, g_free);
    if (file)
        fclose(file);
    return text;
}

static gboolean is_shell(const char *path)
{
    static const char *const shells[] = {"sh", "bash", "dash", "ksh", "zsh"};
    char *name = g_path_get_basename(path);
    gboolean is = FALSE;
    for (gsize i = 0; i < G_N_ELEMENTS(shells); i++)
        is |= strcmp(name, shells[i]) == 0;
    g_free(name);
    return is;
}

/* The MPI of a shell's text: that of the first word that is a program linked with an MPI, else of a launcher in it. */
static enum tnd_job_mpi of_text(const char *text)
{
    char **words = g_strsplit_set(text, " \t\n;|&()'\"`", -1);
    enum tnd_job_mpi found = TND_JOB_ANY_MPI, launched = TND_JOB_ANY_MPI;
    int n_programs = 0;
    for (char **word = words; *word && !found && n_programs < MAX_PROGRAMS; word++) {
        char *path = (*word)[0] && (*word)[0] != '-' ? g_find_program_in_path(*word) : NULL;
        if (path) {
            n_programs++;
            launched = launched ? launched : of_launcher(path);
            found = of_file(path);
        }
        g_free(path);
    }
    g_strfreev(words);
    return found ? found : launched;
}

/* The MPI of a shell's command or script, by the shell's arguments. */
static enum tnd_job_mpi of_shell(char **arguments)
{
    gboolean is_command = FALSE;
    char **word = arguments;
    for (; *word && (*word)[0] == '-'; word++)
        is_command |= g_str_has_suffix(*word, "c") && (*word)[1] != '-';
    char *text = !*word ? NULL : is_command ? g_strdup(*word) : read_start(*word, MAX_TEXT);
    enum tnd_job_mpi found = text ? of_text(text) : TND_JOB_ANY_MPI;
    g_free(text);
    return found;
}

/* The MPI of a script that begins with "#!" and the path of a shell. */
static enum tnd_job_mpi of_script(const char *path)
{
    char *start = read_start(path, 2), *text = NULL;
    enum tnd_job_mpi found = TND_JOB_ANY_MPI;
    if (start && strcmp(start, "#!") == 0 && (text = read_start(path, MAX_TEXT))) {
        char **words = g_strsplit_set(text + 2, " \t\n", -1);
        char **interpreter = words;
        while (*interpreter && (!**interpreter || g_str_has_suffix(*interpreter, "/env")))
            interpreter++;
        found = *interpreter && is_shell(*interpreter) ? of_text(text) : TND_JOB_ANY_MPI;
        g_strfreev(words);
    }
    g_free(text);
    g_free(start);
    return found;
}

static enum tnd_job_mpi of_program(char **program)
{
    char *path = g_find_program_in_path(program[0]);
    if (!path)
        return TND_JOB_ANY_MPI;
    enum tnd_job_mpi found = is_shell(path) ? of_shell(program + 1) : of_file(path);
    if (!found)
        found = of_script(path);
    g_free(path);
    return found;
}

static enum tnd_job_mpi of_command(char **command)
{
    char **program = tnd_launch_program(command);
    enum tnd_job_mpi found = of_program(program);
    for (char **word = command; word < program && !found; word++) {
        char *path = g_find_program_in_path(*word);
        found = path ? of_launcher(path) : TND_JOB_ANY_MPI;
        g_free(path);
    }
    return found;
}

char *tnd_preload_find(const char *library)
{
    static const char *const places[] = {"..", ("../" TND_LIBDIR), "../lib"};
    char *self = g_file_read_link("/proc/self/exe", NULL);
    char *directory = self ? g_path_get_dirname(self) : NULL;
    char *found = NULL;
    for (gsize i = 0; i < G_N_ELEMENTS(places) && directory && !found; i++) {
        char *path = g_build_filename(directory, places[i], library, NULL);
        if (g_access(path, R_OK) == 0)
            found = realpath(path, NULL);
        g_free(path);
    }
    g_free(directory);
    g_free(self);
    return found;
}

char *tnd_preload_choose(char **command, const char *choice, gboolean with_heap)
{
    enum tnd_job_mpi mpi = strcmp(choice, "mpich") == 0     ? TND_JOB_MPICH
                           : strcmp(choice, "openmpi") == 0 ? TND_JOB_OPEN_MPI
                                                            : TND_JOB_ANY_MPI;
    gboolean is_free = !mpi;
    if (!mpi)
        mpi = of_command(command);
    if (!mpi)
        mpi = tnd_job_mpi(g_getenv);
    char *path = tnd_preload_find(libraries[mpi][with_heap]);
    if (!path && is_free) /* everything but MPI calls will be recorded */
        path = tnd_preload_find(libraries[TND_JOB_ANY_MPI][with_heap]);
    if (!path)
        tnd_cli_complain("record", "%s is not installed with this command", libraries[mpi][with_heap]);
    return path;
}

struct tnd_preload_program tnd_preload_look(const char *name)
{
    struct tnd_preload_program program = {.path = g_find_program_in_path(name)};
    if (!program.path)
        program.path = g_strdup(name);
    tnd_executable_look(AT_FDCWD, program.path, &program.about);
    return program;
}

char **tnd_preload_into(const struct tnd_preload_program *program, const char *library, char **environment)
{
    const char *before = g_environ_getenv(environment, "LD_PRELOAD");
    char *list = g_malloc0(tnd_gate_list(before, library, "", NULL) + 1);
    tnd_gate_list(before, library, "", list);
    environment = g_environ_setenv(environment, "LD_PRELOAD", list, TRUE);
    const struct tnd_gate gate = {.library = library, .run = g_environ_getenv(environment, "TANDEM_RUN")};
    struct tnd_gate_plan plan = tnd_gate_plan(&gate, &program->about, environment);
    if (plan.n_bytes) {
        void *room = g_malloc(plan.n_bytes);
        char **changed = g_strdupv(tnd_gate_make(&plan, room));
        g_strfreev(environment);
        g_free(room);
        environment = changed;
    }
    g_free(list);
    return environment;
}

/* Of a script, what runs it. */
static const char *path_of(const struct tnd_preload_program *program)
{
    return program->about.interpreter[0] ? program->about.interpreter : program->path;
}

void tnd_preload_note_missed(const struct tnd_preload_program *program, const char *run_directory)
{
    char name[TND_MISSED_NAME_MAX];
    if (!program->about.kind)
        return;
    tnd_missed_file((enum tnd_missed)program->about.kind, path_of(program), name);
    char *path = g_build_filename(run_directory, name, NULL);
    int fd = g_open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600); /* another rank may have done it */
    if (fd >= 0)
        close(fd);
    g_free(path);
}

void tnd_preload_complain(const struct tnd_preload_program *program, const char *run_directory)
{
    char *name = g_path_get_basename(path_of(program));
    enum tnd_missed kind = (enum tnd_missed)program->about.kind;
    char *trouble = g_build_filename(run_directory, TND_RUNDIR_TROUBLE_FILE, NULL);
    if (g_access(trouble, F_OK) == 0)
        tnd_cli_complain("record", "nothing was recorded: no record could be written, as was said at the start");
    else if (kind)
        tnd_cli_complain("record", "nothing was recorded: %s is %s (%s)", name, tnd_missed_reason(kind),
                         tnd_missed_cure(kind));
    else
        tnd_cli_complain("record",
                         "nothing was recorded: %s ended before any library was loaded (is one of its own missing?)",
                         name);
    g_free(trouble);
    g_free(name);
}
