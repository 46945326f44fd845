/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernel's counters.  Context: counter_perf.h.
 *
 * Counters of the processor leave the kernel's instructions out, as PAPI's do: that is what an ordinary user may count
 * (perf_event_paranoid 2).  Software counters include the kernel where that is allowed, because most page faults and
 * switches are counted there.
 */
#include "sampler/counter_perf.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Event types are Extrae's: 42000000 + the number of PAPI's preset, 44000000 + a hash of the native's name. */
#define PRESET(number) (42000000u + (number))
#define NATIVE "perf::"

#define CACHE(cache, operation, result)                                                                                \
    (PERF_COUNT_HW_CACHE_##cache | PERF_COUNT_HW_CACHE_OP_##operation << 8 | PERF_COUNT_HW_CACHE_RESULT_##result << 16)

static const struct known {
    const char *name, *also; /* also: another name for it, or PAPI's */
    uint32_t type;
    uint64_t config;
    uint32_t preset;    /* its event type where PAPI has such a preset */
    const char *native; /* else PAPI's name, from which Extrae computes its event type */
    bool needs_kernel;
    const char *what;
} known[] = {
#define SOFTWARE(name, also, config, native, needs_kernel, what)                                                       \
    {                                                                                                                  \
        name, also, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##config, 0, native, needs_kernel, what                          \
    }
    SOFTWARE("task-clock", "", TASK_CLOCK, NATIVE "TASK-CLOCK", false, "ns of CPU time"),
    SOFTWARE("cpu-clock", "", CPU_CLOCK, NATIVE "CPU-CLOCK", false, "ns on a CPU"),
    SOFTWARE("page-faults", "faults", PAGE_FAULTS, NATIVE "PAGE-FAULTS", false, "page faults"),
    SOFTWARE("minor-faults", "", PAGE_FAULTS_MIN, NATIVE "MINOR-FAULTS", false, "page faults without I/O"),
    SOFTWARE("major-faults", "", PAGE_FAULTS_MAJ, NATIVE "MAJOR-FAULTS", false, "page faults with I/O"),
    SOFTWARE("context-switches", "cs", CONTEXT_SWITCHES, NATIVE "CONTEXT-SWITCHES", true, "context switches"),
    SOFTWARE("cpu-migrations", "migrations", CPU_MIGRATIONS, NATIVE "CPU-MIGRATIONS", true, "changes of the CPU"),
    SOFTWARE("alignment-faults", "", ALIGNMENT_FAULTS, NATIVE "ALIGNMENT-FAULTS", false, "faults of alignment"),
    SOFTWARE("emulation-faults", "", EMULATION_FAULTS, NATIVE "EMULATION-FAULTS", false, "emulated instructions"),
#undef SOFTWARE
#define HARDWARE(name, also, config, preset, native, what)                                                             \
    {                                                                                                                  \
        name, also, PERF_TYPE_HARDWARE, PERF_COUNT_HW_##config, preset, native, false, what                            \
    }
    HARDWARE("instructions", "PAPI_TOT_INS", INSTRUCTIONS, PRESET(50), NULL, "Instr completed"),
    HARDWARE("cycles", "PAPI_TOT_CYC", CPU_CYCLES, PRESET(59), NULL, "Total cycles"),
    HARDWARE("branches", "PAPI_BR_INS", BRANCH_INSTRUCTIONS, PRESET(55), NULL, "Branches"),
    HARDWARE("branch-misses", "PAPI_BR_MSP", BRANCH_MISSES, PRESET(46), NULL, "Cond br mspredictd"),
    HARDWARE("ref-cycles", "PAPI_REF_CYC", REF_CPU_CYCLES, PRESET(107), NULL, "Reference cycles"),
    HARDWARE("cpu-cycles", "", CPU_CYCLES, PRESET(59), NULL, "Total cycles"),
    HARDWARE("branch-instructions", "", BRANCH_INSTRUCTIONS, PRESET(55), NULL, "Branches"),
    HARDWARE("cache-references", "", CACHE_REFERENCES, 0, NATIVE "CACHE-REFERENCES", "reads of the last cache"),
    HARDWARE("cache-misses", "", CACHE_MISSES, 0, NATIVE "CACHE-MISSES", "misses of the last cache"),
    HARDWARE("bus-cycles", "", BUS_CYCLES, 0, NATIVE "BUS-CYCLES", "cycles of the bus"),
    HARDWARE("stalled-cycles-frontend", "", STALLED_CYCLES_FRONTEND, 0, NATIVE "STALLED-CYCLES-FRONTEND",
             "cycles without an instruction to begin"),
    HARDWARE("stalled-cycles-backend", "", STALLED_CYCLES_BACKEND, 0, NATIVE "STALLED-CYCLES-BACKEND",
             "cycles without an instruction to end"),
#undef HARDWARE
#define CACHED(name, cache, operation, result, native, what)                                                           \
    {                                                                                                                  \
        name, "", PERF_TYPE_HW_CACHE, CACHE(cache, operation, result), 0, NATIVE native, false, what                   \
    }
    CACHED("L1-dcache-loads", L1D, READ, ACCESS, "L1-DCACHE-LOADS", "reads of the first data cache"),
    CACHED("L1-dcache-load-misses", L1D, READ, MISS, "L1-DCACHE-LOAD-MISSES", "reads that miss the first data cache"),
    CACHED("LLC-loads", LL, READ, ACCESS, "LLC-LOADS", "reads of the last cache"),
    CACHED("LLC-load-misses", LL, READ, MISS, "LLC-LOAD-MISSES", "reads that miss the last cache"),
    CACHED("dTLB-load-misses", DTLB, READ, MISS, "DTLB-LOAD-MISSES", "reads that miss the TLB"),
#undef CACHED
};

static void set_text(char *to, size_t size, const char *text)
{
    size_t n = strnlen(text, size - 1);
    memcpy(to, text, n);
    to[n] = 0;
}

bool tnd_counter_perf_find(const char *name, struct tnd_counter *counter)
{
    char *end = NULL;
    uint64_t raw = name[0] == 'r' && name[1] ? strtoull(name + 1, &end, 16) : 0;
    set_text(counter->name, sizeof counter->name, name);
    counter->is_papi = false;
    if (end && *end == 0) {
        counter->perf_type = PERF_TYPE_RAW;
        counter->perf_config = raw;
        counter->type = tnd_counter_native(name);
        set_text(counter->what, sizeof counter->what, "an event of this processor's");
        return true;
    }
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const struct known *row = &known[i];
        if (strcmp(name, row->name) != 0 && (strcmp(name, row->also) != 0 || !*name))
            continue;
        counter->perf_type = row->type;
        counter->perf_config = row->config;
        counter->needs_kernel = row->needs_kernel;
        counter->type = row->preset ? row->preset : tnd_counter_native(row->native);
        set_text(counter->what, sizeof counter->what, row->what);
        return true;
    }
    return false;
}

static bool is_hardware(const struct tnd_counter *counter)
{
    return counter->perf_type != PERF_TYPE_SOFTWARE;
}

static struct perf_event_attr attributes_of(const struct tnd_counter *counter)
{
    return (struct perf_event_attr){
        .type = counter->perf_type,
        .config = counter->perf_config,
        .exclude_kernel = 1,
        .exclude_hv = 1,
        .disabled = 1,
    };
}

/* Opens an event, as the leader of a group (-1) or in the leader's; a software counter includes the kernel where that
 * is allowed. */
static int open_one(struct tnd_perf_event *event, const struct tnd_counter *counter, int leader, bool has_times)
{
    struct perf_event_attr attr = attributes_of(counter);
    attr.read_format = PERF_FORMAT_GROUP;
    if (has_times)
        attr.read_format |= PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    attr.disabled = leader < 0;
    int error;
    if (is_hardware(counter)) {
#if defined(__aarch64__)
        /* config1 asks for reading by instructions: with counters of 64 bits, or of 32, as many processors have. */
        for (attr.config1 = 3; attr.config1 > 1; attr.config1--)
            if (tnd_perf_event_open(event, &attr, leader) == 0)
                return 0;
        attr.config1 = 0;
#endif
        return tnd_perf_event_open(event, &attr, leader);
    }
    attr.exclude_kernel = 0;
    error = tnd_perf_event_open(event, &attr, leader);
    if ((error == EACCES || error == EPERM) && !counter->needs_kernel) {
        attr.exclude_kernel = 1;
        error = tnd_perf_event_open(event, &attr, leader);
    }
    return error;
}

static enum tnd_counter_refusal classify(int error)
{
    switch (error) {
    case 0:
        return TND_COUNTER_FINE;
    case EACCES:
    case EPERM:
    case ENOSYS: /* some containers return this */
        return TND_COUNTER_FORBIDDEN;
    case ENOENT:
    case ENODEV:
    case EOPNOTSUPP:
    case EINVAL:
        return TND_COUNTER_NO_UNIT;
    default:
        return TND_COUNTER_FAILED;
    }
}

static bool has_pmu(void)
{
    struct tnd_counter cycles = {.perf_type = PERF_TYPE_HARDWARE, .perf_config = PERF_COUNT_HW_CPU_CYCLES};
    struct tnd_perf_event event;
    int error = open_one(&event, &cycles, -1, false);
    if (!error)
        tnd_perf_event_close(&event);
    return classify(error) != TND_COUNTER_NO_UNIT;
}

enum tnd_counter_refusal tnd_counter_perf_try(const struct tnd_counter_set *set, const struct tnd_counter *counter,
                                              const char **why)
{
    struct tnd_perf_event alone;
    int error = open_one(&alone, counter, -1, false);
    enum tnd_counter_refusal refusal = classify(error);
    *why = refusal == TND_COUNTER_FAILED ? strerrordesc_np(error) : NULL;
    if (refusal == TND_COUNTER_NO_UNIT && is_hardware(counter) && !has_pmu())
        *why = "this machine shows no PMU";
    if (error)
        return refusal;
    tnd_perf_event_close(&alone);
    struct tnd_counter_set longer = *set;
    longer.counters[longer.n_perf++] = *counter;
    struct tnd_counter_perf group;
    error = tnd_counter_perf_open(&group, &longer);
    *why = error ? strerrordesc_np(error) : NULL;
    if (error)
        return error == EINVAL || error == ENOSPC ? TND_COUNTER_NO_ROOM : TND_COUNTER_FAILED;
    tnd_counter_perf_close(&group);
    return TND_COUNTER_FINE;
}

/* Maps the events' pages if all of them can be read by instructions.  Whether they can be at the moment is checked at
 * each read. */
static void map_pages(struct tnd_counter_perf *group)
{
    group->is_in_user = true;
    for (unsigned i = 0; i < group->n; i++) {
        group->pages[i] = tnd_perf_event_map(&group->events[i]);
        group->is_in_user &= group->pages[i] && group->pages[i]->cap_user_rdpmc;
    }
}

int tnd_counter_perf_open(struct tnd_counter_perf *group, const struct tnd_counter_set *set)
{
    bool is_all_hardware = set->n_perf > 0, is_any_hardware = false;
    memset(group, 0, sizeof *group);
    for (unsigned i = 0; i < set->n_perf; i++) {
        is_all_hardware &= is_hardware(&set->counters[i]);
        is_any_hardware |= is_hardware(&set->counters[i]);
    }
    group->is_split = set->multiplex;
    group->has_times = is_any_hardware;
    for (; group->n < set->n_perf; group->n++) {
        int leader = group->n && !group->is_split ? group->events[0].fd : -1;
        int error = open_one(&group->events[group->n], &set->counters[group->n], leader, group->has_times);
        if (error) {
            tnd_counter_perf_close(group);
            return error;
        }
    }
    if (is_all_hardware && !group->is_split)
        map_pages(group);
    return 0;
}

void tnd_counter_perf_close(struct tnd_counter_perf *group)
{
    for (unsigned i = 0; i < group->n; i++) {
        if (group->pages[i])
            tnd_perf_event_unmap(group->pages[i]);
        tnd_perf_event_close(&group->events[i]);
    }
    group->n = 0;
}

void tnd_counter_perf_switch(const struct tnd_counter_perf *group, bool on)
{
    for (unsigned i = 0; i < group->n && (i == 0 || group->is_split); i++)
        ioctl(group->events[i].fd, on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
}

/* What the register of a counter holds; false: it has none now. */
#if defined(__x86_64__)
static bool read_register(uint32_t index, uint64_t *value)
{
    uint32_t low, high;
    __asm__ volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(index - 1));
    *value = (uint64_t)high << 32 | low;
    return true;
}
#elif defined(__aarch64__)
static bool read_register(uint32_t index, uint64_t *value)
{
    switch (index - 1) {
#define REGISTER(n)                                                                                                    \
    case n:                                                                                                            \
        __asm__ volatile("mrs %0, pmevcntr" #n "_el0" : "=r"(*value));                                                 \
        return true;
#define REGISTERS(X)                                                                                                   \
    X(0)                                                                                                               \
    X(1)                                                                                                               \
    X(2)                                                                                                               \
    X(3)                                                                                                               \
    X(4)                                                                                                               \
    X(5)                                                                                                               \
    X(6)                                                                                                               \
    X(7)                                                                                                               \
    X(8)                                                                                                               \
    X(9)                                                                                                               \
    X(10)                                                                                                              \
    X(11)                                                                                                              \
    X(12)                                                                                                              \
    X(13)                                                                                                              \
    X(14)                                                                                                              \
    X(15)                                                                                                              \
    X(16)                                                                                                              \
    X(17)                                                                                                              \
    X(18)                                                                                                              \
    X(19)                                                                                                              \
    X(20)                                                                                                              \
    X(21)                                                                                                              \
    X(22)                                                                                                              \
    X(23)                                                                                                              \
    X(24)                                                                                                              \
    X(25)                                                                                                              \
    X(26)                                                                                                              \
    X(27)                                                                                                              \
    X(28)                                                                                                              \
    X(29)                                                                                                              \
    X(30)
        REGISTERS(REGISTER)
    case 31:
        __asm__ volatile("mrs %0, pmccntr_el0" : "=r"(*value));
        return true;
    default:
        return false;
    }
}
#else
static bool read_register(uint32_t index, uint64_t *value)
{
    return false;
}
#endif

/* Reads a counter as the kernel's perf_event.h says.  False: it is not scheduled now, or was not all the time. */
static bool read_page(const volatile struct perf_event_mmap_page *page, uint64_t *value)
{
    uint32_t lock;
    do {
        lock = page->lock;
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        uint32_t index = page->index;
        uint64_t counted = 0;
        if (index == 0 || !page->cap_user_rdpmc || page->time_enabled != page->time_running ||
            !read_register(index, &counted))
            return false;
        unsigned unused = 64u - page->pmc_width;
        *value = (uint64_t)page->offset + (uint64_t)((int64_t)(counted << unused) >> unused);
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
    } while (page->lock != lock);
    return true;
}

/* The kernel's answer to a read: the number of counters, perhaps the times that they were enabled and were running, and
 * their values. */
static bool read_group(const struct tnd_perf_event *event, unsigned n, bool has_times, uint64_t *values)
{
    uint64_t words[3 + TND_COUNTERS_MAX];
    unsigned first = has_times ? 3 : 1;
    size_t n_bytes = 8 * (size_t)(first + n);
    if (syscall(SYS_read, event->fd, words, n_bytes) != (long)n_bytes || words[0] != n)
        return false;
    bool is_part = has_times && words[1] != words[2]; /* others had the processor's registers meanwhile */
    for (unsigned i = 0; i < n; i++) {
        uint64_t value = words[first + i];
        if (is_part)
            value = words[2] ? (uint64_t)((__uint128_t)value * words[1] / words[2]) : 0;
        values[i] = value;
    }
    return true;
}

bool tnd_counter_perf_read(const struct tnd_counter_perf *group, uint64_t *values)
{
    if (group->is_in_user) {
        unsigned n = 0;
        while (n < group->n && read_page(group->pages[n], &values[n]))
            n++;
        if (n == group->n)
            return true;
    }
    if (!group->is_split)
        return group->n == 0 || read_group(&group->events[0], group->n, group->has_times, values);
    for (unsigned i = 0; i < group->n; i++)
        if (!read_group(&group->events[i], 1, group->has_times, &values[i]))
            return false;
    return true;
}
