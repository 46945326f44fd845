/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `tandem tasks`: prints figures of the OpenMP tasks in a trace, and writes their graph for Graphviz.
 */
#include "cli/cli.h"

#include "analysis/base/quantity.h"
#include "analysis/reports/task_graph.h"
#include "formats/output_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Sums over the tasks of one name. */
typedef struct {
    char *name;
    guint64 n, work_ns, shortest_ns, longest_ns;
} Function;

static void clear_function(gpointer function)
{
    g_free(((Function *)function)->name);
}

static int compare_functions(gconstpointer a, gconstpointer b)
{
    const Function *x = a, *y = b;
    if (x->work_ns != y->work_ns)
        return x->work_ns < y->work_ns ? 1 : -1;
    return strcmp(x->name, y->name);
}

/* Sums up the tasks that ran, by function and line. */
static GArray *sum_functions(const TndTrace *trace, const TndTaskGraph *graph)
{
    GArray *functions = g_array_new(FALSE, TRUE, sizeof(Function));
    GHashTable *places = g_hash_table_new(g_str_hash, g_str_equal);
    g_array_set_clear_func(functions, clear_function);
    for (guint i = 0; i < graph->tasks->len; i++) {
        const TndGraphTask *task = &g_array_index(graph->tasks, TndGraphTask, i);
        if (task->is_wait || task->begin_ns == G_MAXUINT64)
            continue;
        Function fresh = {.name = tnd_task_graph_name(trace, task), .shortest_ns = G_MAXUINT64};
        guint place = GPOINTER_TO_UINT(g_hash_table_lookup(places, fresh.name));
        if (place == 0) {
            g_array_append_val(functions, fresh);
            place = functions->len;
            g_hash_table_insert(places, fresh.name, GUINT_TO_POINTER(place));
        } else {
            g_free(fresh.name);
        }
        Function *function = &g_array_index(functions, Function, place - 1);
        function->n++;
        function->work_ns += task->work_ns;
        function->shortest_ns = MIN(function->shortest_ns, task->work_ns);
        function->longest_ns = MAX(function->longest_ns, task->work_ns);
    }
    g_hash_table_unref(places);
    g_array_sort(functions, compare_functions);
    return functions;
}

/* Prints a line "  label      value unit   meaning". */
static void print_quantity(const char *label, double value, const char *unit, const char *meaning)
{
    char *text = tnd_quantity_text(value, unit);
    printf("  %-28s %12s   %s\n", label, text, meaning);
    g_free(text);
}

static void print_number(const char *label, double value, const char *meaning)
{
    printf("  %-28s %12.2f   %s\n", label, value, meaning);
}

static double ratio(double a, double b)
{
    return b > 0 ? a / b : 0;
}

static void print_graph(const TndTaskGraph *graph)
{
    printf("\nGraph\n");
    print_quantity("tasks", (double)graph->n_tasks, "", "made");
    if (graph->n_begun < graph->n_tasks)
        print_quantity("never begun", (double)(graph->n_tasks - graph->n_begun), "",
                       "created, but not run in this trace");
    print_quantity("dependences", (double)graph->edges->len, "", "a task that waited for another");
    if (graph->n_unknown)
        print_quantity("not placed", (double)graph->n_unknown, "", "dependences on times at which no task ended");
    print_quantity("alone", (double)graph->n_alone, "", "tasks that waited for none, and none for them");
    print_quantity("height", graph->height, "", "tasks in the longest chain");
    print_quantity("width", graph->width, "", "most tasks on one level of the graph");
    print_quantity("work", (double)graph->work_ns, "ns", "time in all tasks");
    print_quantity("critical path", (double)graph->path_ns, "ns", "time in the heaviest chain");
}

static void print_parallelism(const TndTaskGraph *graph)
{
    printf("\nParallelism\n");
    print_number("exposed", ratio((double)graph->work_ns, (double)graph->path_ns), "work / critical path");
    if (graph->height)
        print_number("  by levels", ratio((double)(graph->n_begun - graph->n_alone), graph->height),
                     "tasks that are not alone / height");
    print_number("exploited", ratio((double)graph->work_ns, (double)graph->busy_ns),
                 "tasks that ran at once, on average while any did");
    print_number("  from first to last", ratio((double)graph->work_ns, (double)(graph->last_ns - graph->first_ns)),
                 "the same, until the last task ended");
    print_quantity("  at most", graph->n_at_once, "", "tasks that ran at once");
    if (!graph->n_ready)
        return;
    print_quantity("lost", (double)graph->lost_ns, "ns", "between ready and begun, of all tasks");
    print_quantity("  average", (double)(graph->lost_ns / graph->n_ready), "ns", "of a task");
    print_quantity("  longest", (double)graph->longest_lost_ns, "ns", "of a task");
}

static void print_functions(const TndTrace *trace, const TndTaskGraph *graph)
{
    GArray *functions = sum_functions(trace, graph);
    printf("\nTasks by function\n  %-36s %8s %10s %9s %10s %10s %10s\n", "function", "tasks", "time", "of work",
           "average", "shortest", "longest");
    for (guint i = 0; i < functions->len; i++) {
        const Function *function = &g_array_index(functions, Function, i);
        const guint64 times[] = {function->work_ns, function->work_ns / function->n, function->shortest_ns,
                                 function->longest_ns};
        char *texts[G_N_ELEMENTS(times)], *name = tnd_cli_fit(function->name, 36);
        for (guint k = 0; k < G_N_ELEMENTS(times); k++)
            texts[k] = tnd_quantity_text((double)times[k], "ns");
        printf("  %s %8" G_GUINT64_FORMAT " %10s %7.2f %% %10s %10s %10s\n", name, function->n, texts[0],
               100 * ratio((double)function->work_ns, (double)graph->work_ns), texts[1], texts[2], texts[3]);
        for (guint k = 0; k < G_N_ELEMENTS(times); k++)
            g_free(texts[k]);
        g_free(name);
    }
    g_array_unref(functions);
}

/* Writes a quoted text of the DOT language. */
static void write_quoted(FILE *file, const char *text)
{
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', file);
        fputc(*text, file);
    }
}

/* Writes the colour of a function: a pale one for each, of as many hues as one can tell apart. */
static void write_colour(FILE *file, GHashTable *hues, gint64 function)
{
    enum { N_HUES = 12 };
    gpointer place = g_hash_table_lookup(hues, &function);
    guint n = place ? GPOINTER_TO_UINT(place) : g_hash_table_size(hues) + 1;
    if (!place)
        g_hash_table_insert(hues, g_memdup2(&function, sizeof function), GUINT_TO_POINTER(n));
    guint hue = (n - 1) * 5 % N_HUES; /* neighbours in the table are far apart on the wheel */
    fprintf(file, "\"0.%03u 0.45 0.95\"", hue * 1000 / N_HUES);
}

static void write_nodes(FILE *file, const TndTrace *trace, const TndTaskGraph *graph)
{
    GHashTable *hues = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    for (guint i = 0; i < graph->tasks->len; i++) {
        const TndGraphTask *task = &g_array_index(graph->tasks, TndGraphTask, i);
        char *name = tnd_task_graph_name(trace, task), *time = tnd_quantity_text((double)task->work_ns, "ns");
        fprintf(file, "  t%u [label=\"", i);
        write_quoted(file, name);
        if (task->number)
            fprintf(file, "\\n%" G_GINT64_FORMAT, task->number);
        if (task->is_wait) {
            fprintf(file, "\", shape=box];\n");
        } else {
            fprintf(file, "\\n%s\", fillcolor=", time);
            write_colour(file, hues, task->function);
            fprintf(file, "];\n");
        }
        g_free(name);
        g_free(time);
    }
    g_hash_table_unref(hues);
}

static void write_graph(FILE *file, const TndTrace *trace, const TndTaskGraph *graph)
{
    fprintf(file, "digraph \"");
    write_quoted(file, tnd_trace_name(trace));
    fprintf(file, "\" {\n  node [style=filled, fillcolor=white, fontname=\"sans-serif\", fontsize=10];\n");
    write_nodes(file, trace, graph);
    for (guint i = 0; i < graph->edges->len; i++) {
        const TndGraphEdge *edge = &g_array_index(graph->edges, TndGraphEdge, i);
        fprintf(file, "  t%u -> t%u;\n", edge->before, edge->after);
    }
    fprintf(file, "}\n");
}

/* Writes the graph in the DOT language; FALSE: complained. */
static gboolean write_dot(const char *path, const TndTrace *trace, const TndTaskGraph *graph)
{
    if (strcmp(path, "-") == 0) {
        write_graph(stdout, trace, graph);
        return TRUE;
    }
    FILE *file = tnd_output_file_open(path);
    if (file) {
        write_graph(file, trace, graph);
        gboolean is_written = fflush(file) == 0 && !ferror(file);
        if (fclose(file) == 0 && is_written)
            return TRUE;
    }
    tnd_cli_complain(path, "%s", tnd_output_file_reason(errno));
    return FALSE;
}

static int run(const char *path, const char *dot)
{
    TndTrace *trace = tnd_cli_open(path);
    if (!trace)
        return TND_EXIT_INPUT;
    TndTaskGraph *graph = tnd_task_graph_new(trace);
    int status = TND_EXIT_FINE;
    if (graph->n_tasks == 0) {
        tnd_cli_complain(path, "the trace has no OpenMP tasks");
        status = TND_EXIT_INPUT;
    } else if (dot && !write_dot(dot, trace, graph)) {
        status = TND_EXIT_INPUT;
    } else if (!dot || strcmp(dot, "-") != 0) {
        printf("%s\n", tnd_trace_shown(trace));
        print_graph(graph);
        print_parallelism(graph);
        print_functions(trace, graph);
    }
    tnd_task_graph_free(graph);
    tnd_trace_free(trace);
    return status;
}

int tnd_cli_tasks(int argc, char **argv)
{
    char *dot = NULL;
    const GOptionEntry entries[] = {
        {"dot", 'd', 0, G_OPTION_ARG_FILENAME, &dot, "Write the graph for Graphviz; - is standard output", "FILE"},
        G_OPTION_ENTRY_NULL,
    };
    int status;
    if (tnd_cli_options(&argc, &argv, entries, "TRACE.prv",
                        "Prints figures of OpenMP tasks: their graph, its parallelism, and how much of it was used.",
                        &status)) {
        status = TND_EXIT_USAGE;
        if (argc == 2)
            status = run(argv[1], dot);
        else
            tnd_cli_complain("tasks", "takes one trace (see `tandem tasks --help`)");
    }
    g_free(dot);
    return status;
}
