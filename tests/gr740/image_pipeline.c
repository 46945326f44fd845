/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A pipeline of images in phases, as instruments in space have it: each image is acquired by one thread, then
 * corrected, filtered, measured (a histogram under a lock), and coded in tiles, which are tasks that depend on the tile
 * before in their row.  What it prints follows from the images alone.
 *
 * Arguments: [images [pixels a side, a multiple of 32]].
 */
#include "runtime/tandem.h"

#include <stdio.h>
#include <stdlib.h>

#define TILE 32
#define LEVELS 16

struct image {
    int side;
    unsigned char *raw, *clean;
    unsigned histogram[LEVELS], codes;
};

static void acquire(struct image *image, unsigned number)
{
    unsigned seed = number * 2654435761u + 1;
    for (int i = 0; i < image->side * image->side; i++) {
        seed = seed * 1664525 + 1013904223;
        image->raw[i] = (unsigned char)((seed >> 24) / 2 + (unsigned)(i % image->side) / 4);
    }
}

static void correct(struct image *image)
{
#pragma omp parallel for schedule(static)
    for (int i = 0; i < image->side * image->side; i++)
        image->clean[i] = (unsigned char)(image->raw[i] > 8 ? image->raw[i] - 8 : 0);
}

/* Of each pixel the middle of three in its row. */
static void filter(struct image *image)
{
#pragma omp parallel for schedule(dynamic, 4)
    for (int y = 0; y < image->side; y++) {
        const unsigned char *from = image->clean + y * image->side;
        unsigned char *to = image->raw + y * image->side;
        for (int x = 1; x + 1 < image->side; x++) {
            unsigned char a = from[x - 1], b = from[x], c = from[x + 1];
            unsigned char low = a < b ? a : b, high = a < b ? b : a;
            to[x] = c < low ? low : c > high ? high : c;
        }
        to[0] = from[0];
        to[image->side - 1] = from[image->side - 1];
    }
}

static void measure(struct image *image)
{
#pragma omp parallel
    {
        unsigned own[LEVELS] = {0};
#pragma omp for schedule(dynamic, 8) nowait
        for (int y = 0; y < image->side; y++)
            for (int x = 0; x < image->side; x++)
                own[image->raw[y * image->side + x] * LEVELS / 256]++;
#pragma omp critical(add)
        for (int i = 0; i < LEVELS; i++)
            image->histogram[i] += own[i];
    }
}

static unsigned code_tile(const struct image *image, int y, int x, unsigned before)
{
    for (int i = 0; i < TILE * TILE; i++)
        before = before * 31 + image->raw[(y + i / TILE) * image->side + x + i % TILE];
    return before;
}

static void code(struct image *image)
{
    unsigned *rows = calloc((size_t)image->side / TILE, sizeof *rows);
#pragma omp parallel
#pragma omp single
    for (int y = 0; y < image->side; y += TILE)
        for (int x = 0; x < image->side; x += TILE) {
            unsigned *row = &rows[y / TILE];
#pragma omp task depend(inout : row[0]) firstprivate(x, y, row)
            *row = code_tile(image, y, x, *row);
        }
    for (int y = 0; y < image->side / TILE; y++)
        image->codes = image->codes * 17 + rows[y];
    free(rows);
}

int main(int argc, char **argv)
{
    static void (*const phases[])(struct image *) = {correct, filter, measure, code};
    static const char *const names[] = {"correct", "filter", "measure", "code"};
    int n_images = argc > 1 ? atoi(argv[1]) : 4, side = argc > 2 ? atoi(argv[2]) : 128;
    struct image image = {.side = side, .raw = malloc((size_t)(side * side)), .clean = malloc((size_t)(side * side))};
    for (int n = 0; n < n_images; n++) {
        tandem_region_begin(tandem_region_register("acquire"));
        acquire(&image, (unsigned)n);
        tandem_region_end(tandem_region_register("acquire"));
        for (int phase = 0; phase < 4; phase++) {
            tandem_region region = tandem_region_register(names[phase]);
            tandem_region_begin(region);
            phases[phase](&image);
            tandem_region_end(region);
        }
    }
    printf("codes %u histogram", image.codes);
    for (int i = 0; i < LEVELS; i++)
        printf(" %u", image.histogram[i]);
    puts("");
    free(image.raw);
    free(image.clean);
    return 0;
}
