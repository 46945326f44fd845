/* SPDX-License-Identifier: Apache-2.0
 *
 * halo: simulates the heat in a plate while a torch draws a seam across it, with all ranks of an MPI program.
 *
 *     mpicc -O2 -g halo.c -o halo -lm && mpirun -n 4 ./halo [cells along an edge] [steps]
 *
 * The plate is a grid of cells, divided into one rectangular tile for each rank.  In every step a tile needs the cells
 * just across its four borders: each rank sends its outermost rows and columns to its neighbours and receives theirs
 * into a frame of cells around its own, the halo.  While these messages travel, the rank computes the inside of its
 * tile, which needs no halo; then it waits for the messages and computes the border.
 *
 * Hot cells lose heat by radiation, for which an equation is solved in each hot cell, and the seam stays hot behind the
 * torch.  So the ranks whose tiles the torch crosses have more and more work, and the others wait for them.  A timeline
 * of this program shows this load imbalance: first one slow rank, and another one in the second half of the run.
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* Each phase stays a function of its own, so that a profile shows it under its name. */
#define PHASE __attribute__((noinline)) static

enum { NORTH, SOUTH, WEST, EAST, N_SIDES };

struct tile {
    int rows, columns;           /* cells of our own */
    int first_row, first_column; /* where they lie in the plate */
    double *now, *next;          /* temperatures, with a halo of one cell on each side */
    int neighbour[N_SIDES]; /* ranks; MPI_PROC_NULL at the plate's edge, where messages to and from nobody are no-ops */
    MPI_Comm grid;
    MPI_Datatype row, column; /* what a border looks like in memory */
};

static const double torch_temperature = 40.0, glow_temperature = 0.5, radiation = 2e-5;
static const int steps_between_checks = 10;

/* The cell at (r, c) of a tile; -1 and rows (or columns) are the halo. */
static inline double *cell(const struct tile *tile, double *cells, int r, int c)
{
    return &cells[(size_t)(r + 1) * (size_t)(tile->columns + 2) + (size_t)(c + 1)];
}

/* Divides `total` things among `n`: returns how many number `i` gets, and sets `first` to the first of them. */
static int share(int total, int n, int i, int *first)
{
    *first = (int)((long)total * i / n);
    return (int)((long)total * (i + 1) / n) - *first;
}

static void make_tile(struct tile *tile, int edge)
{
    int n_ranks, rank, grid_size[2] = {0, 0}, wraps[2] = {0, 0}, place[2];
    MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    MPI_Dims_create(n_ranks, 2, grid_size);
    MPI_Cart_create(MPI_COMM_WORLD, 2, grid_size, wraps, 1, &tile->grid);
    MPI_Comm_rank(tile->grid, &rank);
    MPI_Cart_coords(tile->grid, rank, 2, place);
    MPI_Cart_shift(tile->grid, 0, 1, &tile->neighbour[NORTH], &tile->neighbour[SOUTH]);
    MPI_Cart_shift(tile->grid, 1, 1, &tile->neighbour[WEST], &tile->neighbour[EAST]);

    tile->rows = share(edge, grid_size[0], place[0], &tile->first_row);
    tile->columns = share(edge, grid_size[1], place[1], &tile->first_column);
    MPI_Type_contiguous(tile->columns, MPI_DOUBLE, &tile->row);
    MPI_Type_vector(tile->rows, 1, tile->columns + 2, MPI_DOUBLE, &tile->column);
    MPI_Type_commit(&tile->row);
    MPI_Type_commit(&tile->column);

    size_t n_cells = (size_t)(tile->rows + 2) * (size_t)(tile->columns + 2);
    tile->now = calloc(n_cells, sizeof *tile->now);
    tile->next = calloc(n_cells, sizeof *tile->next);
    if (!tile->now || !tile->next)
        MPI_Abort(MPI_COMM_WORLD, 1);
}

static void free_tile(struct tile *tile)
{
    free(tile->now);
    free(tile->next);
    MPI_Type_free(&tile->row);
    MPI_Type_free(&tile->column);
    MPI_Comm_free(&tile->grid);
}

/* The torch is a disc that keeps its temperature.  It crosses the plate from left to right, a quarter from the top, in
 * `n_steps`. */
PHASE void hold_torch(struct tile *tile, double *cells, int edge, int step, int n_steps)
{
    const int radius = edge / 16, row = edge / 4 - tile->first_row,
              column = (int)((long)edge * step / n_steps) - tile->first_column;
    for (int r = row - radius; r <= row + radius; r++)
        for (int c = column - radius; c <= column + radius; c++)
            if (r >= 0 && r < tile->rows && c >= 0 && c < tile->columns &&
                (r - row) * (r - row) + (c - column) * (c - column) <= radius * radius)
                *cell(tile, cells, r, c) = torch_temperature;
}

/* Starts the exchange of borders; 2 x N_SIDES requests. */
PHASE void start_exchange(struct tile *tile, MPI_Request requests[])
{
    const int last_row = tile->rows - 1, last_column = tile->columns - 1;
    const struct {
        int own_row, own_column, halo_row, halo_column;
        MPI_Datatype shape;
    } border[N_SIDES] = {
        [NORTH] = {0, 0, -1, 0, tile->row},
        [SOUTH] = {last_row, 0, tile->rows, 0, tile->row},
        [WEST] = {0, 0, 0, -1, tile->column},
        [EAST] = {0, last_column, 0, tile->columns, tile->column},
    };
    const int opposite[N_SIDES] = {SOUTH, NORTH, EAST, WEST}; /* a message's tag is the side that it leaves from */

    for (int side = 0; side < N_SIDES; side++)
        MPI_Irecv(cell(tile, tile->now, border[side].halo_row, border[side].halo_column), 1, border[side].shape,
                  tile->neighbour[side], opposite[side], tile->grid, &requests[side]);
    for (int side = 0; side < N_SIDES; side++)
        MPI_Isend(cell(tile, tile->now, border[side].own_row, border[side].own_column), 1, border[side].shape,
                  tile->neighbour[side], side, tile->grid, &requests[N_SIDES + side]);
}

/* One step of conduction for a rectangle of cells: each moves towards the mean of its neighbours. */
PHASE void conduct(struct tile *tile, int from_row, int to_row, int from_column, int to_column)
{
    for (int r = from_row; r < to_row; r++) {
        const double *above = cell(tile, tile->now, r - 1, 0), *here = cell(tile, tile->now, r, 0),
                     *below = cell(tile, tile->now, r + 1, 0);
        double *next = cell(tile, tile->next, r, 0);
        for (int c = from_column; c < to_column; c++)
            next[c] = here[c] + 0.24 * (above[c] + below[c] + here[c - 1] + here[c + 1] - 4.0 * here[c]);
    }
}

/* Hot cells radiate: the new temperature t solves t + radiation * t^4 = old temperature, by Newton's method. */
PHASE void radiate(struct tile *tile)
{
    for (int r = 0; r < tile->rows; r++) {
        double *next = cell(tile, tile->next, r, 0);
        for (int c = 0; c < tile->columns; c++) {
            if (next[c] < glow_temperature)
                continue;
            double t = next[c], change;
            do {
                change = (t + radiation * t * t * t * t - next[c]) / (1.0 + 4.0 * radiation * t * t * t);
                t -= change;
            } while (fabs(change) > 1e-13 * t);
            next[c] = t;
        }
    }
}

/* Returns how much the plate's temperature changes in this step; the result is the same on all ranks. */
PHASE double measure_change(struct tile *tile)
{
    double own = 0.0, all;
    for (int r = 0; r < tile->rows; r++)
        for (int c = 0; c < tile->columns; c++) {
            double d = *cell(tile, tile->next, r, c) - *cell(tile, tile->now, r, c);
            own += d * d;
        }
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, tile->grid);
    return sqrt(all);
}

static double measure_heat(struct tile *tile)
{
    double own = 0.0, all = 0.0;
    for (int r = 0; r < tile->rows; r++)
        for (int c = 0; c < tile->columns; c++)
            own += *cell(tile, tile->now, r, c);
    MPI_Reduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, 0, tile->grid);
    return all;
}

/* Computes one step.  Returns the plate's change if `check` is set, else 0. */
static double advance(struct tile *tile, int edge, int step, int n_steps, int check)
{
    MPI_Request requests[2 * N_SIDES];
    start_exchange(tile, requests);
    conduct(tile, 1, tile->rows - 1, 1, tile->columns - 1);
    MPI_Waitall(2 * N_SIDES, requests, MPI_STATUSES_IGNORE);
    conduct(tile, 0, 1, 0, tile->columns);
    conduct(tile, tile->rows - 1, tile->rows, 0, tile->columns);
    conduct(tile, 1, tile->rows - 1, 0, 1);
    conduct(tile, 1, tile->rows - 1, tile->columns - 1, tile->columns);
    radiate(tile);
    hold_torch(tile, tile->next, edge, step, n_steps);
    double change = check ? measure_change(tile) : 0.0;

    double *old = tile->now;
    tile->now = tile->next;
    tile->next = old;
    return change;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int edge = argc > 1 ? atoi(argv[1]) : 1600, n_steps = argc > 2 ? atoi(argv[2]) : 200;
    int n_ranks, rank;
    MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (edge < 16 || edge < 2 * n_ranks || n_steps < 1) {
        if (rank == 0)
            fprintf(stderr, "usage: halo [cells along an edge, at least 16 and 2 a rank] [steps]\n");
        MPI_Finalize();
        return 2;
    }

    struct tile tile;
    make_tile(&tile, edge);
    hold_torch(&tile, tile.now, edge, 0, n_steps);
    double change = 0.0;
    for (int i = 1; i <= n_steps; i++) {
        int check = i % steps_between_checks == 0 || i == n_steps;
        double now = advance(&tile, edge, i, n_steps, check);
        change = check ? now : change;
    }
    double heat = measure_heat(&tile);
    if (rank == 0)
        printf("%d x %d cells, %d ranks, %d steps: heat %.6e, last change %.6e\n", edge, edge, n_ranks, n_steps, heat,
               change);
    free_tile(&tile);
    MPI_Finalize();
    return 0;
}
