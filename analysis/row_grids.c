/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A bin is a key: of larger magnitude is larger, and of equal ones the positive; 0 is 0.  Where a grid's bins are too
 * wide for the columns the ones below it are taken, and at the end the bursts.
 */
#include "analysis/row_grids.h"

#include <math.h>
#include <string.h>

#define MAX_BINS 256
#define FAN_OUT 8
/* A block that is spread over more columns than this is walked through. */
#define WALKED_COLUMNS 128
/* Bursts are long from so many columns each on. */
#define LONG_COLUMNS 8

typedef struct {
    guint64 begin_ns, end_ns;
    const guint32 *keys;
    guint32 most;       /* of the keys */
    guint8 shift;       /* a bin is 2^shift ns, from a multiple of that on */
    gboolean are_whole; /* keys are of numbers below 2^31, else of floats */
    guint n_bins;
} Grid;

/* Levels, the lowest first: as many grids as the row has blocks, then one for FAN_OUT of them, up to a single one. */
typedef struct {
    gsize n;
    Grid *grids;
} Level;

#define MAX_LEVELS 22

struct TndRowGrids {
    const TndRowBursts *row;
    guint n_levels;
    Level levels[MAX_LEVELS];
};

/* Keys. */

static inline guint32 key_of_float(double value)
{
    float magnitude = (float)fabs(value);
    guint32 bits;
    memcpy(&bits, &magnitude, sizeof bits);
    return bits << 1 | (value > 0);
}

static inline guint32 key_of(double value, gboolean are_whole)
{
    return are_whole ? (guint32)fabs(value) << 1 | (value > 0) : key_of_float(value);
}

static inline double value_of(guint32 key, gboolean are_whole)
{
    guint32 bits = key >> 1;
    float magnitude;
    memcpy(&magnitude, &bits, sizeof magnitude);
    double value = are_whole ? bits : (double)magnitude;
    return key & 1 ? value : 0.0 - value;
}

/* Making them. */

static inline guint64 first_bin(const Grid *grid)
{
    return grid->begin_ns >> grid->shift;
}

/* Of that time, with room for its keys, which are 0. */
static Grid start_grid(TndLargeMemory *memory, guint64 begin_ns, guint64 end_ns, gboolean are_whole)
{
    Grid grid = {.begin_ns = begin_ns, .end_ns = end_ns, .are_whole = are_whole};
    if (begin_ns == end_ns)
        return grid;
    while (((end_ns - 1) >> grid.shift) - first_bin(&grid) >= MAX_BINS)
        grid.shift++;
    grid.n_bins = (guint)(((end_ns - 1) >> grid.shift) - first_bin(&grid)) + 1;
    gsize n_bytes = (grid.n_bins + 1) * sizeof *grid.keys; /* one more may be read */
    grid.keys = memset(tnd_large_memory_take(memory, n_bytes), 0, n_bytes);
    return grid;
}

static void add_key(Grid *grid, guint64 begin_ns, guint64 end_ns, guint32 key)
{
    guint32 *keys = (guint32 *)grid->keys;
    guint64 first = first_bin(grid), to = ((end_ns - 1) >> grid->shift) - first;
    for (guint64 bin = (begin_ns >> grid->shift) - first; bin <= to; bin++)
        keys[bin] = MAX(keys[bin], key);
    grid->most = MAX(grid->most, key);
}

static Grid grid_of_block(TndLargeMemory *memory, const TndRowBursts *row, gsize block)
{
    const TndBurstBlock *entry = &row->blocks[block];
    const TndBurstSummary *summary = &entry->summary;
    gboolean are_whole = entry->are_whole && summary->minimum > G_MININT32 && summary->maximum <= G_MAXINT32;
    Grid grid = start_grid(memory, entry->begin_ns, tnd_row_bursts_block_end(row, block), are_whole);
    TndBurst bursts[TND_ROW_BURSTS_BLOCK];
    gsize n = tnd_row_bursts_read(row, block, bursts);
    for (gsize i = 0; i < n; i++)
        if (bursts[i].end_ns > bursts[i].begin_ns && bursts[i].value != 0.0)
            add_key(&grid, bursts[i].begin_ns, bursts[i].end_ns, key_of(bursts[i].value, are_whole));
    return grid;
}

static Grid grid_of_grids(TndLargeMemory *memory, const Grid *below, gsize n)
{
    gboolean are_whole = TRUE;
    for (gsize i = 0; i < n; i++)
        are_whole &= below[i].are_whole;
    Grid grid = start_grid(memory, below[0].begin_ns, below[n - 1].end_ns, are_whole);
    for (gsize i = 0; i < n; i++)
        for (guint bin = 0; bin < below[i].n_bins; bin++) {
            guint64 begin_ns = (first_bin(&below[i]) + bin) << below[i].shift;
            guint32 key = below[i].keys[bin];
            if (key && below[i].are_whole && !are_whole)
                key = key_of_float(value_of(key, TRUE));
            begin_ns = MAX(begin_ns, grid.begin_ns);
            if (key)
                add_key(&grid, begin_ns, begin_ns + 1, key);
        }
    return grid;
}

TndRowGrids *tnd_row_grids_new(TndLargeMemory *memory, const TndRowBursts *row)
{
    TndRowGrids *grids = tnd_large_memory_take(memory, sizeof *grids);
    *grids = (TndRowGrids){.row = row};
    for (gsize n = row->n_blocks; n > 0; n = n > 1 ? (n + FAN_OUT - 1) / FAN_OUT : 0) {
        const Level *below = grids->n_levels ? &grids->levels[grids->n_levels - 1] : NULL;
        Level *level = &grids->levels[grids->n_levels++];
        *level = (Level){n, tnd_large_memory_take(memory, n * sizeof *level->grids)};
        for (gsize i = 0; i < n; i++) {
            gsize from = i * FAN_OUT;
            level->grids[i] = below ? grid_of_grids(memory, below->grids + from, MIN(FAN_OUT, below->n - from))
                                    : grid_of_block(memory, row, i);
        }
    }
    return grids;
}

/* Reading them.  A value's place is its bits, turned so that they are in the order of keys: no branch is needed to find
 * the larger of two. */

static inline guint64 bits_of(double value)
{
    guint64 bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline guint64 place_of(double value)
{
    guint64 bits = bits_of(value);
    return (bits << 1 | bits >> 63) ^ 1;
}

static inline double value_at(guint64 place)
{
    guint64 bits = (place ^ 1) >> 1 | (place ^ 1) << 63;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline void add_place(double *column, guint64 place)
{
    guint64 own = place_of(*column);
    *column = value_at(MAX(own, place));
}

/* Of bursts in a column, their places. */
typedef struct {
    guint64 most;  /* of those that begin or end in it */
    guint64 begun; /* the one that began last; 0: none did */
} Mark;

typedef struct {
    const TndRowGrids *grids;
    guint64 begin_ns, end_ns; /* of the columns, up to where the row ends */
    double per_ns;            /* columns a ns */
    double rounding;          /* half of an n-th of a ns, for n columns: far from all that a product can come to */
    double last_column;
    double *columns;
    Mark *marks; /* of each column; 0 but while a block is read */
} Frame;

/* The column that a moment is in, so many ns after the first one's begin: column c begins at c / per_ns, rounded down.
 * Moments beyond 2^53 ns, of which a double does not have each, are in one of the columns, too. */
static inline gint column_at(const Frame *frame, double after_ns)
{
    return (gint)CLAMP((after_ns + 1 - frame->rounding) * frame->per_ns, 0.0, frame->last_column);
}

/* Bursts of a block that are in the frame, and its columns that they are in. */
typedef struct {
    const TndBurst *bursts;
    gsize n;
    gint first, last;
} Stretch;

static inline double begin_of(const Frame *frame, const TndBurst *burst)
{
    return (double)(gint64)(MAX(burst->begin_ns, frame->begin_ns) - frame->begin_ns);
}

static inline double end_of(const Frame *frame, const TndBurst *burst)
{
    return (double)(gint64)(MIN(burst->end_ns, frame->end_ns) - frame->begin_ns);
}

/* Of bursts that are long: column by column. */
static void put_long(const Frame *frame, const Stretch *stretch)
{
    double *columns = frame->columns;
    gint first = stretch->first;
    for (gsize i = 0; i < stretch->n; i++) {
        const TndBurst *burst = &stretch->bursts[i];
        guint64 place = burst->end_ns > burst->begin_ns ? place_of(burst->value) : 0;
        gint last = MAX(column_at(frame, end_of(frame, burst) - 1), first);
        add_place(&columns[first], place);
        add_place(&columns[last], place);
        for (gint column = first + 1; column < last; column++)
            columns[column] = burst->value;
        first = column_at(frame, end_of(frame, burst));
    }
}

/* Of others: a burst is marked in the columns in which it begins and ends; then those in between, in which none begins,
 * get what holds there.  No branch depends on how long a burst is. */
static void put_short(const Frame *shared, const Stretch *stretch)
{
    const Frame frame = *shared; /* that no write into marks can change */
    Mark *marks = frame.marks;
    gint first = stretch->first;
    for (gsize i = 0; i < stretch->n; i++) {
        const TndBurst *burst = &stretch->bursts[i];
        guint64 place = burst->end_ns > burst->begin_ns ? place_of(burst->value) : 0;
        gint last = MAX(column_at(&frame, end_of(&frame, burst) - 1), first);
        marks[first].most = MAX(marks[first].most, place);
        marks[first].begun = place ? place : marks[first].begun;
        marks[last].most = MAX(marks[last].most, place);
        first = column_at(&frame, end_of(&frame, burst));
    }
    guint64 holds = 0;
    for (gint column = stretch->first; column <= stretch->last; column++) {
        const Mark mark = marks[column];
        holds = mark.begun ? mark.begun : holds;
        add_place(&frame.columns[column], mark.begun ? mark.most : holds);
        marks[column] = (Mark){0, 0};
    }
}

static void walk_block(const Frame *frame, gsize block)
{
    TndBurst bursts[TND_ROW_BURSTS_BLOCK];
    gsize from = 0, to = tnd_row_bursts_read(frame->grids->row, block, bursts);
    while (from < to && bursts[from].end_ns <= frame->begin_ns)
        from++;
    while (from < to && bursts[to - 1].begin_ns >= frame->end_ns)
        to--;
    if (from == to)
        return;
    Stretch stretch = {&bursts[from], to - from, column_at(frame, begin_of(frame, &bursts[from])),
                       column_at(frame, end_of(frame, &bursts[to - 1]) - 1)};
    if ((gsize)(stretch.last - stretch.first) > LONG_COLUMNS * stretch.n)
        put_long(frame, &stretch);
    else
        put_short(frame, &stretch);
}

/* Of n keys, at least one, and of one more if has_more. */
static inline guint32 largest_key(const guint32 *keys, guint n, gboolean has_more)
{
    guint32 largest = has_more ? keys[n] : 0;
    for (guint i = 0; i < n; i++)
        largest = MAX(largest, keys[i]);
    return largest;
}

static inline void add_key_at(const Frame *frame, const Grid *grid, gint column, guint32 key)
{
    add_place(&frame->columns[column], place_of(value_of(key, grid->are_whole)));
}

/* Every bin goes to one column, and every column that the grid is in gets one at least. */
static void read_grid(const Frame *frame, const Grid *grid)
{
    guint64 begin_ns = MAX(grid->begin_ns, frame->begin_ns), end_ns = MIN(grid->end_ns, frame->end_ns);
    gint column = column_at(frame, (double)(begin_ns - frame->begin_ns));
    const gint last = column_at(frame, (double)(end_ns - 1 - frame->begin_ns));
    guint from = (guint)((begin_ns >> grid->shift) - first_bin(grid));
    const guint end = (guint)(((end_ns - 1) >> grid->shift) - first_bin(grid)) + 1;
    if (column == last) {
        add_key_at(frame, grid, column, largest_key(grid->keys + from, end - from, FALSE));
        return;
    }
    /* Edges in bins, rounded, with 32 bits for the rest. */
    const double bins_per_ns = 1 / (double)(G_GUINT64_CONSTANT(1) << grid->shift), unit = 4294967296.0;
    double first_ns = (double)(gint64)((first_bin(grid) << grid->shift) - frame->begin_ns);
    double first_edge = ((column + 1) / frame->per_ns - first_ns) * bins_per_ns;
    guint64 edge = (guint64)(CLAMP(first_edge, 0.0, (double)end) * unit) + 0x80000000u;
    const guint64 step = (guint64)(MIN(bins_per_ns / frame->per_ns, MAX_BINS) * unit);
    guint to = CLAMP((guint)(edge >> 32), from + 1, end);
    add_key_at(frame, grid, column++, largest_key(grid->keys + from, to - from, FALSE));
    const guint n = CLAMP((guint)(step >> 32), 1, end);
    for (; column < last; column++) {
        edge += step;
        from = MIN(to, end - n);
        to = (guint)(edge >> 32);
        add_key_at(frame, grid, column, largest_key(grid->keys + from, n, to - from > n));
    }
    from = MIN(to, end - 1);
    add_key_at(frame, grid, last, largest_key(grid->keys + from, end - from, FALSE));
}

static void visit(const Frame *frame, guint level, gsize at)
{
    const Grid *grid = &frame->grids->levels[level].grids[at];
    if (grid->end_ns <= frame->begin_ns || grid->begin_ns >= frame->end_ns || grid->begin_ns == grid->end_ns)
        return;
    if (level == 0) {
        if ((double)(grid->end_ns - grid->begin_ns) * frame->per_ns > WALKED_COLUMNS)
            walk_block(frame, at);
        else
            read_grid(frame, grid);
    } else if ((double)(G_GUINT64_CONSTANT(2) << grid->shift) * frame->per_ns <= 1) {
        read_grid(frame, grid);
    } else {
        gsize end = MIN((at + 1) * FAN_OUT, frame->grids->levels[level - 1].n);
        for (gsize below = at * FAN_OUT; below < end; below++)
            visit(frame, level - 1, below);
    }
}

void tnd_row_grids_columns(const TndRowGrids *grids, guint64 begin_ns, guint64 end_ns, guint n, double *values)
{
    Frame frame = {.grids = grids,
                   .begin_ns = begin_ns,
                   .end_ns = MIN(end_ns, grids->row->end_ns),
                   .per_ns = n / (double)(end_ns - begin_ns),
                   .rounding = 0.5 / n,
                   .last_column = n - 1,
                   .columns = values,
                   .marks = g_new0(Mark, n)};
    memset(values, 0, n * sizeof *values);
    if (begin_ns < frame.end_ns && grids->n_levels == 1)
        walk_block(&frame, 0);
    else if (begin_ns < frame.end_ns)
        visit(&frame, grids->n_levels - 1, 0);
    g_free(frame.marks);
}
