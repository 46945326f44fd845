/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists of libraries and environments.  Context: gate.h.
 */
#include "run/gate.h"

#include <string.h>

#define PRELOAD "LD_PRELOAD="
#define RUN "TANDEM_RUN="
#define LISTED "LD_TRACE_LOADED_OBJECTS=" /* the loader only prints what it would load, as for ldd */
#define HIDDEN                                                                                                         \
    "TANDEM_HIDDEN=" /* followed by the number of entries, it among them, as one character: NONE + number              \
                      */
#define NONE '0'
#define DISGUISE "TANDEM_" /* in front of LD_PRELOAD */

#define LENGTH(text) (sizeof(text) - 1)

static bool begins(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

bool tnd_gate_is_setting(const char *variable)
{
    return (begins(variable, "TANDEM_") && !begins(variable, RUN) && !begins(variable, HIDDEN) &&
            !begins(variable, DISGUISE PRELOAD) && !begins(variable, "TANDEM_SPAWN=")) ||
           begins(variable, "SAMPLING_PERIOD=");
}

/* A list that is written, or only measured and compared with another text. */
struct list {
    char *to;         /* NULL: it is not written */
    const char *with; /* NULL: it is not compared */
    size_t n;
    bool differs;
};

static void put_bytes(struct list *list, const char *bytes, size_t n)
{
    if (list->to)
        memcpy(list->to + list->n, bytes, n);
    if (list->with && !list->differs)
        list->differs = strncmp(list->with + list->n, bytes, n) != 0;
    list->n += n;
}

static void put(struct list *list, const char *library, size_t n)
{
    if (list->n)
        put_bytes(list, ":", 1);
    put_bytes(list, library, n);
}

/* The next library of a list, as the loader separates them; NULL: there is none. */
static const char *next(const char **rest, size_t *n)
{
    *rest += strspn(*rest, ": ");
    const char *library = *rest;
    *n = strcspn(library, ": ");
    *rest += *n;
    return *n ? library : NULL;
}

static bool ends_in(const char *text, size_t n, const char *ending)
{
    size_t length = strlen(ending);
    return n >= length && memcmp(text + n - length, ending, length) == 0;
}

static bool is_called(const char *library, size_t n, const char *name)
{
    size_t length = strlen(name);
    return ends_in(library, n, name) && (n == length || library[n - length - 1] == '/');
}

static bool is_ours(const char *library, size_t n)
{
    static const char *const names[] = {"libtandem.so", "libtandem-heap.so", "libtandem-mpich.so",
                                        "libtandem-mpich-heap.so"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (is_called(library, n, names[i]))
            return true;
    return false;
}

static bool has(const char *list, const char *name)
{
    size_t n;
    for (const char *library; (library = next(&list, &n));)
        if (is_called(library, n, name))
            return true;
    return false;
}

/* Our library in a list. */
struct ours {
    const char *path; /* NULL: it is left out */
    size_t n;
    bool without_heap; /* the one of its kind that does not wrap malloc */
};

static void put_ours(struct list *made, const struct ours *ours)
{
    static const char ending[] = "-heap.so";
    bool is_changed = ours->without_heap && ends_in(ours->path, ours->n, ending);
    put(made, ours->path, is_changed ? ours->n - LENGTH(ending) : ours->n);
    if (is_changed)
        put_bytes(made, ".so", 3);
}

static void compose(struct list *made, const char *list, const struct ours *ours, const char *sanitizer)
{
    list = list ? list : "";
    if (sanitizer[0] && !has(list, sanitizer))
        put(made, sanitizer, strlen(sanitizer));
    bool is_placed = !ours->path;
    size_t n;
    for (const char *other; (other = next(&list, &n));) {
        if (is_ours(other, n))
            continue;
        if (!is_placed && !tnd_executable_is_sanitizer(other, n)) {
            put_ours(made, ours);
            is_placed = true;
        }
        put(made, other, n);
    }
    if (!is_placed)
        put_ours(made, ours);
}

size_t tnd_gate_list(const char *list, const char *library, const char *sanitizer, char *to)
{
    struct list made = {.to = to};
    const struct ours ours = {library, library ? strlen(library) : 0, false};
    compose(&made, list, &ours, sanitizer);
    return made.n;
}

static const char *find(char *const *environment, const char *name)
{
    const char *value = NULL;
    for (; *environment; environment++)
        if (begins(*environment, name))
            value = *environment + strlen(name); /* the loader takes the last one */
    return value;
}

static bool is_wanted(const struct tnd_gate_plan *plan, const char *setting)
{
    size_t n = strcspn(setting, "=") + 1;
    for (char *const *variable = plan->before; *variable; variable++)
        if (strncmp(*variable, setting, n) == 0)
            return false;
    return true;
}

/* Whether our library could be loaded into the program, so that it takes part in the run. */
static bool can_join(const struct tnd_gate *gate, const struct tnd_executable *program, const char *run)
{
    bool is_refused = run && (!run[0] || strcmp(run, "none") == 0); /* by who made the environment */
    return program->is_there && program->kind == TND_EXECUTABLE_FINE && gate->library && gate->run && gate->run[0] &&
           !is_refused;
}

static bool is_foreign(const struct tnd_executable *program)
{
    return program->kind == TND_EXECUTABLE_LIBC || program->kind == TND_EXECUTABLE_BITS ||
           program->kind == TND_EXECUTABLE_MACHINE || program->kind == TND_EXECUTABLE_APART;
}

static void compose_planned(const struct tnd_gate_plan *plan, struct list *made)
{
    const struct ours ours = {plan->adds ? plan->library : NULL, plan->n_library, plan->without_heap};
    compose(made, plan->list, &ours, plan->adds ? plan->sanitizer : "");
}

/* Which of our libraries is meant: the list may name another one than this process has. */
static void choose_library(struct tnd_gate_plan *plan)
{
    const char *rest = plan->list ? plan->list : "", *library;
    plan->library = plan->gate->library;
    plan->n_library = strlen(plan->library);
    for (size_t n; (library = next(&rest, &n));)
        if (is_ours(library, n) && library[0] == '/') {
            plan->library = library;
            plan->n_library = n;
            return;
        }
}

/* Counts the entries at the front and the bytes of all that is new. */
static void measure_added(struct tnd_gate_plan *plan)
{
    struct list list = {0};
    compose_planned(plan, &list);
    plan->n_front = 2;
    plan->n_bytes = sizeof HIDDEN + 1 + sizeof PRELOAD + list.n;
    if (!plan->has_run) {
        plan->n_front++;
        plan->n_bytes += sizeof RUN + strlen(plan->gate->run);
        for (size_t i = 0; i < plan->gate->n_settings; i++)
            plan->n_front += is_wanted(plan, plan->gate->settings[i]);
    }
    for (char *const *variable = plan->before; *variable; variable++)
        if (begins(*variable, PRELOAD))
            plan->n_bytes += sizeof DISGUISE + strlen(*variable);
}

struct tnd_gate_plan tnd_gate_plan(const struct tnd_gate *gate, const struct tnd_executable *program,
                                   char *const environment[])
{
    static char *const nothing[] = {NULL};
    struct tnd_gate_plan plan = {.gate = gate, .before = environment ? environment : nothing};
    const char *run = find(plan.before, RUN);
    plan.list = find(plan.before, PRELOAD);
    plan.sanitizer = program->sanitizer;
    plan.without_heap = program->is_tsan;
    plan.has_run = run != NULL;
    while (plan.before[plan.n_before])
        plan.n_before++;
    bool is_listed = find(plan.before, LISTED) != NULL;
    if (!is_listed && can_join(gate, program, run)) {
        struct list wanted = {.with = plan.list ? plan.list : ""};
        choose_library(&plan);
        plan.adds = true;
        compose_planned(&plan, &wanted);
        plan.adds = !plan.has_run || wanted.differs || wanted.n != strlen(wanted.with);
        if (plan.adds)
            measure_added(&plan);
    } else if ((is_listed || is_foreign(program)) && plan.list) {
        size_t n = tnd_gate_list(plan.list, NULL, "", NULL);
        if (n < strlen(plan.list))
            plan.n_bytes = sizeof PRELOAD + n;
    }
    if (plan.n_bytes)
        plan.n_bytes += (plan.n_front + plan.n_before + 1) * sizeof(char *);
    if (plan.n_front > '~' - NONE) /* more than one character can say */
        plan.n_bytes = 0;
    return plan;
}

/* Puts two texts one after the other; where the next one goes. */
static char *join(char *to, const char *first, const char *second)
{
    size_t n = strlen(first), more = strlen(second) + 1;
    memcpy(to, first, n);
    memcpy(to + n, second, more);
    return to + n + more;
}

/* LD_PRELOAD with a new list; where the next text goes. */
static char *put_preload(const struct tnd_gate_plan *plan, char *to)
{
    struct list list = {.to = to + LENGTH(PRELOAD)};
    memcpy(to, PRELOAD, LENGTH(PRELOAD));
    compose_planned(plan, &list);
    to += LENGTH(PRELOAD) + list.n;
    *to++ = 0;
    return to;
}

/* The entries at the front; *text: where texts go. */
static char **put_front(const struct tnd_gate_plan *plan, char **entry, char **text)
{
    const char number[] = {(char)(NONE + plan->n_front), 0};
    *entry++ = *text;
    *text = join(*text, HIDDEN, number);
    *entry++ = *text;
    *text = put_preload(plan, *text);
    if (plan->has_run)
        return entry;
    *entry++ = *text;
    *text = join(*text, RUN, plan->gate->run);
    for (size_t i = 0; i < plan->gate->n_settings; i++)
        if (is_wanted(plan, plan->gate->settings[i]))
            *entry++ = (char *)plan->gate->settings[i];
    return entry;
}

char **tnd_gate_make(const struct tnd_gate_plan *plan, void *room)
{
    char **made = room, **entry = made;
    char *text = (char *)(made + plan->n_front + plan->n_before + 1);
    if (plan->adds)
        entry = put_front(plan, entry, &text);
    for (char *const *variable = plan->before; *variable; variable++) {
        if (!begins(*variable, PRELOAD)) {
            *entry++ = *variable;
        } else if (plan->adds) {
            *entry++ = text;
            text = join(text, DISGUISE, *variable);
        } else if (*variable + LENGTH(PRELOAD) == plan->list && tnd_gate_list(plan->list, NULL, "", NULL)) {
            *entry++ = text;
            text = put_preload(plan, text);
        }
    }
    *entry = NULL;
    return made;
}

/* How many entries at the front are to be hidden. */
static int count_hidden(char *const *environment)
{
    if (!environment || !*environment || !begins(*environment, HIDDEN))
        return 0;
    int n = (*environment)[LENGTH(HIDDEN)] - NONE, i = 1;
    while (i < n && environment[i] &&
           (begins(environment[i], PRELOAD) || begins(environment[i], RUN) || tnd_gate_is_setting(environment[i])))
        i++;
    return i;
}

char **tnd_gate_hide(char **environment)
{
    environment += count_hidden(environment);
    for (char **variable = environment; variable && *variable; variable++)
        if (begins(*variable, DISGUISE PRELOAD))
            *variable += LENGTH(DISGUISE);
    return environment;
}

bool tnd_gate_hides_run(char *const *environment)
{
    for (int i = count_hidden(environment) - 1; i > 0; i--)
        if (begins(environment[i], RUN))
            return true;
    return false;
}
