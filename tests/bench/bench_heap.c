/* SPDX-License-Identifier: Apache-2.0
 *
 * What each choice of --heap adds to a block's allocation and release, in CPU ns; beside it the barest wrapper that
 * reads the clock before and after each call, and heaptrack, if Debian's is installed.
 *
 * bench_heap LIBTANDEM-HEAP TWO-CLOCKS
 */
#include "tests/bench/bench_turns.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { N = 3000, N_BLOCKS = 100, DEPTH = 20 };

static const char heaptrack[] = "/usr/lib/heaptrack/libheaptrack_preload.so";

static inline void keep(void *block)
{
    __asm__ volatile("" : : "r"(block) : "memory");
}

static void one(int n)
{
    for (int i = 0; i < n; i++) {
        void *block = malloc(64);
        keep(block);
        free(block);
    }
}

static void (*volatile deeper)(int n, int depth);

static void go_deeper(int n, int depth)
{
    if (depth == 0)
        one(n);
    else
        deeper(n, depth - 1);
    __asm__ volatile(""); /* no jump in place of the call */
}

static void one_deep_down(int n)
{
    deeper = go_deeper;
    deeper(n, DEPTH);
}

/* Sizes from 16 bytes to 3 KiB, freed in another order than they were made. */
static void many(int n)
{
    static void *blocks[N_BLOCKS];
    for (int i = 0; i < n; i += N_BLOCKS) {
        for (unsigned k = 0; k < N_BLOCKS; k++)
            blocks[k] = malloc(16 + k * k % 97 * 32);
        for (unsigned k = 0; k < N_BLOCKS; k++)
            free(blocks[(k * 37 + 11) % N_BLOCKS]);
    }
}

static const struct bench_turns_case cases[] = {
    {"clock read", bench_turns_read_clock, N, 0, 0},
    {"64 bytes, freed at once", one, N, 0, 0},
    {"the same, 20 calls deeper", one_deep_down, N, 0, 0},
    {"100 blocks of all sizes", many, N, 0, 0},
};
enum { N_CASES = sizeof cases / sizeof *cases, MIDDLE = BENCH_TURNS_BATCHES / 2 };

static bench_turns_ns ns;

static double added(unsigned c, unsigned w, unsigned batch)
{
    return ns[c][w][batch] - ns[c][0][batch];
}

static void print_limits(void)
{
    static const struct {
        unsigned way;
        const char *what;
        double limit_ns;
    } limits[] = {{1, "values only", 60}, {2, "with sampled call sites", 80}};
    for (unsigned i = 0; i < sizeof limits / sizeof *limits; i++)
        for (unsigned c = 1; c < N_CASES; c++)
            printf("%s, %s: %.1f ns a pair over the native one (median %.1f), at most %.0f; %.2f of the two clocks'\n",
                   limits[i].what, cases[c].name, added(c, limits[i].way, 0), added(c, limits[i].way, MIDDLE),
                   limits[i].limit_ns, added(c, limits[i].way, 0) / added(c, 5, 0));
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"native", "values", "sites", "leaks", "calls", "two clocks", "heaptrack"};
    static char wrapper[4096], peer[4096];
    const char *settings[] = {
        "", "TANDEM_HEAP=values", "TANDEM_HEAP=sites", "TANDEM_HEAP=leaks", "TANDEM_HEAP=calls", wrapper, peer};
    unsigned n_ways = access(heaptrack, R_OK) == 0 ? 7 : 6;
    snprintf(wrapper, sizeof wrapper, "LD_PRELOAD=%s", argc > 2 ? argv[2] : "");
    snprintf(peer, sizeof peer, "LD_PRELOAD=%s", heaptrack);
    setenv("DUMP_HEAPTRACK_OUTPUT", "/dev/null", 1); /* what it writes costs whoever reads it; not here */
    if (bench_turns_run(argc, argv, cases, N_CASES, settings, n_ways, ns) != 0)
        return 1;
    printf("%-28s%9s  added by\n%-28s%9s", "CPU ns a pair, least/median", "", "", names[0]);
    for (unsigned w = 1; w < n_ways; w++)
        printf(" %13s", names[w]);
    for (unsigned c = 0; c < N_CASES; c++) {
        printf("\n%-28s%9.1f", cases[c].name, ns[c][0][0]);
        for (unsigned w = 1; w < n_ways; w++)
            printf(" %6.1f/%6.1f", added(c, w, 0), added(c, w, MIDDLE));
    }
    printf("\n");
    print_limits();
    return 0;
}
