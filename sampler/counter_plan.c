/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes the plan from the setting `counters`: A,B@100ms/C,D@1s are two sets that take turns.  Each counter is tried in
 * its set, in the user's order: those that fit with the ones before stay, the others are reported with the reason.
 *
 * Context: at start.
 */
#include "sampler/counter_plan.h"
#include "sampler/counter_papi.h"
#include "sampler/counter_perf.h"

#include "formats/value.h"
#include "runtime/target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TURN_NS 500000000u /* of a set without a time */

/* A counter that is not counted, and why. */
struct refused {
    char name[TND_COUNTER_NAME_MAX];
    char why[200];
};

struct making {
    struct tnd_counter_plan *plan;
    struct refused refused[TND_COUNTER_SETS_MAX * TND_COUNTERS_MAX];
    unsigned n_refused;
};

static void refuse(struct making *making, const char *name, const char *why)
{
    if (making->n_refused == sizeof making->refused / sizeof *making->refused)
        return;
    struct refused *refused = &making->refused[making->n_refused++];
    snprintf(refused->name, sizeof refused->name, "%s", name);
    snprintf(refused->why, sizeof refused->why, "%s", why);
}

/* A container may forbid what the kernel's setting allows. */
static void say_forbidden(char *why, size_t size, bool needs_kernel)
{
    char paranoid[16] = "unknown";
    ssize_t n = tnd_target_read("/proc/sys/kernel/perf_event_paranoid", paranoid, sizeof paranoid);
    paranoid[n > 0 ? strcspn(paranoid, "\n") : strlen(paranoid)] = 0;
    int most = needs_kernel ? 1 : 2;
    if (n > 0 && atoi(paranoid) <= most)
        snprintf(why, size, "the kernel forbids it, though perf_event_paranoid is %s", paranoid);
    else
        snprintf(why, size, "the kernel forbids it: perf_event_paranoid is %s, at most %d is needed", paranoid, most);
}

static void refuse_for(struct making *making, const struct tnd_counter *counter, enum tnd_counter_refusal refusal,
                       unsigned set, const char *words)
{
    char why[200];
    switch (refusal) {
    case TND_COUNTER_UNKNOWN:
        snprintf(why, sizeof why, "unknown");
        break;
    case TND_COUNTER_NO_LIBRARY:
        snprintf(why, sizeof why, "%s", words);
        break;
    case TND_COUNTER_NO_UNIT:
        snprintf(why, sizeof why, "%s", words ? words : "this machine cannot count it");
        break;
    case TND_COUNTER_FORBIDDEN:
        say_forbidden(why, sizeof why, counter->needs_kernel);
        break;
    case TND_COUNTER_NO_ROOM:
        snprintf(why, sizeof why, "set %u has no room for it", set);
        break;
    default:
        snprintf(why, sizeof why, "%s", words ? words : "it cannot be opened");
    }
    refuse(making, counter->name, why);
}

static bool is_counted(const struct tnd_counter_set *set, uint32_t type)
{
    for (unsigned i = 0; i < set->n; i++)
        if (set->counters[i].type == type)
            return true;
    return false;
}

/* Puts a counter after the others of its kind. */
static void insert(struct tnd_counter_set *set, const struct tnd_counter *counter)
{
    unsigned at = counter->is_papi ? set->n : set->n_perf;
    memmove(&set->counters[at + 1], &set->counters[at], (set->n - at) * sizeof *counter);
    set->counters[at] = *counter;
    set->n++;
    set->n_perf += !counter->is_papi;
}

/* A name of perf(1) is the kernel's counter, any other PAPI's.  If PAPI cannot count it here and the kernel knows it,
 * too, it is the kernel's. */
static void add_counter(struct making *making, struct tnd_counter_set *set, const char *name)
{
    struct tnd_counter counter = {.name = ""}, other = {.name = ""};
    const char *words = NULL;
    enum tnd_counter_refusal refusal = TND_COUNTER_UNKNOWN;
    bool is_perf = tnd_counter_perf_find(name, &counter);
    if (!is_perf || strncmp(name, "PAPI_", 5) == 0) {
        snprintf(other.name, sizeof other.name, "%s", name);
        refusal = tnd_counter_papi_try(set, &other, &words);
        if (refusal == TND_COUNTER_FINE || !is_perf)
            counter = other;
        is_perf &= refusal == TND_COUNTER_NO_LIBRARY || refusal == TND_COUNTER_NO_UNIT;
    }
    if (is_perf) {
        const char *papi_words = words;
        refusal = tnd_counter_perf_try(set, &counter, &words);
        words = words ? words : papi_words;
    }
    if (refusal == TND_COUNTER_FINE && is_counted(set, counter.type))
        return;
    if (refusal == TND_COUNTER_FINE && set->n == TND_COUNTERS_MAX)
        refusal = TND_COUNTER_NO_ROOM;
    if (refusal == TND_COUNTER_FINE)
        insert(set, &counter);
    else
        refuse_for(making, &counter, refusal, set->number, words);
}

static bool has_word(const char *list, const char *word)
{
    size_t n = strlen(word);
    for (const char *at = list; at; at = strchr(at, ','), at += at != NULL)
        if (strncmp(at, word, n) == 0 && (at[n] == ',' || at[n] == 0))
            return true;
    return false;
}

static void add_set(struct making *making, char *text, unsigned number)
{
    struct tnd_counter_plan *plan = making->plan;
    if (plan->n_sets == TND_COUNTER_SETS_MAX) {
        refuse(making, text, "there are too many sets");
        return;
    }
    struct tnd_counter_set *set = &plan->sets[plan->n_sets];
    *set = (struct tnd_counter_set){.number = number, .turn_ns = TURN_NS};
    char *turn = strrchr(text, '@'), *rest = text;
    if (turn) {
        *turn++ = 0;
        tnd_value_period(&set->turn_ns, turn, "");
    }
    set->multiplex = has_word(text, "multiplex");
    for (char *name; (name = strsep(&rest, ","));)
        if (name[0] && strcmp(name, "multiplex") != 0)
            add_counter(making, set, name);
    plan->n_sets += set->n > 0;
}

/* Refused counters with the same reason are reported together, in the order of the first of them. */
static void tell(const struct making *making, char *text, unsigned size)
{
    size_t n = 0;
    text[0] = 0;
    for (unsigned i = 0; i < making->n_refused && n < size; i++) {
        const char *why = making->refused[i].why;
        bool is_told = false;
        for (unsigned k = 0; k < i && !is_told; k++)
            is_told = strcmp(making->refused[k].why, why) == 0;
        if (is_told)
            continue;
        n += (size_t)snprintf(text + n, size - n, "%s", n ? "; " : "counters: not counted: ");
        for (unsigned k = i; k < making->n_refused && n < size; k++)
            if (strcmp(making->refused[k].why, why) == 0)
                n += (size_t)snprintf(text + n, size - n, "%s%s", k > i ? ", " : "", making->refused[k].name);
        if (n < size)
            n += (size_t)snprintf(text + n, size - n, " (%s)", why);
    }
}

void tnd_counter_plan_make(struct tnd_counter_plan *plan, const char *setting, char *refused, unsigned size)
{
    struct making *making = calloc(1, sizeof *making);
    char *text = strdup(setting), *rest = text;
    unsigned number = 1;
    refused[0] = 0;
    if (making && text) {
        making->plan = plan;
        for (char *set; (set = strsep(&rest, "/")); number++)
            if (set[0])
                add_set(making, set, number);
        tell(making, refused, size);
    }
    free(text);
    free(making);
}
