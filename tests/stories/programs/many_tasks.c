/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * many_tasks N CELLS: N tasks by one thread of a team of four; every second one depends on the one CELLS such tasks
 * before it.  A few thousand are under way at one time.  Says what they added up to, and the memory that the process
 * had.
 */
#include "say_memory.h"

#include <assert.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    assert(argc == 3);
    long n = atol(argv[1]), n_cells = atol(argv[2]), sum = 0;
    long *cells = calloc((size_t)n_cells, sizeof *cells);
#pragma omp parallel num_threads(4)
#pragma omp single
    for (long i = 0; i < n; i += 2) {
        long *cell = &cells[i / 2 % n_cells];
#pragma omp task firstprivate(i) shared(sum)
        __atomic_fetch_add(&sum, i, __ATOMIC_RELAXED);
#pragma omp task firstprivate(i, cell) depend(inout : *cell)
        *cell = *cell * 3 % 1000003 + i;
        if (i % 4096 == 0) {
#pragma omp taskwait
        }
    }
    for (long i = 0; i < n_cells; i++)
        sum += cells[i];
    printf("%ld\n", sum);
    say_memory();
    return 0;
}
