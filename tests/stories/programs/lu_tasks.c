/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LU factorisation by tasks that depend on each other's blocks: nothing else is waited for.  Blocks that come to be are
 * allocated when the task is made, so that every task names the memory that it works on.
 */
#include "tests/stories/programs/lu_blocks.h"

static void make_row(struct lu *lu, int k)
{
    double *diagonal = *lu_at(lu, k, k);
    for (int j = k + 1; j < lu->n; j++) {
        double *block = *lu_at(lu, k, j);
        if (!block)
            continue;
        lu->n_row++;
#pragma omp task depend(in : diagonal[0]) depend(inout : block[0])
        lu_row(lu, diagonal, block);
    }
}

static void make_column(struct lu *lu, int k)
{
    double *diagonal = *lu_at(lu, k, k);
    for (int i = k + 1; i < lu->n; i++) {
        double *block = *lu_at(lu, i, k);
        if (!block)
            continue;
        lu->n_column++;
#pragma omp task depend(in : diagonal[0]) depend(inout : block[0])
        lu_column(lu, diagonal, block);
    }
}

static void update(struct lu *lu, int k)
{
    for (int i = k + 1; i < lu->n; i++)
        for (int j = k + 1; j < lu->n; j++) {
            double *column = *lu_at(lu, i, k), *row = *lu_at(lu, k, j), **block = lu_at(lu, i, j);
            if (!column || !row)
                continue;
            double *changed = *block = *block ? *block : lu_new_block(lu);
            lu->n_update++;
#pragma omp task depend(in : column[0], row[0]) depend(inout : changed[0])
            lu_update(lu, column, row, changed);
        }
}

int main(int argc, char **argv)
{
    struct lu lu = lu_make(argc, argv);
#pragma omp parallel
#pragma omp single
    for (int k = 0; k < lu.n; k++) {
        double *diagonal = *lu_at(&lu, k, k);
        lu.n_diagonal++;
#pragma omp task depend(inout : diagonal[0])
        lu_diagonal(&lu, diagonal);
        make_row(&lu, k);
        make_column(&lu, k);
        update(&lu, k);
    }
    return lu_check(&lu);
}
