/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading numastat and numa_maps (the kernel's admin-guide/numastat, and proc(5)).  Context: sensors_numa.h.
 */
#include "sampler/sensors_numa.h"

#include "formats/event_types.h"
#include "runtime/emit.h"
#include "system/kernel_files.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define NODES "/sys/devices/system/node"

static const struct {
    const char *word;
    uint32_t type;
    const char *label;
} counts[] = {
    {"numa_hit ", TND_TYPE_NUMA_HIT, "NUMA node %u, pages from it as wanted (numastat"},
    {"numa_miss ", TND_TYPE_NUMA_MISS, "NUMA node %u, pages from it for want of another (numastat"},
    {"numa_foreign ", TND_TYPE_NUMA_FOREIGN, "NUMA node %u, pages from another for want of it (numastat"},
    {"other_node ", TND_TYPE_NUMA_OTHER, "NUMA node %u, pages from it for CPUs of another (numastat"},
};
enum { N_COUNTS = sizeof counts / sizeof *counts };

static struct {
    uint64_t process, node; /* bits: events whose names have been recorded in this stream */
    uint64_t before[TND_SENSORS_NUMA_MAX][N_COUNTS];
} told;

static void find_nodes(const char *root, struct tnd_kernel_numbers *nodes)
{
    *nodes = (struct tnd_kernel_numbers){.before = "node", .after = ""};
    tnd_kernel_files_numbers(root, NODES, nodes);
    while (nodes->n && nodes->at[nodes->n - 1] >= TND_SENSORS_NUMA_MAX)
        nodes->n--;
}

static void name_type(struct tnd_thread *self, const char *root, uint32_t type, const char *label_of, unsigned node)
{
    static const uint64_t nothing[2];
    char label[128];
    size_t n = (size_t)snprintf(label, sizeof label, label_of, node);
    snprintf(label + n, sizeof label - n, "%s", root[0] ? ", fixture)" : ")");
    tnd_emit_text(&self->main, tnd_clock_ticks(), TND_RECORD_DEFINE, type, TND_DEFINE_TYPE, nothing, 2, label);
}

static uint64_t read_number(const char *text, const char **end)
{
    uint64_t number = 0;
    for (; *text >= '0' && *text <= '9'; text++)
        number = 10 * number + (uint64_t)(*text - '0');
    *end = text;
    return number;
}

/* "7f30c2a00000 default anon=14 dirty=14 N0=9 N1=5 kernelpagesize_kB=4" */
static void add_mapping(void *bytes_of, const char *line)
{
    static const char size_word[] = " kernelpagesize_kB=";
    uint64_t *bytes = bytes_of, n_kib = 4;
    const char *size = strstr(line, size_word), *end;
    if (size)
        n_kib = read_number(size + strlen(size_word), &end);
    for (const char *at = line; (at = strstr(at, " N")); at = end) {
        uint64_t node = read_number(at + 2, &end);
        if (end > at + 2 && *end == '=' && node < TND_SENSORS_NUMA_MAX)
            bytes[node] += 1024 * n_kib * read_number(end + 1, &end);
    }
}

bool tnd_sensors_numa_look(const char *root, uint64_t bytes[static TND_SENSORS_NUMA_MAX], uint64_t *present)
{
    struct tnd_kernel_numbers nodes;
    find_nodes(root, &nodes);
    *present = 0;
    for (unsigned i = 0; i < nodes.n; i++)
        *present |= UINT64_C(1) << nodes.at[i];
    memset(bytes, 0, TND_SENSORS_NUMA_MAX * sizeof *bytes);
    return nodes.n > 1 && tnd_kernel_files_lines(root, "/proc/self/numa_maps", add_mapping, bytes);
}

void tnd_sensors_numa_tell(struct tnd_thread *self, const char *root, uint64_t time, const uint64_t *bytes,
                           uint64_t present)
{
    for (unsigned node = 0; node < TND_SENSORS_NUMA_MAX; node++)
        if (present & ~told.process & UINT64_C(1) << node)
            name_type(self, root, TND_TYPE_PROCESS_ON_NODE + node,
                      "NUMA node %u, memory of the process [bytes] (numa_maps", node);
    told.process |= present;
    for (unsigned node = 0; node < TND_SENSORS_NUMA_MAX; node++)
        if (present & UINT64_C(1) << node)
            tnd_emit_word(&self->main, time, TND_RECORD_EVENT, TND_TYPE_PROCESS_ON_NODE + node, 0, bytes[node]);
}

void tnd_sensors_numa_forget(void)
{
    memset(&told, 0, sizeof told);
}

static void tell_node(struct tnd_thread *self, const char *root, unsigned node, const char *text)
{
    bool is_first = !(told.node & UINT64_C(1) << node);
    for (unsigned i = 0; i < N_COUNTS && is_first; i++)
        name_type(self, root, counts[i].type + node, counts[i].label, node);
    told.node |= UINT64_C(1) << node;
    uint64_t now = tnd_clock_ticks();
    for (unsigned i = 0; i < N_COUNTS; i++) {
        const char *at = strstr(text, counts[i].word), *end;
        if (!at)
            continue;
        uint64_t value = read_number(at + strlen(counts[i].word), &end), *before = &told.before[node][i];
        uint64_t more = is_first || value < *before ? 0 : value - *before;
        tnd_emit_word(&self->main, now, TND_RECORD_EVENT, counts[i].type + node, 0, more);
        *before = value;
    }
}

void tnd_sensors_numa_read(struct tnd_thread *self, const char *root)
{
    struct tnd_kernel_numbers nodes;
    char path[64], text[512];
    find_nodes(root, &nodes);
    for (unsigned i = 0; i < nodes.n && nodes.n > 1; i++) {
        snprintf(path, sizeof path, NODES "/node%u/numastat", nodes.at[i]);
        if (tnd_kernel_files_text(root, path, text, sizeof text) > 0)
            tell_node(self, root, nodes.at[i], text);
    }
}
