/* SPDX-License-Identifier: Apache-2.0
 *
 * Changing instructions.  Context: library_sites.h.
 */
#include "intercept/library/library_sites.h"

#include "intercept/library/library_uses.h"

#include <sys/mman.h>

#define CELLS_BYTES 65536
#define PAGE_BYTES 4096
#define REACH ((uint64_t)1 << 30) /* of an operand, with room for the object itself */
#define STEP ((uint64_t)1 << 20)

/* The cells that were made last. */
static struct {
    uint64_t *next, *end;
} cells;

static bool is_near(const struct tnd_library_object *object, const void *cell)
{
    return object->high - object->low < REACH &&
           (uint64_t)cell - (object->low - REACH) < 2 * REACH; /* from low - REACH to low + REACH */
}

/* New cells, where the object's code reaches them. */
static bool make_cells(const struct tnd_library_object *object)
{
    uint64_t high = (object->high + PAGE_BYTES - 1) & ~(uint64_t)(PAGE_BYTES - 1);
    uint64_t low = (object->low & ~(uint64_t)(PAGE_BYTES - 1)) - CELLS_BYTES;
    for (uint64_t distance = 0; distance < REACH / 2; distance += STEP) {
        uint64_t places[] = {high + distance, low - distance};
        for (int i = 0; i < 2; i++) {
            void *pages = mmap((void *)places[i], CELLS_BYTES, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
            if (pages == MAP_FAILED)
                continue;
            cells.next = pages;
            cells.end = cells.next + CELLS_BYTES / sizeof *cells.next;
            if (is_near(object, pages))
                return true;
            munmap(pages, CELLS_BYTES); /* an old kernel took the address for a wish */
            cells.next = cells.end = NULL;
        }
    }
    return false;
}

static void change(uint8_t *operand, void *cell)
{
    int32_t distance = (int32_t)((int64_t)cell - (int64_t)(operand + sizeof distance));
    uint64_t page = (uint64_t)operand & ~(uint64_t)(PAGE_BYTES - 1);
    size_t n_bytes = (uint64_t)operand + sizeof distance - page;
    if (mprotect((void *)page, n_bytes, PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
        return;
    __atomic_store_n((int32_t *)(void *)operand, distance, __ATOMIC_RELEASE);
    mprotect((void *)page, n_bytes, PROT_READ | PROT_EXEC);
}

void tnd_library_sites_lead(const struct tnd_library_object *object, uint64_t slot, uint64_t trampoline)
{
    if ((cells.next == cells.end || !is_near(object, cells.next)) && !make_cells(object))
        return;
    uint64_t *cell = cells.next++;
    *cell = trampoline;
    tnd_library_uses_each(object, slot, change, cell);
}
