/* SPDX-License-Identifier: Apache-2.0
 *
 * What intercept/heap needs of its neighbours where the linker wraps the allocator: the real functions are known, and
 * there are no tables of sites and no Python.  A function that the program does not call is not wrapped, and NULL here.
 *
 * Context: wherever the program may allocate.
 */
#include "intercept/heap/heap_next.h"
#include "intercept/heap/heap_python.h"
#include "intercept/heap/heap_sites.h"
#include "runtime/config.h"
#include "runtime/run.h"
#include "targets/gr740/board.h"

#include <string.h>

#define REAL(result, name, parameters, arguments) result __real_##name parameters __attribute__((weak));
TND_HEAP_NEXT_TABLE(REAL)
void __real_free(void *block) __attribute__((weak));

#define FIELD(result, name, parameters, arguments) .name = __real_##name,
#define __real_malloc_usable_size tnd_board_block_size
struct tnd_heap_next tnd_heap_next = {TND_HEAP_NEXT_TABLE(FIELD).free = __real_free};

char tnd_heap_next_early[TND_HEAP_NEXT_EARLY_BYTES];
struct tnd_heap_lines tnd_heap_lines;
int64_t tnd_heap_python_live[TND_HEAP_PYTHON_DOMAINS];

bool tnd_heap_next_check(void)
{
    return true;
}

void *tnd_heap_next_move_early(void *old, size_t size)
{
    return NULL;
}

void tnd_heap_python_start(void) {}

bool tnd_heap_sites_start(bool all)
{
    if (strcmp(tnd_config.heap, "calls") != 0) /* which has sites on Linux, but is not about them */
        tnd_run_note("heap: a board has no table of sites; only values are recorded");
    return false;
}

/* What is never called, because there are no sites. */
uint64_t tnd_heap_sites_period(void)
{
    return UINT64_MAX;
}

int64_t tnd_heap_sites_next(void)
{
    return INT64_MAX;
}

void tnd_heap_sites_took(const void *block, size_t n_bytes, const void *start) {}

uint32_t tnd_heap_sites_clear(const void *block)
{
    return 0;
}

void tnd_heap_sites_gave(uint32_t site, size_t n_bytes) {}

void tnd_heap_sites_stays(const void *block, uint32_t site) {}

uint32_t tnd_heap_sites_here(const void *start)
{
    return 0;
}

void tnd_heap_sites_keep(void) {}

void tnd_heap_sites_tell(struct tnd_thread *thread, uint64_t time) {}

void tnd_heap_sites_fork_child(void) {}
