/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Makes the lists of what an image's records say, which are empty at first.
 */
#include "analysis/merge/read/merge_process.h"
#include "analysis/merge/read/code_map.h"
#include "analysis/merge/read/merge_addresses.h"
#include "analysis/merge/read/merge_heap.h"

#include <string.h>

static void clear_module(gpointer module)
{
    g_free(((TndMergeModule *)module)->path);
}

static void clear_counted(gpointer counted)
{
    g_free(((TndMergeCounter *)counted)->name);
}

static void clear_sensor(gpointer sensor)
{
    g_free(((TndMergeSensor *)sensor)->cpus);
}

static void free_comm(gpointer data)
{
    TndMergeComm *comm = data;
    g_array_unref(comm->group);
    if (comm->remote)
        g_array_unref(comm->remote);
    g_free(comm);
}

static void clear_stream(gpointer stream)
{
    g_ptr_array_unref(((TndMergeStream *)stream)->comms);
}

TndMergeProcess *tnd_merge_process_new(const TndRunImage *files)
{
    TndMergeProcess *process = g_new0(TndMergeProcess, 1);
    process->files = files;
    process->modules = g_array_new(FALSE, FALSE, sizeof(TndMergeModule));
    g_array_set_clear_func(process->modules, clear_module);
    process->switches = g_array_new(FALSE, FALSE, sizeof(TndMergeSwitch));
    process->links = g_array_new(FALSE, FALSE, sizeof(TndMergeLink));
    process->sensors = g_array_new(FALSE, FALSE, sizeof(TndMergeSensor));
    g_array_set_clear_func(process->sensors, clear_sensor);
    process->region_names = g_ptr_array_new_with_free_func(g_free);
    process->counter_names = g_ptr_array_new_with_free_func(g_free);
    process->python_names = g_ptr_array_new_with_free_func(g_free);
    process->library_names = g_ptr_array_new_with_free_func(g_free);
    process->thread_names = g_ptr_array_new_with_free_func(g_free);
    process->python_short = g_array_new(FALSE, FALSE, sizeof(guint32));
    process->stack_marks = g_array_new(FALSE, FALSE, sizeof(TndMergeStackMark));
    process->counters = g_array_new(FALSE, FALSE, sizeof(TndMergeCounter));
    g_array_set_clear_func(process->counters, clear_counted);
    process->comms = g_hash_table_new(g_int64_hash, g_int64_equal);
    process->streams = g_array_new(FALSE, TRUE, sizeof(TndMergeStream));
    g_array_set_clear_func(process->streams, clear_stream);
    for (guint i = 0; i < files->streams->len; i++) {
        TndMergeStream stream = {.file = &g_array_index(files->streams, TndRunStream, i),
                                 .comms = g_ptr_array_new_with_free_func(free_comm)};
        g_array_append_val(process->streams, stream);
    }
    return process;
}

void tnd_merge_process_free(gpointer data)
{
    TndMergeProcess *process = data;
    tnd_merge_addresses_free(process);
    tnd_merge_heap_free(process);
    g_array_unref(process->streams);
    g_array_unref(process->modules);
    g_array_unref(process->switches);
    g_array_unref(process->links);
    g_array_unref(process->sensors);
    g_ptr_array_unref(process->region_names);
    g_ptr_array_unref(process->counter_names);
    g_ptr_array_unref(process->python_names);
    g_ptr_array_unref(process->library_names);
    g_ptr_array_unref(process->thread_names);
    g_array_unref(process->python_short);
    g_array_unref(process->stack_marks);
    g_array_unref(process->counters);
    g_hash_table_unref(process->comms);
    g_clear_pointer(&process->persistent, g_hash_table_unref);
    g_free(process->region_values);
    g_free(process->counter_types);
    g_free(process->python_values);
    g_free(process->library_values);
    g_free(process->host);
    g_free(process->boot);
    g_free(process->executable);
    g_free(process->program);
    g_free(process->command);
    g_free(process->vdso);
    g_free(process->jit);
    tnd_code_map_free(process->code_map);
    g_free(process);
}

static int compare_loads(gconstpointer a, gconstpointer b)
{
    const TndMergeModule *m = a, *n = b;
    return (m->load_ticks > n->load_ticks) - (m->load_ticks < n->load_ticks);
}

/* The last of the modules to be loaded over some of the same addresses; NULL: none. */
static const TndMergeModule *find_under(const GArray *modules, const TndMergeModule *module)
{
    for (guint i = modules->len; i > 0; i--) {
        const TndMergeModule *under = &g_array_index(modules, TndMergeModule, i - 1);
        if (under->low < module->high && module->low < under->high)
            return under;
    }
    return NULL;
}

void tnd_merge_process_settle_modules(TndMergeProcess *process)
{
    GArray *kept = g_array_new(FALSE, FALSE, sizeof(TndMergeModule));
    g_array_sort(process->modules, compare_loads);
    for (guint i = 0; i < process->modules->len; i++) {
        TndMergeModule *module = &g_array_index(process->modules, TndMergeModule, i);
        const TndMergeModule *under = find_under(kept, module);
        if (under && under->low == module->low && under->high == module->high && under->bias == module->bias &&
            strcmp(under->path, module->path) == 0)
            continue;
        g_array_append_val(kept, *module);
        module->path = NULL;
    }
    g_array_set_clear_func(kept, clear_module);
    g_array_unref(process->modules);
    process->modules = kept;
}
