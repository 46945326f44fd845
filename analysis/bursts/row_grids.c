/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Making the tree, and reading bins of extremes.  If the bins of a grid are too wide for the columns, the grids below
 * it are read, and below the lowest level the bursts.
 *
 * Bins of the smallest values hold them turned upside down, so that the largest of them is sought in every tree.
 */
#include "analysis/bursts/grid_samples.h"

#define FAN_OUT 8
/* A block that covers more columns than this is read burst by burst; where rows take turns, so that a row has not every
 * column, one that covers more columns than its grid has bins. */
#define WALKED_COLUMNS 128
/* Items of a loop of constant length, which the compiler vectorizes. */
#define STEP 8

/* A grid of [begin_ns, end_ns) whose bins are all 0. */
static Grid start_grid(TndLargeMemory *memory, guint64 begin_ns, guint64 end_ns, const TndValueCodes *codes)
{
    Grid grid = {.begin_ns = begin_ns, .end_ns = end_ns, .are_whole = TRUE};
    if (begin_ns == end_ns)
        return grid;
    while (((end_ns - 1) >> grid.shift) - tnd_grid_tree_first_bin(&grid) >= MAX_BINS)
        grid.shift++;
    grid.n_bins = (guint)(((end_ns - 1) >> grid.shift) - tnd_grid_tree_first_bin(&grid)) + 1;
    guint n_room = grid.n_bins + 1; /* readers may read one bin more */
    grid.bins = tnd_large_memory_take(memory, n_room * (codes ? sizeof(guint16) : sizeof(guint32)));
    for (guint bin = 0; bin < n_room; bin++)
        tnd_grid_tree_set_bin(&grid, bin, codes ? codes->zero : 0, codes != NULL);
    return grid;
}

/* Codes and keys as they stand in bins, and back; 0, which no smallest value is, stays. */
static inline guint16 turned_code(const TndRowGrids *grids, guint16 code)
{
    return grids->kind == TND_GRIDS_SMALLEST && code > grids->codes->zero ? (guint16)~code : code;
}

static inline guint32 turned_key(const TndRowGrids *grids, guint32 key)
{
    return grids->kind == TND_GRIDS_SMALLEST && key ? ~key : key;
}

static inline guint64 turned_rank(const TndRowGrids *grids, guint64 rank)
{
    return grids->kind == TND_GRIDS_SMALLEST && rank != tnd_grid_tree_rank_of(0) && rank ? ~rank : rank;
}

FOR_EACH_KIND void add_to_bins(const Grid *grid, guint64 begin_ns, guint64 end_ns, guint32 least, gboolean are_codes)
{
    guint64 first = tnd_grid_tree_first_bin(grid), to = ((end_ns - 1) >> grid->shift) - first;
    for (guint64 bin = (begin_ns >> grid->shift) - first; bin <= to; bin++)
        tnd_grid_tree_set_bin(grid, bin, MAX(tnd_grid_tree_bin(grid, bin, are_codes), least), are_codes);
}

/* Makes the codes of n bursts of a block from their numbers (tnd_row_bursts_value). */
static void make_codes(const TndRowGrids *grids, gboolean are_whole, const guint64 *numbers, guint n, guint16 *codes)
{
    double values[TND_ROW_BURSTS_BLOCK];
    if (!grids->codes->is_gradient) {
        for (guint i = 0; i < n; i++)
            codes[i] = (guint16)(tnd_columns_unzigzag(numbers[i]) + TND_VALUE_CODES_OF_ZERO);
        return;
    }
    for (guint i = 0; i < n; i++)
        values[i] = tnd_row_bursts_value(numbers[i], are_whole);
    tnd_value_codes_encode(grids->codes, values, n, codes);
}

static Grid grid_of_block(TndLargeMemory *memory, const TndRowGrids *grids, TndGridDebts *debts, gsize block)
{
    const TndBurstBlock *entry = &grids->row->blocks[block];
    const TndBurstSummary *summary = &grids->row->pyramid[block];
    guint64 ends_ns[TND_ROW_BURSTS_BLOCK], numbers[TND_ROW_BURSTS_BLOCK],
        begin_ns = tnd_row_bursts_block_begin(grids->row, block);
    guint16 codes[TND_ROW_BURSTS_BLOCK];
    double values[TND_ROW_BURSTS_BLOCK];
    Grid grid = start_grid(memory, begin_ns, grids->row->ends_ns[block], grids->codes);
    const guint n = tnd_row_bursts_read_columns(grids->row, block, ends_ns, numbers);
    if (grids->codes)
        make_codes(grids, entry->are_whole, numbers, n, codes);
    grid.are_whole = entry->are_whole && summary->minimum > G_MININT32 && summary->maximum <= G_MAXINT32;
    for (guint i = 0; i < n; i++)
        values[i] = tnd_row_bursts_value(numbers[i], entry->are_whole);
    if (debts) {
        tnd_grid_samples_of_block(debts, &grid, ends_ns, grids->codes ? codes : NULL, values, n);
        return grid;
    }
    for (guint i = 0; i < n; begin_ns = ends_ns[i++]) {
        if (ends_ns[i] == begin_ns || values[i] == 0.0)
            continue;
        if (grids->codes)
            add_to_bins(&grid, begin_ns, ends_ns[i], turned_code(grids, codes[i]), TRUE);
        else
            add_to_bins(&grid, begin_ns, ends_ns[i], turned_key(grids, tnd_grid_tree_key_of(values[i], grid.are_whole)),
                        FALSE);
    }
    return grid;
}

static Grid grid_of_grids(TndLargeMemory *memory, const TndRowGrids *grids, TndGridDebts *debts, const Grid *below,
                          gsize n)
{
    const gboolean are_codes = grids->codes != NULL;
    Grid grid = start_grid(memory, below[0].begin_ns, below[n - 1].end_ns, grids->codes);
    for (gsize i = 0; i < n; i++)
        grid.are_whole &= below[i].are_whole;
    if (debts) {
        tnd_grid_samples_of_grids(debts, &grid, below, n, are_codes);
        return grid;
    }
    for (gsize i = 0; i < n; i++)
        for (guint bin = 0; bin < below[i].n_bins; bin++) {
            guint64 begin_ns = MAX((tnd_grid_tree_first_bin(&below[i]) + bin) << below[i].shift, grid.begin_ns);
            guint32 is = tnd_grid_tree_bin(&below[i], bin, are_codes);
            if (is && below[i].are_whole && !grid.are_whole && !are_codes)
                is = turned_key(grids, tnd_grid_tree_key_of_float(tnd_grid_tree_value_of(turned_key(grids, is), TRUE)));
            add_to_bins(&grid, begin_ns, begin_ns + 1, is, are_codes);
        }
    return grid;
}

static gboolean have_codes(const TndRowBursts *row, const TndValueCodes *codes)
{
    for (gsize i = 0; i < row->n_blocks; i++) {
        const TndBurstSummary *sum = &row->pyramid[i];
        if (sum->minimum < 0 || sum->maximum > codes->largest || !(row->blocks[i].are_whole || codes->is_gradient))
            return FALSE;
    }
    return TRUE;
}

TndRowGrids *tnd_row_grids_new(TndLargeMemory *memory, const TndRowBursts *row, const TndValueCodes *codes,
                               TndGridsKind kind, guint16 seed)
{
    TndRowGrids *grids = tnd_large_memory_take(memory, sizeof *grids);
    *grids = (TndRowGrids){
        .row = row, .codes = codes, .kind = kind, .seed = seed, .is_lost = codes && !have_codes(row, codes)};
    TndGridDebts *debts = kind == TND_GRIDS_SAMPLES && !grids->is_lost ? tnd_grid_samples_begin(seed) : NULL;
    for (gsize n = grids->is_lost ? 0 : row->n_blocks; n > 0; n = n > 1 ? (n + FAN_OUT - 1) / FAN_OUT : 0) {
        const Level *below = grids->n_levels ? &grids->levels[grids->n_levels - 1] : NULL;
        Level *level = &grids->levels[grids->n_levels++];
        *level = (Level){n, tnd_large_memory_take(memory, n * sizeof *level->grids)};
        for (gsize i = 0; i < n; i++) {
            gsize from = i * FAN_OUT;
            level->grids[i] =
                below ? grid_of_grids(memory, grids, debts, below->grids + from, MIN(FAN_OUT, below->n - from))
                      : grid_of_block(memory, grids, debts, i);
        }
    }
    g_free(debts);
    return grids;
}

/* Reading grids. */

/* The column of a time that is after_ns after the first column's begin.  Column c begins at c / per_ns, rounded down.
 * The result is a valid column even for times beyond 2^53 ns, which a double rounds. */
static inline gint column_at(const Frame *frame, double after_ns)
{
    return (gint)CLAMP((after_ns + 1 - frame->rounding) * frame->per_ns, 0.0, frame->last_column);
}

/* Writes bursts to columns.  Each burst is written TND_ROW_GRIDS_SLACK columns ahead, or further if it is longer, and
 * the next one overwrites what is too much.  So no branch depends on whether a burst ends in the column in which it
 * begins.
 */
FOR_EACH_KIND void put(Frame *frame, const Stretch *stretch, gboolean are_codes)
{
    void *columns = frame->columns;
    gint at = stretch->firsts[0];
    guint64 most = tnd_grid_tree_turn_to(frame, at, are_codes);
    for (guint i = 0; i < stretch->n; i++) {
        const gint first = stretch->firsts[i], last = MAX(stretch->lasts[i], first);
        const guint64 rank = tnd_grid_tree_rank(&stretch->of, (gint)i, are_codes);
        most = first == at ? MAX(most, rank) : rank;
        tnd_grid_tree_set_rank(columns, first, most, are_codes);
        gint next = first + 1;
        do {
            for (gint ahead = next; ahead < next + TND_ROW_GRIDS_SLACK; ahead++)
                tnd_grid_tree_set_rank(columns, ahead, rank, are_codes);
        } while ((next += TND_ROW_GRIDS_SLACK) <= last);
        most = last > first ? rank : most;
        at = last;
    }
    frame->n_done = at + 1;
}

/* How many of n ascending times are before time_ns. */
static guint count_before(const guint64 *times_ns, guint n, guint64 time_ns)
{
    guint low = 0, high = n;
    while (low < high) {
        const guint middle = (low + high) / 2;
        const gboolean is_before = times_ns[middle] < time_ns;
        low = is_before ? middle + 1 : low;
        high = is_before ? high : middle;
    }
    return low;
}

/* For STEP bursts, by their ends: the columns in which they end, and those in which the next ones begin. */
static inline void find_columns(const Frame *frame, const guint64 *restrict ends_ns, gint *restrict lasts,
                                gint *restrict firsts)
{
    const double least = 0x1p52, unit = frame->unit, rounding = frame->rounding, per_ns = frame->per_ns;
    const double last_column = frame->last_column;
    const guint64 begin_ns = frame->begin_ns;
    const guint shift = frame->shift;
    for (guint i = 0; i < STEP; i++) {
        const guint64 bits = (ends_ns[i] - begin_ns) >> shift | G_GUINT64_CONSTANT(0x4330000000000000);
        double end;
        memcpy(&end, &bits, sizeof end);
        end = (end - least) * unit;
        const double last = (end - rounding) * per_ns, first = (end + 1 - rounding) * per_ns;
        lasts[i] = (gint)(last < last_column ? last : last_column);
        firsts[i] = (gint)(first < last_column ? first : last_column);
    }
}

FOR_EACH_KIND void turn(const TndRowGrids *grids, Stretch *stretch, gboolean are_codes)
{
    for (guint i = 0; i < stretch->n; i++)
        if (are_codes)
            stretch->of.codes[i] = turned_code(grids, stretch->of.codes[i]);
        else
            stretch->of.ranks[i] = turned_rank(grids, stretch->of.ranks[i]);
}

/* Makes codes or ranks of the numbers of a stretch of a block. */
FOR_EACH_KIND void fill_stretch(const TndRowGrids *grids, const TndBurstBlock *entry, const guint64 *numbers,
                                Stretch *stretch, gboolean are_codes)
{
    if (are_codes)
        make_codes(grids, entry->are_whole, numbers, stretch->n, stretch->of.codes);
    for (guint i = 0; i < stretch->n && !are_codes; i++)
        stretch->of.ranks[i] = tnd_grid_tree_rank_of(tnd_row_bursts_value(numbers[i], entry->are_whole));
}

/* Writes the bursts that columns of samples show, of a stretch that has more of them.  FALSE: it has not, and nothing
 * is done. */
FOR_EACH_KIND gboolean put_picks(Frame *frame, const TndBurstBlock *entry, guint64 begin_ns, const guint64 *ends_ns,
                                 const guint64 *numbers, Stretch *stretch, gboolean are_codes)
{
    TndGridPicks picks;
    guint64 picked[TND_ROW_BURSTS_BLOCK];
    const guint n = stretch->n;
    if (!tnd_grid_samples_start_picks(frame, begin_ns, ends_ns, n, &picks))
        return FALSE;
    while (tnd_grid_samples_pick(frame, ends_ns, n, &picks), picks.n) {
        for (guint i = 0; i < picks.n; i++)
            picked[i] = numbers[picks.bursts[i]];
        stretch->n = picks.n;
        fill_stretch(frame->grids, entry, picked, stretch, are_codes);
        for (guint i = 0; i < picks.n; i++)
            tnd_grid_tree_set_rank(frame->columns, picks.columns[i],
                                   tnd_grid_tree_rank(&stretch->of, (gint)i, are_codes), are_codes);
    }
    return TRUE;
}

FOR_EACH_KIND void walk_block(Frame *frame, gsize block, gboolean are_codes)
{
    const TndRowGrids *grids = frame->grids;
    const TndBurstBlock *entry = &grids->row->blocks[block];
    guint64 ends_ns[TND_ROW_BURSTS_BLOCK + TND_GRID_PICKS_AHEAD], numbers[TND_ROW_BURSTS_BLOCK];
    Stretch stretch;
    const guint n = tnd_row_bursts_read_columns(grids->row, block, ends_ns, numbers);
    const guint from = count_before(ends_ns, n, frame->begin_ns + 1);
    const guint to = MIN(count_before(ends_ns, n, frame->end_ns) + 1, n);
    if (from >= to)
        return;
    guint64 begin_ns = from ? ends_ns[from - 1] : tnd_row_bursts_block_begin(grids->row, block);
    begin_ns = MAX(begin_ns, frame->begin_ns);
    ends_ns[to - 1] = MIN(ends_ns[to - 1], frame->end_ns);
    for (guint i = 0; i < TND_GRID_PICKS_AHEAD; i++)
        ends_ns[to + i] = frame->end_ns;
    stretch.n = to - from;
    if (grids->kind == TND_GRIDS_SAMPLES &&
        put_picks(frame, entry, begin_ns, ends_ns + from, numbers + from, &stretch, are_codes))
        return;
    fill_stretch(grids, entry, numbers + from, &stretch, are_codes);
    if (grids->kind == TND_GRIDS_SAMPLES) {
        tnd_grid_samples_put(frame, begin_ns, ends_ns + from, &stretch);
        return;
    }
    stretch.firsts[0] = column_at(frame, (double)(gint64)(begin_ns - frame->begin_ns));
    for (guint i = 0; i < stretch.n; i += STEP)
        find_columns(frame, ends_ns + from + i, stretch.lasts + i, stretch.firsts + 1 + i);
    if (grids->kind == TND_GRIDS_SMALLEST)
        turn(grids, &stretch, are_codes);
    for (guint i = 0; i < stretch.n && entry->has_empty; begin_ns = ends_ns[from + i++])
        if (ends_ns[from + i] == begin_ns)
            tnd_grid_tree_set_rank(&stretch.of, (gint)i, 0, are_codes);
    put(frame, &stretch, are_codes);
}

/* The largest of n bins (at least one), and of one more if has_more. */
FOR_EACH_KIND guint32 largest_bin(const Grid *grid, guint from, guint n, gboolean has_more, gboolean are_codes)
{
    guint32 largest = has_more ? tnd_grid_tree_bin(grid, from + n, are_codes) : 0;
    for (guint i = 0; i < n; i++)
        largest = MAX(largest, tnd_grid_tree_bin(grid, from + i, are_codes));
    return largest;
}

FOR_EACH_KIND guint64 rank_of_bin(const TndRowGrids *grids, const Grid *grid, guint32 bin, gboolean are_codes)
{
    return are_codes
               ? bin
               : turned_rank(grids,
                             tnd_grid_tree_rank_of(tnd_grid_tree_value_of(turned_key(grids, bin), grid->are_whole)));
}

/* Fills the columns that a grid covers.  Every bin counts for one column, and every column gets at least one bin. */
FOR_EACH_KIND void read_grid(Frame *frame, const Grid *grid, gboolean are_codes)
{
    guint64 begin_ns = MAX(grid->begin_ns, frame->begin_ns), end_ns = MIN(grid->end_ns, frame->end_ns);
    gint column = column_at(frame, (double)(begin_ns - frame->begin_ns));
    const gint last = column_at(frame, (double)(end_ns - 1 - frame->begin_ns));
    guint from = (guint)((begin_ns >> grid->shift) - tnd_grid_tree_first_bin(grid)), to, n;
    const guint end = (guint)(((end_ns - 1) >> grid->shift) - tnd_grid_tree_first_bin(grid)) + 1;
    /* Edges of columns, in bins, as fixed-point numbers with 32 fractional bits. */
    const double bins_per_ns = 1 / (double)(G_GUINT64_CONSTANT(1) << grid->shift), unit = 4294967296.0;
    double first_ns = (double)(gint64)((tnd_grid_tree_first_bin(grid) << grid->shift) - frame->begin_ns);
    double first_edge = ((column + 1) / frame->per_ns - first_ns) * bins_per_ns;
    guint64 edge = (guint64)(CLAMP(first_edge, 0.0, (double)end) * unit) + 0x80000000u;
    const guint64 step = (guint64)(MIN(bins_per_ns / frame->per_ns, MAX_BINS) * unit);
    to = column == last ? end : CLAMP((guint)(edge >> 32), from + 1, end);
    guint64 rank = rank_of_bin(frame->grids, grid, largest_bin(grid, from, to - from, FALSE, are_codes), are_codes);
    guint64 so_far = tnd_grid_tree_turn_to(frame, column, are_codes);
    tnd_grid_tree_set_rank(frame->columns, column, MAX(rank, so_far), are_codes);
    n = CLAMP((guint)(step >> 32), 1, end);
    for (column++; column < last; column++) {
        edge += step;
        from = MIN(to, end - n);
        to = (guint)(edge >> 32);
        rank = rank_of_bin(frame->grids, grid, largest_bin(grid, from, n, to - from > n, are_codes), are_codes);
        tnd_grid_tree_set_rank(frame->columns, column, rank, are_codes);
    }
    if (column == last) {
        from = MIN(to, end - 1);
        rank = rank_of_bin(frame->grids, grid, largest_bin(grid, from, end - from, FALSE, are_codes), are_codes);
        tnd_grid_tree_set_rank(frame->columns, last, rank, are_codes);
    }
    frame->n_done = last + 1;
}

/* In columns: how wide bins may be.  Where a row has only some columns, half of what is between them. */
static double widest_bin(const TndTurn *turn)
{
    return turn->n == ALL_COLUMNS ? 0.5 : CLAMP(ALL_COLUMNS / 2.0 / turn->n, 1, 2);
}

static void visit(Frame *frame, guint level, gsize at)
{
    const Grid *grid = &frame->grids->levels[level].grids[at];
    const gboolean are_codes = frame->grids->codes != NULL;
    if (grid->end_ns <= frame->begin_ns || grid->begin_ns >= frame->end_ns || grid->begin_ns == grid->end_ns)
        return;
    const double widest = widest_bin(&frame->turn), most_columns = MAX(grid->n_bins * widest, WALKED_COLUMNS);
    const gboolean is_walked = level == 0 && (frame->grids->n_levels == 1 ||
                                              (double)(grid->end_ns - grid->begin_ns) * frame->per_ns > most_columns);
    if (is_walked && are_codes) {
        walk_block(frame, at, TRUE);
    } else if (is_walked) {
        walk_block(frame, at, FALSE);
    } else if (level > 0 && (double)(G_GUINT64_CONSTANT(1) << grid->shift) * frame->per_ns > widest) {
        gsize end = MIN((at + 1) * FAN_OUT, frame->grids->levels[level - 1].n);
        for (gsize below = at * FAN_OUT; below < end; below++)
            visit(frame, level - 1, below);
    } else if (frame->grids->kind == TND_GRIDS_SAMPLES) {
        tnd_grid_samples_read(frame, grid);
    } else if (are_codes) {
        read_grid(frame, grid, TRUE);
    } else {
        read_grid(frame, grid, FALSE);
    }
}

/* The level to begin at: the lowest where one grid contains the whole frame.  For more columns than a grid has bins, no
 * grid above it can have bins that are narrow enough. */
static guint first_level(const Frame *frame, guint64 end_ns, guint n, gsize *at)
{
    const TndRowBursts *row = frame->grids->row;
    if (n <= MAX_BINS || end_ns > row->end_ns)
        return frame->grids->n_levels - 1;
    guint level = 0;
    *at = tnd_row_bursts_block_at(row, frame->begin_ns);
    for (gsize last = tnd_row_bursts_block_at(row, end_ns - 1); *at != last; level++) {
        *at /= FAN_OUT;
        last /= FAN_OUT;
    }
    return level;
}

static void read_columns(const TndRowGrids *grids, guint64 begin_ns, guint64 end_ns, guint n, TndGridsPlace place,
                         const TndTurn *turn, void *columns)
{
    const gboolean are_codes = grids->codes != NULL;
    gsize at = 0;
    Frame frame = {.grids = grids,
                   .begin_ns = begin_ns,
                   .end_ns = MIN(end_ns, grids->row->end_ns),
                   .per_ns = n / (double)(end_ns - begin_ns),
                   .rounding = 0.5 / n,
                   .last_column = n - 1,
                   .columns = columns,
                   .turn.n = ALL_COLUMNS,
                   .place = place,
                   .zero = are_codes ? grids->codes->zero : tnd_grid_tree_rank_of(0)};
    while ((end_ns - begin_ns) >> frame.shift >> 52)
        frame.shift++;
    frame.unit = (double)(G_GUINT64_CONSTANT(1) << frame.shift);
    if (grids->kind == TND_GRIDS_SAMPLES)
        tnd_grid_samples_start(&frame, n, turn);
    if (begin_ns < frame.end_ns && grids->n_levels > 0) {
        const guint level = first_level(&frame, end_ns, n, &at);
        visit(&frame, level, at);
    }
    if (grids->kind == TND_GRIDS_SAMPLES)
        tnd_grid_samples_finish(&frame);
    tnd_grid_tree_turn_to(&frame, (gint)n, are_codes);
}

void tnd_row_grids_columns(const TndRowGrids *grids, guint64 begin_ns, guint64 end_ns, guint n, TndGridsPlace place,
                           double *values)
{
    guint64 *ranks = g_new(guint64, n + TND_ROW_GRIDS_SLACK);
    read_columns(grids, begin_ns, end_ns, n, place, NULL, ranks);
    for (guint i = 0; i < n; i++)
        values[i] = tnd_grid_tree_value_at(turned_rank(grids, ranks[i]));
    g_free(ranks);
}

gboolean tnd_row_grids_codes(const TndRowGrids *grids, guint64 begin_ns, guint64 end_ns, guint n, TndGridsPlace place,
                             const TndTurn *turn, guint16 *codes)
{
    if (grids->is_lost)
        return FALSE;
    read_columns(grids, begin_ns, end_ns, n, place, turn, codes);
    for (guint i = 0; i < n && grids->kind == TND_GRIDS_SMALLEST; i++)
        codes[i] = turned_code(grids, codes[i]);
    return TRUE;
}

void tnd_row_grids_expect(const TndRowGrids *next, const TndRowGrids *after)
{
    if (after)
        __builtin_prefetch(after);
    if (next) { /* itself prefetched by an earlier call */
        __builtin_prefetch(next->row);
        __builtin_prefetch(next->levels);
    }
}
