/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LU factorisation by parallel loops: one region, in which each step is shared out and waited for.
 */
#include "tests/stories/programs/lu_blocks.h"

static void make_row(struct lu *lu, int k)
{
#pragma omp for schedule(dynamic, 1) nowait
    for (int j = k + 1; j < lu->n; j++)
        if (*lu_at(lu, k, j)) {
            lu_row(lu, *lu_at(lu, k, k), *lu_at(lu, k, j));
#pragma omp atomic
            lu->n_row++;
        }
}

static void make_column(struct lu *lu, int k)
{
#pragma omp for schedule(dynamic, 1)
    for (int i = k + 1; i < lu->n; i++)
        if (*lu_at(lu, i, k)) {
            lu_column(lu, *lu_at(lu, k, k), *lu_at(lu, i, k));
#pragma omp atomic
            lu->n_column++;
        }
}

static void update(struct lu *lu, int k)
{
#pragma omp for collapse(2) schedule(dynamic, 1)
    for (int i = k + 1; i < lu->n; i++)
        for (int j = k + 1; j < lu->n; j++)
            if (*lu_at(lu, i, k) && *lu_at(lu, k, j)) {
                if (!*lu_at(lu, i, j))
                    *lu_at(lu, i, j) = lu_new_block(lu);
                lu_update(lu, *lu_at(lu, i, k), *lu_at(lu, k, j), *lu_at(lu, i, j));
#pragma omp atomic
                lu->n_update++;
            }
}

int main(int argc, char **argv)
{
    struct lu lu = lu_make(argc, argv);
#pragma omp parallel
    for (int k = 0; k < lu.n; k++) {
#pragma omp single
        {
            lu_diagonal(&lu, *lu_at(&lu, k, k));
            lu.n_diagonal++;
        }
        make_row(&lu, k);
        make_column(&lu, k);
        update(&lu, k);
    }
    return lu_check(&lu);
}
