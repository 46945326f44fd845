/* SPDX-License-Identifier: Apache-2.0
 *
 * TANDEM_RUN is "<path>:<pid of the root>:<image id of the parent, 16 hexadecimal digits>", one variable of ours in the
 * children's environment.  Its text is a buffer here, so that the child of a fork can put its own image id in without
 * allocating.
 *
 * Context: as root.h says.
 */
#include "runtime/root.h"

#include "run/attendance.h"
#include "run/gate.h"
#include "run/job.h"
#include "run/program_name.h"
#include "run/rank_marks.h"
#include "run/rundir.h"
#include "runtime/clock.h"
#include "runtime/config.h"
#include "runtime/target.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define VARIABLE "TANDEM_RUN="
#define NO_RUN "none" /* its root could not make one */

static struct {
    char path[TND_RUNDIR_PATH_MAX];
    char variable[sizeof VARIABLE + TND_RUNDIR_PATH_MAX + 40];
    char tool[PATH_MAX];
    uint64_t parent_image;
    bool is_root;  /* this process, by its number: kept through exec */
    bool is_made;  /* the run, by this process */
    int member_fd; /* -1: the run has one root */
    unsigned n_members;
} root = {.member_fd = -1};

const char *tnd_root_path(void)
{
    return root.path;
}

uint64_t tnd_root_parent_image(void)
{
    return root.parent_image;
}

/* Cuts ":<text>" off the end of path and returns the text; NULL if there is none. */
static char *cut_last(char *path)
{
    char *colon = strrchr(path, ':');
    if (colon)
        *colon++ = 0;
    return colon;
}

/* Makes a run directory of that name, or joins the job's.  This process is its root then.  output: a line for the file
 * `run` that says where the trace goes, or "". */
static int make_at(const char *stem, const char *output, const char *job)
{
    static struct tnd_rundir made;
    char host[256], text[TND_RUNDIR_PATH_MAX + 1024];
    snprintf(root.path, sizeof root.path, "%s" TND_RUNDIR_ENDING, stem);
    tnd_target_host(host, sizeof host);
    snprintf(text, sizeof text, "host=%s\npid=%d\nstart_ns=%llu\n%s", host, (int)tnd_target_process_id(),
             (unsigned long long)tnd_clock_realtime_ns(), output);
    int error = tnd_rundir_make(stem, text, job, tnd_config.force, &made);
    if (error)
        return error;
    memcpy(root.path, made.path, sizeof root.path);
    root.is_root = root.is_made = true;
    return 0;
}

/* Whether the job has ranks on other nodes, so that TANDEM_RUN may name a directory that only those see. */
static bool is_elsewhere(void)
{
    unsigned n_here = tnd_job_local_size(tnd_config_lookup);
    return n_here && n_here < tnd_job_size(tnd_config_lookup);
}

/* Makes a run directory on this node for the run that root.path names: under that path, or else in the working
 * directory. */
static int make_here(const char *job)
{
    char stem[TND_RUNDIR_PATH_MAX];
    size_t n = strlen(root.path), n_ending = strlen(TND_RUNDIR_ENDING);
    snprintf(stem, sizeof stem, "%s", root.path);
    if (n > n_ending && strcmp(stem + n - n_ending, TND_RUNDIR_ENDING) == 0)
        stem[n - n_ending] = 0;
    int error = make_at(stem, "", job);
    const char *name = strrchr(stem, '/');
    return error && name ? make_at(name + 1, "", job) : error;
}

static int join(const char *value, const char *job)
{
    char text[TND_RUNDIR_PATH_MAX];
    if (strcmp(value, NO_RUN) == 0)
        return -1;
    snprintf(text, sizeof text, "%s", value);
    char *image = cut_last(text);
    char *pid = image ? cut_last(text) : NULL;
    if (!pid) {
        snprintf(root.path, sizeof root.path, "%s", value);
        return 0;
    }
    snprintf(root.path, sizeof root.path, "%s", text);
    root.parent_image = strtoull(image, NULL, 16);
    long number = strtol(pid, NULL, 10);
    root.is_root = number == tnd_target_process_id();
    if (access(root.path, W_OK | X_OK) != 0) {
        int error = errno;
        if (error == ENOENT && is_elsewhere())
            return make_here(job);
        bool is_over = error == ENOENT && kill((pid_t)number, 0) != 0 && errno == ESRCH;
        return is_over ? -1 : error;
    }
    return 0;
}

/* The trace's name without its ending. */
static void choose_stem(char *stem, size_t size)
{
    if (tnd_config.output && tnd_config.output[0]) {
        snprintf(stem, size, "%s", tnd_config.output);
        static const char *const endings[] = {".gz", ".prv"};
        for (int i = 0; i < 2; i++) {
            size_t n = strlen(stem), m = strlen(endings[i]);
            if (n > m && strcmp(stem + n - m, endings[i]) == 0)
                stem[n - m] = 0;
        }
        return;
    }
    tnd_program_name_of_process(tnd_target_process_id(), program_invocation_short_name, stem, size);
}

/* Whether the trace is to be compressed. */
static bool is_zipped(void)
{
    size_t n = strlen(tnd_config.output);
    return n > 3 && strcmp(tnd_config.output + n - 3, ".gz") == 0;
}

static int make(const char *job)
{
    char stem[PATH_MAX], local[2 * PATH_MAX], output[2 * PATH_MAX], here[PATH_MAX] = "";
    choose_stem(stem, sizeof stem);
    if (!tnd_config.local_directory[0])
        return make_at(stem, "", job);
    const char *name = strrchr(stem, '/');
    if (stem[0] != '/' && !getcwd(here, sizeof here))
        return errno;
    snprintf(output, sizeof output, "output=%s%s%s.prv%s\n", here, here[0] ? "/" : "", stem, is_zipped() ? ".gz" : "");
    snprintf(local, sizeof local, "%s/%s", tnd_config.local_directory, name ? name + 1 : stem);
    return make_at(local, output, job);
}

/* With a job, several processes are roots of one run, and the last one to end has the trace made. */
static void enter_job(const char *job)
{
    char of_run[TND_JOB_KEY_MAX], host[256], key[300];
    if (!root.is_root || !job[0] || !tnd_rundir_get(root.path, "job", of_run, sizeof of_run) ||
        strcmp(of_run, job) != 0)
        return;
    tnd_target_host(host, sizeof host);
    snprintf(key, sizeof key, "%s.%d", host, (int)tnd_target_process_id());
    int fd = tnd_attendance_enter(root.path, key);
    root.member_fd = fd < 0 ? -1 : fd;
    root.n_members = tnd_job_size(tnd_config_lookup);
}

void tnd_root_refuse(void)
{
    static char variable[] = VARIABLE NO_RUN;
    putenv(variable);
}

int tnd_root_start(void)
{
    char job[TND_JOB_KEY_MAX];
    tnd_job_key(tnd_config_lookup, job);
    bool named = tnd_config.run && tnd_config.run[0];
    int error = named ? join(tnd_config.run, job) : make(job);
    if (error)
        return error;
    enter_job(job);
    if (!tnd_target_tool(root.tool, sizeof root.tool))
        root.tool[0] = 0;
    if (root.is_made)
        snprintf(root.variable, sizeof root.variable, VARIABLE "%s:%d:%016llx", root.path, (int)tnd_target_process_id(),
                 0ULL);
    else
        snprintf(root.variable, sizeof root.variable, VARIABLE "%s", tnd_config.run);
    if (!tnd_gate_hides_run(environ))
        putenv(root.variable);
    return 0;
}

const char *tnd_root_for_children(void)
{
    return root.variable[0] ? root.variable + strlen(VARIABLE) : "";
}

void tnd_root_set_image(uint64_t image)
{
    size_t n = strlen(root.variable);
    if (n < 17 || root.variable[n - 17] != ':')
        return;
    for (int i = 1; i <= 16; i++, image >>= 4)
        root.variable[n - (size_t)i] = "0123456789abcdef"[image & 15];
}

void tnd_root_fork_child(void)
{
    root.is_root = false;
    if (root.member_fd >= 0)
        close(root.member_fd);
    root.member_fd = -1;
}

void tnd_root_trouble(const char *what, int error)
{
    static bool has_said;
    static char line[TND_RUNDIR_PATH_MAX + 300];
    if (__atomic_test_and_set(&has_said, __ATOMIC_RELAXED) ||
        tnd_target_mark(root.path, TND_RUNDIR_TROUBLE_FILE) == EEXIST)
        return;
    const char *why = strerrordesc_np(error);
    snprintf(line, sizeof line, "tandem: %s: %s: %s; not recording\n", root.path, what, why ? why : "unknown error");
    tnd_target_say(line);
}

/* How many members must have entered before one can be the last; 0: no more than have. */
static unsigned n_expected(void)
{
    return tnd_rank_marks_is(root.path, TND_RANK_MARKS_COMPLETE) ? 0 : root.n_members;
}

/* Writes out what the program printed and libc still buffers: it must not wait for the merge, nor be lost if the
 * process is killed meanwhile. */
static void let_output_go(FILE *file)
{
    if (ftrylockfile(file) != 0)
        return;
    fflush_unlocked(file);
    funlockfile(file);
}

static void merge(bool will_flush)
{
    char message[2 * TND_RUNDIR_PATH_MAX + 200], zipped[TND_RUNDIR_PATH_MAX];
    if (will_flush) {
        let_output_go(stdout);
        let_output_go(stderr);
    }
    char *arguments[11] = {root.tool, "merge", "--quiet", "--alone"};
    int n = 4;
    if (tnd_config.force)
        arguments[n++] = "--force";
    if (tnd_config.task_creation)
        arguments[n++] = "--task-creation";
    if (!tnd_config.keep)
        arguments[n++] = "--remove";
    if (is_zipped() && !tnd_config.local_directory[0]) {
        size_t n_stem = strlen(root.path) - strlen(TND_RUNDIR_ENDING);
        snprintf(zipped, sizeof zipped, "%.*s.prv.gz", (int)n_stem, root.path);
        arguments[n++] = "-o";
        arguments[n++] = zipped;
    }
    arguments[n] = root.path;
    int status = root.tool[0] ? tnd_target_run_tool(arguments) : -1;
    if (status >= 0 && status != 127)
        return; /* the command has printed its own message */
    snprintf(message, sizeof message, "tandem: %s: could not be merged%s; run `tandem merge %s`\n", root.path,
             root.tool[0] ? "" : " (there is no tandem command near the library)", root.path);
    tnd_target_say(message);
}

/* Part of the run is on other nodes, and was not brought here. */
static void tell_kept(void)
{
    char message[TND_RUNDIR_PATH_MAX + 300];
    snprintf(
        message, sizeof message,
        "tandem: %s: kept: the job has ranks on other nodes; `tandem merge` puts the run directories of several nodes "
        "together\n",
        root.path);
    tnd_target_say(message);
}

void tnd_root_end(const char *image_path, bool will_flush)
{
    bool is_maker = root.is_root;
    if (root.member_fd >= 0)
        is_maker = tnd_attendance_leave(root.path, root.member_fd, n_expected());
    root.member_fd = -1;
    if (!tnd_attendance_end(root.path, image_path, is_maker))
        return;
    enum tnd_rank_marks_end end = tnd_rank_marks_end(root.path);
    if (end == TND_RANK_MARKS_MERGE && tnd_config.merge)
        merge(will_flush);
    else if (end == TND_RANK_MARKS_KEEP)
        tell_kept();
    else if (end == TND_RANK_MARKS_REMOVE)
        tnd_rundir_remove(root.path);
}
