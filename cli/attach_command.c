/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `tandem attach`: samples programs that run already, from outside (attach/), until they end, a signal comes, or a time
 * has passed; then makes the trace, as `tandem record` does.
 */
#include "attach/attach_refusal.h"
#include "attach/attach_session.h"
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/merging.h"
#include "formats/value.h"
#include "run/program_name.h"
#include "run/rundir.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct words {
    char *output, *duration, *period, *depth, *stack;
    gboolean force, keep;
    guint64 duration_ns; /* 0: no limit */
    TndAttachSessionWish wish;
    int *pids;
    guint n_pids;
};

/* Reads a value of an option; FALSE: complained. */
static gboolean read_value(const char *option, bool (*read)(uint64_t *, const char *, const char *), const char *text,
                           const char *takes, guint64 *value)
{
    uint64_t number;
    gboolean is_good = read(&number, text, takes);
    if (is_good)
        *value = number;
    else
        tnd_cli_complain("attach", "%s: got \"%s\", takes %s", option, text, takes);
    return is_good;
}

static gboolean read_values(struct words *words)
{
    guint64 depth = 0, stack = 0;
    if (!read_value("--sampling-period", tnd_value_period, words->period ? words->period : "10ms", "100us to 10s",
                    &words->wish.period_ns) ||
        !read_value("--sampling-depth", tnd_value_number, words->depth ? words->depth : "100", "0 to 128", &depth) ||
        !read_value("--stack-bytes", tnd_value_size, words->stack ? words->stack : "16k", "512 to 60k", &stack) ||
        (words->duration &&
         !read_value("--duration", tnd_value_duration, words->duration, "10s, 500ms, 1.5", &words->duration_ns)))
        return FALSE;
    if (words->duration && !words->duration_ns) {
        tnd_cli_complain("attach", "--duration: got \"%s\", takes more than 0", words->duration);
        return FALSE;
    }
    words->wish.depth = (guint)depth;
    words->wish.stack_bytes = (guint)stack & ~7u;
    if (words->output && g_str_has_suffix(words->output, "/")) {
        tnd_cli_complain("attach", "--output: got \"%s\", takes a file's name, x.prv", words->output);
        return FALSE;
    }
    return TRUE;
}

static gboolean read_pids(struct words *words, char **texts, guint n)
{
    words->pids = g_new0(int, n);
    for (guint i = 0; i < n; i++) {
        guint64 pid;
        gboolean is_known = FALSE;
        if (!read_value("PID", tnd_value_number, texts[i], "the number of a process", &pid))
            return FALSE;
        if (!pid || pid > G_MAXINT32) {
            tnd_cli_complain("attach", "PID: got \"%s\", takes the number of a process", texts[i]);
            return FALSE;
        }
        for (guint j = 0; j < words->n_pids; j++)
            is_known |= words->pids[j] == (int)pid;
        if (!is_known)
            words->pids[words->n_pids++] = (int)pid;
    }
    return TRUE;
}

static gboolean parse(int *argc, char ***argv, struct words *words, int *status)
{
    const GOptionEntry entries[] = {
        {"duration", 'd', 0, G_OPTION_ARG_STRING, &words->duration,
         "End after this time: 10s, 500ms (default: Ctrl-C, or the programs' end)", "TIME"},
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &words->output,
         "The trace, x.prv or x.prv.gz (default: the program's name, here)", "FILE"},
        {"force", 'f', 0, G_OPTION_ARG_NONE, &words->force, "Overwrite an existing trace", NULL},
        {"keep", 0, 0, G_OPTION_ARG_NONE, &words->keep, "Keep the run directory after the merge", NULL},
        {"sampling-period", 0, 0, G_OPTION_ARG_STRING, &words->period,
         "CPU time between two samples of a thread (default: 10ms)", "TIME"},
        {"sampling-depth", 0, 0, G_OPTION_ARG_STRING, &words->depth,
         "Frames kept of a sample's stack, 0 to 128 (default: 100)", "N"},
        {"stack-bytes", 0, 0, G_OPTION_ARG_STRING, &words->stack,
         "Bytes of a stack that are copied with a sample (default: 16k)", "SIZE"},
        G_OPTION_ENTRY_NULL,
    };
    if (!tnd_cli_options(argc, argv, entries, "PID...",
                         "Samples programs that run already, from outside, and makes a trace. The programs are neither "
                         "stopped nor changed, and run on.",
                         status))
        return FALSE;
    *status = TND_EXIT_USAGE;
    if (*argc < 2) {
        tnd_cli_complain("attach", "takes the number of a process (see `tandem attach --help`)");
        return FALSE;
    }
    return read_values(words) && read_pids(words, *argv + 1, (guint)*argc - 1);
}

/* Whether all processes may be looked at; FALSE: complained. */
static gboolean may_attach(const struct words *words)
{
    for (guint i = 0; i < words->n_pids; i++) {
        char *why = tnd_attach_refusal_find(words->pids[i]), *where = g_strdup_printf("attach: %d", words->pids[i]);
        if (why)
            tnd_cli_complain(where, "%s", why);
        gboolean may = !why;
        g_free(where);
        g_free(why);
        if (!may)
            return FALSE;
    }
    return TRUE;
}

/* Where the run directory goes: beside the trace, by its name, else by the program's. */
static char *stem_of(const struct words *words)
{
    if (words->output)
        return tnd_merging_stem(words->output);
    char *link = g_strdup_printf("/proc/%d/exe", words->pids[0]), *path = g_file_read_link(link, NULL);
    char name[NAME_MAX + 1];
    if (path && g_str_has_suffix(path, " (deleted)"))
        path[strlen(path) - strlen(" (deleted)")] = 0;
    tnd_program_name_of_process(words->pids[0], path ? path : "attached", name, sizeof name);
    g_free(path);
    g_free(link);
    return g_strdup(name);
}

/* Says once a second what there is, on a terminal. */
static void show(const struct words *words, const TndAttachSession *session, gint64 begin_us, gint64 *shown_us)
{
    gint64 now_us = g_get_monotonic_time();
    if (now_us < *shown_us + G_USEC_PER_SEC || !isatty(STDERR_FILENO))
        return;
    *shown_us = now_us;
    TndAttachSessionFacts facts = tnd_attach_session_facts(session);
    fprintf(stderr, "\rtandem: %.0f s, %u thread%s, %" G_GUINT64_FORMAT " samples%s\033[K",
            (double)(now_us - begin_us) / G_USEC_PER_SEC, facts.n_threads, facts.n_threads == 1 ? "" : "s",
            facts.n_samples, words->duration_ns ? "" : "; Ctrl-C ends it and makes the trace");
}

/* Watches until it is to end.  FALSE: complained. */
static gboolean watch(const struct words *words, const char *run_path)
{
    GError *error = NULL;
    gint64 begin_us = g_get_monotonic_time(), shown_us = begin_us;
    tnd_interrupt_begin();
    TndAttachSession *session = tnd_attach_session_new(run_path, words->pids, words->n_pids, &words->wish, &error);
    if (session) {
        while (!tnd_interrupt_has_come() && tnd_attach_session_step(session) &&
               !(words->duration_ns && (guint64)(g_get_monotonic_time() - begin_us) >= words->duration_ns / 1000))
            show(words, session, begin_us, &shown_us);
        if (shown_us != begin_us)
            fputs("\r\033[K", stderr);
        TndAttachSessionFacts facts = tnd_attach_session_facts(session);
        if (facts.n_lost)
            tnd_cli_complain("attach",
                             "%" G_GUINT64_FORMAT " events were lost, which the kernel had no room for: a "
                             "longer --sampling-period or smaller --stack-bytes needs less",
                             facts.n_lost);
        tnd_attach_session_end(session, &error);
    }
    tnd_interrupt_end();
    tnd_interrupt_forget();
    if (error)
        tnd_cli_complain_error(&error);
    return session != NULL;
}

static gboolean make_trace(const struct words *words, const char *run_path)
{
    char *output = words->output && g_str_has_suffix(words->output, ".gz") ? words->output : NULL;
    const TndMergeOptions options = {.run_directory = run_path, .output = output, .force = words->force};
    gboolean is_made = tnd_merging_finish(&options);
    if (is_made && !words->keep)
        tnd_merging_remove(run_path);
    return is_made;
}

static gboolean attach(const struct words *words)
{
    char *stem = stem_of(words);
    struct tnd_rundir *run = g_new0(struct tnd_rundir, 1);
    char *text = g_strdup_printf("host=%s\npid=%d\nstart_ns=%" G_GINT64_FORMAT "000\n", g_get_host_name(), getpid(),
                                 g_get_real_time());
    int number = tnd_rundir_make(stem, text, "", words->force, run);
    gboolean is_made = FALSE;
    if (number)
        tnd_cli_complain(stem, "no run directory can be made for it: %s", g_strerror(number));
    else if (!watch(words, run->path))
        tnd_rundir_remove(run->path);
    else
        is_made = make_trace(words, run->path);
    g_free(text);
    g_free(run);
    g_free(stem);
    return is_made;
}

int tnd_cli_attach(int argc, char **argv)
{
    struct words words = {NULL};
    int status = TND_EXIT_FINE;
    if (parse(&argc, &argv, &words, &status))
        status = may_attach(&words) && (!words.output || tnd_cli_may_write(words.output, words.force)) && attach(&words)
                     ? TND_EXIT_FINE
                     : TND_EXIT_INPUT;
    char *const texts[] = {words.output, words.duration, words.period, words.depth, words.stack};
    for (gsize i = 0; i < G_N_ELEMENTS(texts); i++)
        g_free(texts[i]);
    g_free(words.pids);
    tnd_interrupt_die();
    return status;
}
