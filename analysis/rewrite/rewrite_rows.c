/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows of a trace that is made from another.  A thread, task or application stays if one of its rows is chosen; those
 * that stay are numbered anew.
 */
#include "analysis/rewrite/rewrite_rows.h"

#include "analysis/trace/row_choice.h"

#include <string.h>

static void number_rows(TndRewriteRows *rows, const struct tnd_prv_header *header)
{
    guint n_tasks = 0, n_rows = 0;
    for (guint a = 0; a < header->n_applications; a++)
        n_tasks += header->applications[a].n_tasks;
    rows->first_task = g_new0(guint, header->n_applications + 1);
    rows->first_row = g_new0(guint, n_tasks + 1);
    n_tasks = 0;
    for (guint a = 0; a < header->n_applications; a++) {
        rows->first_task[a] = n_tasks;
        for (guint t = 0; t < header->applications[a].n_tasks; t++) {
            rows->first_row[n_tasks++] = n_rows;
            n_rows += header->applications[a].tasks[t].n_threads;
        }
    }
    rows->first_task[header->n_applications] = n_tasks;
    rows->n_applications = header->n_applications;
    rows->new_application = g_new0(guint, header->n_applications + 1);
    rows->first_row[n_tasks] = n_rows;
    rows->n_rows = n_rows;
}

/* Puts the threads of a task that stay into the new header and the places.  Returns how many they are. */
static guint keep_threads(TndRewriteRows *rows, guint task, gboolean all_stay, guint new_application, guint new_task)
{
    guint n_threads = 0;
    for (guint row = rows->first_row[task]; row < rows->first_row[task + 1]; row++)
        if (rows->chosen[row] || all_stay)
            rows->places[row] = (struct tnd_prv_place){0, new_application, new_task, ++n_threads};
    return n_threads;
}

static void keep_objects(TndRewriteRows *rows, const struct tnd_prv_header *header, gboolean all_stay)
{
    struct tnd_prv_application *applications = g_new0(struct tnd_prv_application, header->n_applications + 1);
    guint n_applications = 0;
    for (guint a = 0; a < header->n_applications; a++) {
        struct tnd_prv_application *new = &applications[n_applications];
        new->tasks = g_new0(struct tnd_prv_task, header->applications[a].n_tasks + 1);
        for (guint t = 0; t < header->applications[a].n_tasks; t++) {
            guint n_threads =
                keep_threads(rows, rows->first_task[a] + t, all_stay, n_applications + 1, new->n_tasks + 1);
            if (n_threads)
                new->tasks[new->n_tasks++] = (struct tnd_prv_task){n_threads, header->applications[a].tasks[t].node};
        }
        if (new->n_tasks)
            rows->new_application[a] = ++n_applications;
        else
            g_clear_pointer(&new->tasks, g_free);
    }
    rows->header.applications = applications;
    rows->header.n_applications = n_applications;
}

TndRewriteRows *tnd_rewrite_rows_new(const struct tnd_prv_header *header, gboolean *chosen, gboolean all_stay)
{
    TndRewriteRows *rows = g_new0(TndRewriteRows, 1);
    number_rows(rows, header);
    rows->chosen = chosen ? chosen : g_new(gboolean, rows->n_rows + 1);
    for (guint row = 0; row < rows->n_rows; row++) {
        if (!chosen)
            rows->chosen[row] = TRUE;
        rows->n_chosen += rows->chosen[row];
    }
    rows->places = g_new0(struct tnd_prv_place, rows->n_rows + 1);
    rows->header = *header;
    rows->header.unit_ns = 1;
    rows->header.n_communicators = 0;
    rows->header.n_cpus = g_memdup2(header->n_cpus, header->n_nodes * sizeof *header->n_cpus);
    rows->is_renumbered = !all_stay && rows->n_chosen < rows->n_rows;
    keep_objects(rows, header, all_stay);
    return rows;
}

void tnd_rewrite_rows_free(TndRewriteRows *rows)
{
    if (!rows)
        return;
    for (guint a = 0; a < rows->header.n_applications; a++)
        g_free(rows->header.applications[a].tasks);
    g_free(rows->header.applications);
    g_free(rows->header.n_cpus);
    g_free(rows->first_task);
    g_free(rows->first_row);
    g_free(rows->new_application);
    g_free(rows->chosen);
    g_free(rows->places);
    g_free(rows);
}

/* The first row of a task that stays; G_MAXUINT: none stays, or there is no such task. */
static guint row_of_task(const TndRewriteRows *rows, guint64 application, guint64 task)
{
    if (application - 1 >= rows->n_applications)
        return G_MAXUINT;
    const guint *tasks = &rows->first_task[application - 1];
    if (task - 1 >= tasks[1] - tasks[0])
        return G_MAXUINT;
    guint index = tasks[0] + (guint)task - 1;
    for (guint row = rows->first_row[index]; row < rows->first_row[index + 1]; row++)
        if (rows->places[row].application)
            return row;
    return G_MAXUINT;
}

/* The line "c:application:number:n:task:..." with the tasks that stay; NULL: none does. */
static char *keep_members(const TndRewriteRows *rows, char **fields, guint n_fields)
{
    guint64 application = g_ascii_strtoull(fields[1], NULL, 10);
    GString *tasks = g_string_new(NULL);
    guint n_tasks = 0, application_now = 0;
    for (guint i = 4; i < n_fields; i++) {
        guint row = row_of_task(rows, application, g_ascii_strtoull(fields[i], NULL, 10));
        if (row == G_MAXUINT)
            continue;
        g_string_append_printf(tasks, ":%u", rows->places[row].task);
        application_now = rows->places[row].application;
        n_tasks++;
    }
    char *line =
        n_tasks ? g_strdup_printf("%s:%u:%s:%u%s", fields[0], application_now, fields[2], n_tasks, tasks->str) : NULL;
    g_string_free(tasks, TRUE);
    return line;
}

char *tnd_rewrite_rows_communicator(const TndRewriteRows *rows, const char *line, gsize length)
{
    char *text = g_strndup(line, length), *kept = NULL;
    if (!rows->is_renumbered)
        return text;
    char **fields = g_strsplit(text, ":", -1);
    guint n_fields = g_strv_length(fields);
    guint64 application = n_fields > 1 ? g_ascii_strtoull(fields[1], NULL, 10) : 0;
    if (n_fields > 4 && g_ascii_tolower(text[0]) == 'c')
        kept = keep_members(rows, fields, n_fields);
    else if (n_fields == 5 && application - 1 < rows->n_applications && rows->new_application[application - 1])
        kept = g_strdup_printf("%s:%u:%s:%s:%s", fields[0], rows->new_application[application - 1], fields[2],
                               fields[3], fields[4]);
    g_strfreev(fields);
    g_free(text);
    return kept;
}

static const char *name_of(const struct tnd_row *row, enum tnd_row_level level, gsize index)
{
    const char *name = row && index < row->n_names[level] ? row->names[level][index] : NULL;
    return name && *name ? name : NULL;
}

/* Adds a name; if it is NULL, the default one, which has the old numbers. */
static void add_name(struct tnd_row *new, enum tnd_row_level level, const char *name, char *by_default)
{
    tnd_row_add(new, level, name ? name : by_default);
    g_free(by_default);
}

static void add_task_names(const TndRewriteRows *rows, const struct tnd_row *row, guint application,
                           struct tnd_row *new)
{
    for (guint task = rows->first_task[application]; task < rows->first_task[application + 1]; task++) {
        guint number = task - rows->first_task[application] + 1;
        if (row_of_task(rows, application + 1, number) == G_MAXUINT)
            continue;
        add_name(new, TND_ROW_TASK, name_of(row, TND_ROW_TASK, task),
                 g_strdup_printf("TASK %u.%u", application + 1, number));
        for (guint i = rows->first_row[task]; i < rows->first_row[task + 1]; i++)
            if (rows->places[i].application)
                add_name(new, TND_ROW_THREAD, name_of(row, TND_ROW_THREAD, i),
                         tnd_row_choice_default_name(
                             &(struct tnd_prv_place){0, application + 1, number, i - rows->first_row[task] + 1}));
    }
}

struct tnd_row *tnd_rewrite_rows_names(const TndRewriteRows *rows, const struct tnd_row *row)
{
    static const enum tnd_row_level same[] = {TND_ROW_WORKLOAD, TND_ROW_SYSTEM, TND_ROW_NODE, TND_ROW_CPU};
    struct tnd_row *new = tnd_row_new();
    for (guint i = 0; row && i < G_N_ELEMENTS(same); i++)
        for (gsize k = 0; k < row->n_names[same[i]]; k++)
            tnd_row_add(new, same[i], row->names[same[i]][k]);
    for (guint a = 0; a < rows->n_applications; a++) {
        if (!rows->new_application[a])
            continue;
        add_name(new, TND_ROW_APPL, name_of(row, TND_ROW_APPL, a), g_strdup_printf("APPL %u", a + 1));
        add_task_names(rows, row, a, new);
    }
    return new;
}
