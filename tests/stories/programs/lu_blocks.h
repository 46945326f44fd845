/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A matrix in square blocks, of which some are absent (zero), and the four steps that an LU factorisation without
 * pivoting makes of it: lu_diagonal factors block (k,k), lu_row and lu_column bring the blocks beside and below it to
 * their final form, lu_update takes their product from a block within.  lu_check multiplies the factors and compares.
 *
 * Arguments of the programs: [blocks a side [elements a side of a block [sparse|dense]]].  The sparse pattern is that
 * of the Barcelona OpenMP Tasks Suite's benchmark, so that graphs of tasks can be compared with published ones.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct lu {
    int n, size;
    double **blocks, **before; /* n x n; NULL: absent */
    int n_diagonal, n_row, n_column, n_update;
};

static inline double **lu_at(struct lu *lu, int i, int j)
{
    return &lu->blocks[i * lu->n + j];
}

static inline double *lu_new_block(const struct lu *lu)
{
    double *block = calloc((size_t)lu->size * (size_t)lu->size, sizeof *block);
    if (!block)
        abort();
    return block;
}

static inline void lu_diagonal(const struct lu *lu, double *a)
{
    int s = lu->size;
    for (int k = 0; k < s; k++)
        for (int i = k + 1; i < s; i++) {
            double factor = a[i * s + k] /= a[k * s + k];
            for (int j = k + 1; j < s; j++)
                a[i * s + j] -= factor * a[k * s + j];
        }
}

/* Solves L x = a, where L is the lower half of `diagonal`, with ones on its diagonal. */
static inline void lu_row(const struct lu *lu, const double *diagonal, double *a)
{
    int s = lu->size;
    for (int k = 0; k < s; k++)
        for (int i = k + 1; i < s; i++)
            for (int j = 0; j < s; j++)
                a[i * s + j] -= diagonal[i * s + k] * a[k * s + j];
}

/* Solves x U = a, where U is the upper half of `diagonal`. */
static inline void lu_column(const struct lu *lu, const double *diagonal, double *a)
{
    int s = lu->size;
    for (int i = 0; i < s; i++)
        for (int k = 0; k < s; k++) {
            double factor = a[i * s + k] /= diagonal[k * s + k];
            for (int j = k + 1; j < s; j++)
                a[i * s + j] -= factor * diagonal[k * s + j];
        }
}

static inline void lu_update(const struct lu *lu, const double *column, const double *row, double *a)
{
    int s = lu->size;
    for (int i = 0; i < s; i++)
        for (int k = 0; k < s; k++)
            for (int j = 0; j < s; j++)
                a[i * s + j] -= column[i * s + k] * row[k * s + j];
}

static bool is_there(int i, int j)
{
    int least = i < j ? i : j;
    return abs(i - j) <= 1 || (i % 2 == 0 && j % 2 == 0 && least % 3 == 0);
}

/* The same numbers every time, the greatest on the diagonal, so that no pivoting is needed. */
static double *made_block(const struct lu *lu, int i, int j, unsigned *seed)
{
    double *block = lu_new_block(lu);
    for (int e = 0; e < lu->size * lu->size; e++) {
        *seed = *seed * 1664525 + 1013904223; /* Numerical Recipes' generator */
        block[e] = (double)(*seed >> 8) / (1 << 24) - 0.5;
    }
    for (int e = 0; i == j && e < lu->size; e++)
        block[e * lu->size + e] += lu->n * lu->size;
    return block;
}

static inline struct lu lu_make(int argc, char **argv)
{
    struct lu lu = {.n = argc > 1 ? atoi(argv[1]) : 5, .size = argc > 2 ? atoi(argv[2]) : 64};
    bool is_dense = argc > 3 && strcmp(argv[3], "dense") == 0;
    if (lu.n < 1 || lu.size < 1)
        exit(2);
    lu.blocks = calloc((size_t)(lu.n * lu.n), sizeof *lu.blocks);
    lu.before = calloc((size_t)(lu.n * lu.n), sizeof *lu.before);
    unsigned seed = 1;
    for (int i = 0; i < lu.n; i++)
        for (int j = 0; j < lu.n; j++)
            if (is_dense || is_there(i, j)) {
                double *block = *lu_at(&lu, i, j) = made_block(&lu, i, j, &seed);
                lu.before[i * lu.n + j] =
                    memcpy(lu_new_block(&lu), block, (size_t)lu.size * (size_t)lu.size * sizeof *block);
            }
    return lu;
}

/* An element of one of the factors: `is_upper` says of which. */
static double factor_at(struct lu *lu, int i, int j, bool is_upper)
{
    if (!is_upper && i == j)
        return 1;
    const double *block = *lu_at(lu, i / lu->size, j / lu->size);
    return block && (is_upper ? i <= j : i > j) ? block[i % lu->size * lu->size + j % lu->size] : 0;
}

/* Says how many steps there were and how far L U is from what it was made of, frees all; the program's status. */
static inline int lu_check(struct lu *lu)
{
    int n = lu->n * lu->size;
    double worst = 0;
    double *lower = calloc((size_t)n * (size_t)n, sizeof *lower), *upper = calloc((size_t)n * (size_t)n, sizeof *upper);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            lower[i * n + j] = factor_at(lu, i, j, false);
            upper[j * n + i] = factor_at(lu, i, j, true);
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const double *block = lu->before[i / lu->size * lu->n + j / lu->size];
            double sum = block ? -block[i % lu->size * lu->size + j % lu->size] : 0;
            for (int k = 0; k <= i && k <= j; k++)
                sum += lower[i * n + k] * upper[j * n + k];
            worst = fabs(sum) > worst || isnan(sum) ? fabs(sum) : worst;
        }
    free(lower);
    free(upper);
    for (int b = 0; b < lu->n * lu->n; b++) {
        free(lu->blocks[b]);
        free(lu->before[b]);
    }
    free(lu->blocks);
    free(lu->before);
    bool is_right = worst < 1e-12 * n * n;
    printf("diagonal %d row %d column %d update %d: %s\n", lu->n_diagonal, lu->n_row, lu->n_column, lu->n_update,
           is_right ? "right" : "wrong");
    return is_right ? 0 : 1;
}
