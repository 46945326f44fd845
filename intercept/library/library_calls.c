/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls of functions of any library, as the user asks for (setting `library`): the source.
 *
 * Cost: nothing if no library is asked for.  Else a look at all loaded files at start, 1 us a slot that leads to a
 * wrapped library and 1 ns a byte of some code, and again after each dlopen.
 * Context: hooks of source.h.
 */
#include "intercept/library/library_choice.h"
#include "intercept/library/library_linked.h"
#include "intercept/library/library_shadow.h"
#include "intercept/library/library_slots.h"
#include "intercept/library/library_stubs.h"
#include "intercept/library/library_values.h"
#include "runtime/config.h"
#include "runtime/image.h"
#include "runtime/source.h"

#include <dlfcn.h>
#include <errno.h>
#include <sched.h>

static char is_looking; /* one thread looks at a time: the loader's lock may be held by a thread that waits for ours */
static uint32_t n_wanted; /* how often something was loaded or unloaded */

static void look(void)
{
    int before = errno;
    uint32_t n = __atomic_add_fetch(&n_wanted, 1, __ATOMIC_ACQ_REL), n_seen = n - 1;
    /* To look means to open files that are loaded, which calls this again. */
    while (n_seen != n && !__atomic_test_and_set(&is_looking, __ATOMIC_ACQUIRE)) {
        n_seen = n;
        tnd_library_slots_look();
        __atomic_clear(&is_looking, __ATOMIC_RELEASE);
        n = __atomic_load_n(&n_wanted, __ATOMIC_ACQUIRE);
    }
    errno = before;
}

/* Takes the turn to look; false: it is not to be had.  Whoever has it may wait for the loader's lock, which our caller
 * may hold: do not wait for long. */
static bool take_turn(void)
{
    enum { TRIES = 1000 };
    for (int i = 0; i < TRIES; i++) {
        if (!__atomic_test_and_set(&is_looking, __ATOMIC_ACQUIRE))
            return true;
        sched_yield();
    }
    return false;
}

void *tnd_library_slots_dlsym(void *handle, const char *name)
{
    if (handle == RTLD_NEXT || handle == RTLD_DEFAULT)
        return dlsym(handle, name); /* compiled as a jump, so that libc sees our caller */
    void *found = dlsym(handle, name);
    int before = errno;
    if (found && tnd_image_is_here() && take_turn()) {
        found = tnd_library_slots_find(found, name);
        __atomic_clear(&is_looking, __ATOMIC_RELEASE);
    }
    errno = before;
    return found;
}

static void lead(const struct tnd_library_linked *linked)
{
    tnd_library_choice_note(linked->library, TND_LIBRARY_LOADED);
    uint64_t trampoline = tnd_library_choice_takes(linked->library, linked->name)
                              ? tnd_library_stubs_get(*linked->slot, linked->name, linked->library)
                              : 0;
    if (!trampoline || !tnd_library_stubs_finish())
        return;
    __atomic_store_n(linked->slot, trampoline, __ATOMIC_RELEASE);
    tnd_library_choice_note(linked->library, TND_LIBRARY_WRAPPED);
}

__attribute__((visibility("default"))) void tnd_library_linked_tell(const struct tnd_library_linked *linked)
{
    int before = errno;
    if (tnd_library_functions && tnd_library_choice_has(linked->library) && take_turn()) {
        lead(linked);
        __atomic_clear(&is_looking, __ATOMIC_RELEASE);
    }
    errno = before;
}

static bool start(void)
{
    if (!tnd_library_choice_start() || !tnd_library_stubs_start())
        return false;
    tnd_library_values_start(tnd_config.library_plan);
    look();
    return true;
}

static void thread_end(struct tnd_thread *thread)
{
    tnd_library_shadow_give_back(thread);
}

static void fork_child(void)
{
    __atomic_clear(&is_looking, __ATOMIC_RELEASE);
    tnd_library_shadow_fork_child();
}

static const struct tnd_source library_source = {
    .name = "library",
    .rank = 210,
    .start = start,
    .thread_end = thread_end,
    .fork_child = fork_child,
    .stop = tnd_library_shadow_stop,
    .code_changed = look,
};
TND_SOURCE(library_source);
