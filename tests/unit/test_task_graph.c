/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tasks put on rows at random, with lines between some: what the graph says of them against what was put there.
 */
#include "tests/unit/make_trace.h"

#include "analysis/reports/task_graph.h"
#include "formats/event_types.h"
#include "formats/prv_tags.h"

#define N_TASKS 60
#define N_ROWS 4

typedef struct {
    guint row;
    guint64 begin_ns, end_ns, path_ns;
    guint level;
    gboolean is_connected;
} Put;

static TndTraceBuild *make_threads(guint n_threads, guint64 end_ns)
{
    struct tnd_prv_task task = {.n_threads = n_threads, .node = 1};
    struct tnd_prv_application application = {.n_tasks = 1, .tasks = &task};
    struct tnd_prv_header header = {.end_time = end_ns,
                                    .unit_ns = 1,
                                    .n_nodes = 1,
                                    .n_cpus = &n_threads,
                                    .n_applications = 1,
                                    .applications = &application};
    TndTraceBuild *build = tnd_trace_build_new("made/made.prv.gz", -1);
    g_assert_true(tnd_trace_build_visitor.header(build, &header));
    return build;
}

static void put_pairs(TndTraceBuild *build, guint row, guint64 time_ns, guint32 type, gint64 value, guint32 number)
{
    struct tnd_prv_pair pairs[] = {{type, value}, {TND_TYPE_OPENMP_TASK_ID, number}};
    struct tnd_prv_event record = {
        .at = {0, 1, 1, row + 1}, .time = time_ns, .n_pairs = number ? 2 : 1, .pairs = pairs};
    g_assert_true(tnd_trace_build_visitor.event(build, &record));
}

static void put_line(TndTraceBuild *build, const Put *from, const Put *to, gint64 number, gint64 tag)
{
    struct tnd_prv_message record = {.sender = {0, 1, 1, from->row + 1},
                                     .receiver = {0, 1, 1, to->row + 1},
                                     .logical_send = from->end_ns,
                                     .physical_send = from->end_ns,
                                     .logical_receive = to->begin_ns,
                                     .physical_receive = to->begin_ns,
                                     .size_bytes = number,
                                     .tag = tag};
    g_assert_true(tnd_trace_build_visitor.message(build, &record));
}

/* All tasks are made at 1. */
static void put_task(TndTraceBuild *build, GRand *random, Put *tasks, guint i, guint64 *free_ns)
{
    Put *task = &tasks[i];
    task->row = (guint)g_rand_int_range(random, 0, N_ROWS);
    task->begin_ns = free_ns[task->row] + (guint64)g_rand_int_range(random, 1, 40);
    task->end_ns = task->begin_ns + (guint64)g_rand_int_range(random, 1, 50);
    free_ns[task->row] = task->end_ns;
    put_pairs(build, task->row, task->begin_ns, TND_TYPE_OPENMP_TASK, 5, i + 1);
    put_pairs(build, task->row, task->end_ns, TND_TYPE_OPENMP_TASK, 0, 0);
    for (guint k = 0; k < i; k++) {
        if (tasks[k].end_ns > task->begin_ns || g_rand_int_range(random, 0, 12))
            continue;
        put_line(build, &tasks[k], task, i + 1, TND_PRV_TAG_DEPENDENCE);
        task->level = MAX(task->level, tasks[k].level);
        task->path_ns = MAX(task->path_ns, tasks[k].path_ns);
        task->is_connected = tasks[k].is_connected = TRUE;
    }
    task->level++;
    task->path_ns += task->end_ns - task->begin_ns;
}

static void check_graph(const TndTaskGraph *graph, const Put *tasks)
{
    guint n_of_level[N_TASKS + 2] = {0}, height = 0, width = 0, n_alone = 0, at_once = 0;
    guint64 work_ns = 0, path_ns = 0, lost_ns = 0;
    for (guint i = 0; i < N_TASKS; i++) {
        guint n = 0;
        for (guint k = 0; k < N_TASKS; k++)
            n += tasks[k].begin_ns <= tasks[i].begin_ns && tasks[i].begin_ns < tasks[k].end_ns;
        at_once = MAX(at_once, n);
        work_ns += tasks[i].end_ns - tasks[i].begin_ns;
        path_ns = MAX(path_ns, tasks[i].path_ns);
        n_alone += !tasks[i].is_connected;
        n_of_level[tasks[i].level] += tasks[i].is_connected;
        width = MAX(width, n_of_level[tasks[i].level]);
        height = tasks[i].is_connected ? MAX(height, tasks[i].level) : height;
    }
    for (guint i = 0; i < graph->tasks->len; i++) {
        const TndGraphTask *found = &g_array_index(graph->tasks, TndGraphTask, i);
        const Put *task = &tasks[found->number - 1];
        g_assert_cmpuint(found->begin_ns, ==, task->begin_ns);
        g_assert_cmpuint(found->end_ns, ==, task->end_ns);
        g_assert_cmpuint(found->level, ==, task->level);
        g_assert_cmpuint(found->path_ns, ==, task->path_ns);
        lost_ns += found->begin_ns - found->ready_ns;
    }
    g_assert_cmpuint(graph->n_begun, ==, N_TASKS);
    g_assert_cmpuint(graph->n_alone, ==, n_alone);
    g_assert_cmpuint(graph->height, ==, height);
    g_assert_cmpuint(graph->width, ==, width);
    g_assert_cmpuint(graph->work_ns, ==, work_ns);
    g_assert_cmpuint(graph->path_ns, ==, path_ns);
    g_assert_cmpuint(graph->n_at_once, ==, at_once);
    g_assert_cmpuint(graph->lost_ns, ==, lost_ns);
    g_assert_cmpuint(graph->n_unknown, ==, 0);
}

static void test_random(void)
{
    for (guint32 seed = 1; seed <= 100; seed++) {
        GRand *random = g_rand_new_with_seed(seed);
        Put tasks[N_TASKS] = {{0}};
        guint64 free_ns[N_ROWS] = {10, 10, 10, 10};
        TndTraceBuild *build = make_threads(N_ROWS, 100000);
        for (guint i = 0; i < N_TASKS; i++)
            put_pairs(build, 0, 1, TND_TYPE_OPENMP_TASK_CREATED, 5, i + 1);
        for (guint i = 0; i < N_TASKS; i++)
            put_task(build, random, tasks, i, free_ns);
        TndTrace *trace = tnd_trace_build_finish(build, NULL, NULL);
        TndTaskGraph *graph = tnd_task_graph_new(trace);
        check_graph(graph, tasks);
        tnd_task_graph_free(graph);
        tnd_trace_free(trace);
        g_rand_free(random);
    }
}

/* Task 1 waits for its child 2, which runs meanwhile and is over for good on another row; then goes on. */
static void test_nested(void)
{
    TndTraceBuild *build = make_threads(2, 1000);
    put_pairs(build, 0, 100, TND_TYPE_OPENMP_TASK, 5, 1);
    put_pairs(build, 0, 130, TND_TYPE_OPENMP_TASKWAIT, 1, 0);
    put_pairs(build, 0, 150, TND_TYPE_OPENMP_TASK, 6, 2);
    put_pairs(build, 0, 160, TND_TYPE_OPENMP_TASK, 5, 0); /* back, still waiting */
    put_pairs(build, 1, 170, TND_TYPE_OPENMP_TASK, 6, 2);
    put_pairs(build, 1, 200, TND_TYPE_OPENMP_TASK, 0, 0);
    put_pairs(build, 0, 210, TND_TYPE_OPENMP_TASKWAIT, 0, 0);
    put_pairs(build, 0, 230, TND_TYPE_OPENMP_TASK, 0, 0);
    TndTrace *trace = tnd_trace_build_finish(build, NULL, NULL);
    TndTaskGraph *graph = tnd_task_graph_new(trace);
    g_assert_cmpuint(graph->tasks->len, ==, 2);
    const TndGraphTask *outer = &g_array_index(graph->tasks, TndGraphTask, 0), *inner = outer + 1;
    g_assert_cmpuint(outer->work_ns, ==, 30 + 20);
    g_assert_cmpuint(outer->end_ns, ==, 230);
    g_assert_cmpuint(inner->work_ns, ==, 10 + 30);
    g_assert_cmpuint(inner->begin_ns, ==, 150);
    g_assert_cmpuint(inner->end_ns, ==, 200);
    g_assert_cmpuint(graph->n_at_once, ==, 1);
    g_assert_cmpuint(graph->busy_ns, ==, 30 + 10 + 30 + 20);
    tnd_task_graph_free(graph);
    tnd_trace_free(trace);
}

/* As above, but the inner task waits and begins a group, too: the events go back to what holds outside. */
static void test_waits_within_waits(void)
{
    TndTraceBuild *build = make_threads(1, 1000);
    put_pairs(build, 0, 100, TND_TYPE_OPENMP_TASK, 5, 1);
    put_pairs(build, 0, 110, TND_TYPE_OPENMP_TASKGROUP_CALL, 2, 0);
    put_pairs(build, 0, 120, TND_TYPE_OPENMP_TASKWAIT, 1, 0);
    put_pairs(build, 0, 130, TND_TYPE_OPENMP_TASK, 6, 2);
    put_pairs(build, 0, 140, TND_TYPE_OPENMP_TASKGROUP_CALL, 1, 0);
    put_pairs(build, 0, 145, TND_TYPE_OPENMP_TASKGROUP_CALL, 2, 0); /* has begun a group */
    put_pairs(build, 0, 150, TND_TYPE_OPENMP_TASKWAIT, 1, 0);
    put_pairs(build, 0, 170, TND_TYPE_OPENMP_TASKWAIT, 1, 0); /* has waited */
    put_pairs(build, 0, 180, TND_TYPE_OPENMP_TASKGROUP_CALL, 2, 0);
    put_pairs(build, 0, 200, TND_TYPE_OPENMP_TASKGROUP_CALL, 2, 0); /* the group has ended */
    put_pairs(build, 0, 230, TND_TYPE_OPENMP_TASK, 5, 0);
    put_pairs(build, 0, 240, TND_TYPE_OPENMP_TASKWAIT, 0, 0);
    put_pairs(build, 0, 250, TND_TYPE_OPENMP_TASKGROUP_CALL, 0, 0);
    put_pairs(build, 0, 290, TND_TYPE_OPENMP_TASK, 0, 0);
    TndTrace *trace = tnd_trace_build_finish(build, NULL, NULL);
    TndTaskGraph *graph = tnd_task_graph_new(trace);
    const TndGraphTask *outer = &g_array_index(graph->tasks, TndGraphTask, 0), *inner = outer + 1;
    g_assert_cmpuint(outer->work_ns, ==, 10 + 40);
    g_assert_cmpuint(inner->work_ns, ==, 20 + 10 + 30);
    tnd_task_graph_free(graph);
    tnd_trace_free(trace);
}

/* Task 1, detached, ends on one row and is fulfilled on another, within task 2: 3 and a taskwait waited for it, none
 * for task 2. */
static void test_detached(void)
{
    const Put detached = {.row = 0, .begin_ns = 100, .end_ns = 150},
              fulfilled = {.row = 1, .begin_ns = 300, .end_ns = 300}, last = {.row = 0, .begin_ns = 320},
              wait = {.row = 1, .begin_ns = 330};
    TndTraceBuild *build = make_threads(2, 1000);
    put_pairs(build, 0, 100, TND_TYPE_OPENMP_TASK, 5, 1);
    put_pairs(build, 0, 150, TND_TYPE_OPENMP_TASK, 0, 0);
    put_pairs(build, 1, 250, TND_TYPE_OPENMP_TASK, 6, 2);
    put_pairs(build, 1, 310, TND_TYPE_OPENMP_TASK, 0, 0);
    put_pairs(build, 0, 320, TND_TYPE_OPENMP_TASK, 7, 3);
    put_pairs(build, 0, 345, TND_TYPE_OPENMP_TASK, 0, 0);
    put_line(build, &detached, &fulfilled, 1, TND_PRV_TAG_FULFILMENT);
    put_line(build, &fulfilled, &last, 3, TND_PRV_TAG_DEPENDENCE);
    put_line(build, &fulfilled, &wait, 4, TND_PRV_TAG_DEPENDENCE);
    TndTrace *trace = tnd_trace_build_finish(build, NULL, NULL);
    TndTaskGraph *graph = tnd_task_graph_new(trace);
    g_assert_cmpuint(graph->n_unknown, ==, 0);
    g_assert_cmpuint(graph->n_tasks, ==, 3);
    g_assert_cmpuint(graph->n_alone, ==, 1);
    g_assert_cmpuint(graph->edges->len, ==, 2);
    for (guint i = 0; i < 2; i++) {
        const TndGraphEdge *edge = &g_array_index(graph->edges, TndGraphEdge, i);
        const TndGraphTask *before = &g_array_index(graph->tasks, TndGraphTask, edge->before);
        const TndGraphTask *after = &g_array_index(graph->tasks, TndGraphTask, edge->after);
        g_assert_cmpint(before->number, ==, 1);
        g_assert_cmpuint(before->end_ns, ==, 150);
        g_assert_cmpint(after->number, ==, 3 + i);
        g_assert_cmpuint(after->ready_ns, ==, 300);
    }
    g_assert_cmpuint(graph->work_ns, ==, 50 + 60 + 25);
    g_assert_cmpuint(graph->path_ns, ==, 50 + 25);
    tnd_task_graph_free(graph);
    tnd_trace_free(trace);
}

static void put_in_process(TndTraceBuild *build, guint process, guint64 time_ns, gint64 value, gint64 number)
{
    struct tnd_prv_pair pairs[] = {{TND_TYPE_OPENMP_TASK, value}, {TND_TYPE_OPENMP_TASK_ID, number}};
    struct tnd_prv_event record = {
        .at = {0, 1, process, 1}, .time = time_ns, .n_pairs = number ? 2 : 1, .pairs = pairs};
    g_assert_true(tnd_trace_build_visitor.event(build, &record));
}

/* Numbers are a process's own, and what goes from one process to another is a message, whatever its tag. */
static void test_processes(void)
{
    TndTraceBuild *build = make_trace(2, 1000, 1);
    for (guint process = 1; process <= 2; process++)
        for (gint64 number = 1; number <= 2; number++) {
            put_in_process(build, process, 100 * (guint64)number, 5, number);
            put_in_process(build, process, 100 * (guint64)number + 50, 0, 0);
        }
    for (guint sender = 1; sender <= 2; sender++) {
        struct tnd_prv_message record = {.sender = {0, 1, sender, 1},
                                         .receiver = {0, 1, 2, 1},
                                         .logical_send = 150,
                                         .physical_send = 150,
                                         .logical_receive = 200,
                                         .physical_receive = 200,
                                         .size_bytes = 2,
                                         .tag = TND_PRV_TAG_DEPENDENCE};
        g_assert_true(tnd_trace_build_visitor.message(build, &record));
    }
    TndTrace *trace = tnd_trace_build_finish(build, NULL, NULL);
    TndTaskGraph *graph = tnd_task_graph_new(trace);
    g_assert_cmpuint(graph->n_tasks, ==, 4);
    g_assert_cmpuint(graph->n_alone, ==, 2);
    g_assert_cmpuint(graph->edges->len, ==, 1);
    const TndGraphEdge *edge = &g_array_index(graph->edges, TndGraphEdge, 0);
    const TndGraphTask *after = &g_array_index(graph->tasks, TndGraphTask, edge->after);
    g_assert_cmpuint(after->process, ==, 1);
    g_assert_cmpint(after->number, ==, 2);
    g_assert_cmpuint(graph->path_ns, ==, 100);
    tnd_task_graph_free(graph);
    tnd_trace_free(trace);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/task_graph/random", test_random);
    g_test_add_func("/task_graph/nested", test_nested);
    g_test_add_func("/task_graph/waits_within_waits", test_waits_within_waits);
    g_test_add_func("/task_graph/detached", test_detached);
    g_test_add_func("/task_graph/processes", test_processes);
    return g_test_run();
}
