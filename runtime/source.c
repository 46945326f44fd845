/* SPDX-License-Identifier: Apache-2.0
 *
 * The sources that are built in, in the order of their rank, and their hooks.
 *
 * Context: as each hook of source.h.
 */
#include "runtime/source.h"

#include <stddef.h>

#define MAX_SOURCES 32

/* The section's bounds, made by the linker; weak, because a library without sources has no such section. */
extern const struct tnd_source *const __start_tnd_sources[] __attribute__((weak, visibility("hidden")));
extern const struct tnd_source *const __stop_tnd_sources[] __attribute__((weak, visibility("hidden")));

static const struct tnd_source *started[MAX_SOURCES]; /* by rank */
static size_t n_started;
static bool are_started;

/* All sources, by rank; those of equal rank in the order in which the linker put them. */
static size_t sort(const struct tnd_source *sorted[static MAX_SOURCES])
{
    size_t n = 0;
    for (const struct tnd_source *const *p = __start_tnd_sources; p && p < __stop_tnd_sources && n < MAX_SOURCES; p++) {
        size_t at = n++;
        for (; at > 0 && sorted[at - 1]->rank > (*p)->rank; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = *p;
    }
    return n;
}

void tnd_source_start(struct tnd_thread *first)
{
    const struct tnd_source *sorted[MAX_SOURCES];
    size_t n = sort(sorted);
    for (size_t i = 0; i < n; i++)
        if (!sorted[i]->start || sorted[i]->start())
            started[n_started++] = sorted[i];
    are_started = true;
    if (first)
        tnd_source_thread_start(first);
}

void tnd_source_thread_start(struct tnd_thread *thread)
{
    for (size_t i = 0; i < n_started && are_started; i++)
        if (started[i]->thread_start)
            started[i]->thread_start(thread);
}

void tnd_source_thread_end(struct tnd_thread *thread)
{
    for (size_t i = n_started; i-- > 0;)
        if (started[i]->thread_end)
            started[i]->thread_end(thread);
}

void tnd_source_fork_child(void)
{
    for (size_t i = 0; i < n_started; i++)
        if (started[i]->fork_child)
            started[i]->fork_child();
}

void tnd_source_before_exec(struct tnd_thread *thread)
{
    for (size_t i = n_started; i-- > 0;)
        if (started[i]->before_exec)
            started[i]->before_exec(thread);
}

void tnd_source_after_failed_exec(struct tnd_thread *thread)
{
    for (size_t i = 0; i < n_started; i++)
        if (started[i]->after_failed_exec)
            started[i]->after_failed_exec(thread);
}

void tnd_source_leave(void)
{
    for (size_t i = n_started; i-- > 0;)
        if (started[i]->leave)
            started[i]->leave();
}

void tnd_source_stop(void)
{
    for (size_t i = n_started; i-- > 0;)
        if (started[i]->stop)
            started[i]->stop();
}

void tnd_source_be_alone(bool begins)
{
    for (size_t i = 0; i < n_started; i++)
        if (started[i]->be_alone)
            started[i]->be_alone(begins);
}

void tnd_source_switched(bool on)
{
    for (size_t i = 0; i < n_started; i++)
        if (started[i]->switched)
            started[i]->switched(on);
}

void tnd_source_code_changed(void)
{
    for (size_t i = 0; i < n_started; i++)
        if (started[i]->code_changed)
            started[i]->code_changed();
}

bool tnd_source_hears_code(void)
{
    bool hears = false;
    for (size_t i = 0; i < n_started; i++)
        hears |= started[i]->code_changed != NULL;
    return hears;
}
