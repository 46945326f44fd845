/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading tables of power, and /proc/stat, independently of the locale.
 *
 * Context: any; nothing is allocated.
 */
#include "sampler/power_model.h"

#include <stdbool.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " \t\r");
}

/* Reads blanks and a number that is not negative. */
static bool read_number(const char **at, double *number)
{
    double value = 0, place = 1;
    const char *p = skip_blanks(*at);
    if (!is_digit(*p))
        return false;
    while (is_digit(*p))
        value = value * 10 + (*p++ - '0');
    if (*p == '.')
        for (p++; is_digit(*p); p++)
            value += (*p - '0') * (place /= 10);
    *at = p;
    *number = value;
    return value <= 1e9;
}

static bool is_end(const char *at)
{
    at = skip_blanks(at);
    return *at == '\n' || *at == 0 || *at == '#';
}

static const char *read_clock(const char *at, struct tnd_power_model *model)
{
    if (model->n_clocks == TND_POWER_MODEL_CLOCKS)
        return "more clocks than there may be";
    struct tnd_power_clock *clock = &model->clocks[model->n_clocks];
    double *const numbers[] = {&clock->mhz, &clock->static_mw, &clock->running_mw, &clock->idle_mw};
    for (unsigned i = 0; i < 4; i++)
        if (!read_number(&at, numbers[i]))
            return "takes MHz, static mW, mW of a running core, mW of an idle one";
    model->n_clocks++;
    return is_end(at) ? NULL : "more than four numbers";
}

static const char *read_line(const char *at, struct tnd_power_model *model)
{
    at = skip_blanks(at);
    if (strncmp(at, "name", 4) != 0 || (at[4] != ' ' && at[4] != '\t'))
        return is_end(at) ? NULL : read_clock(at, model);
    at = skip_blanks(at + 4);
    size_t n = strcspn(at, "\r\n");
    if (n >= sizeof model->name)
        return "the name is too long";
    memcpy(model->name, at, n);
    model->name[n] = 0;
    return NULL;
}

const char *tnd_power_model_parse(const char *text, struct tnd_power_model *model, unsigned *line)
{
    memset(model, 0, sizeof *model);
    strcpy(model->name, "model");
    for (*line = 1;; ++*line) {
        const char *fault = read_line(text, model);
        if (fault)
            return fault;
        text += strcspn(text, "\n");
        if (!*text++)
            return model->n_clocks ? NULL : "ends without a line of numbers";
    }
}

double tnd_power_model_mw(const struct tnd_power_model *model, double mhz, double n_running, double n_cores)
{
    const struct tnd_power_clock *best = &model->clocks[0];
    for (unsigned i = 1; i < model->n_clocks && mhz > 0; i++) {
        double here = model->clocks[i].mhz - mhz, there = best->mhz - mhz;
        if ((here < 0 ? -here : here) < (there < 0 ? -there : there))
            best = &model->clocks[i];
    }
    return best->static_mw + best->running_mw * n_running + best->idle_mw * (n_cores - n_running);
}

static uint64_t read_ticks(const char **at)
{
    uint64_t ticks = 0;
    *at += strspn(*at, " ");
    while (is_digit(**at))
        ticks = ticks * 10 + (uint64_t)(*(*at)++ - '0');
    return ticks;
}

unsigned tnd_power_model_cpus(const char *text, struct tnd_cpu_ticks *cpus, unsigned room)
{
    /* user nice system idle iowait irq softirq (steal guest guest_nice; guests' are in user's) */
    static const bool is_idle[] = {false, false, false, true, true, false, false};
    unsigned n = 0;
    for (; strncmp(text, "cpu", 3) == 0; text += strcspn(text, "\n"), text += *text != 0) {
        const char *at = text + 3;
        if (!is_digit(*at)) /* the line of all CPUs together */
            continue;
        uint64_t cpu = read_ticks(&at);
        if (cpu >= room)
            continue;
        for (; n <= cpu; n++)
            cpus[n] = (struct tnd_cpu_ticks){0, 0};
        for (unsigned i = 0; i < sizeof is_idle; i++)
            *(is_idle[i] ? &cpus[cpu].idle : &cpus[cpu].running) += read_ticks(&at);
    }
    return n;
}
