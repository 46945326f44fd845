/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * mpi_verified SECONDS: an MPI program that would notice if anything were changed in it.  Every byte of its messages is
 * worked out again by who receives it, as is every result of its collectives, some of them with an operation of its own
 * that does not commute; and it has sums in vector registers, which only an interruption that loses some would change.
 * Rounds differ: sizes around the eager limit, partners, calls, kinds of sends.  Rank 0 says how many rounds
 * there were; who finds something wrong says what, and aborts the job.
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 300000, LANES = 8, PRIME = 65521 };

static int rank, n_ranks;
static unsigned long bytes_moved;
static uint8_t *out, *in;

static void check(int is_right, const char *what, unsigned round)
{
    if (is_right)
        return;
    fprintf(stderr, "rank %d, round %u: %s is wrong\n", rank, round, what);
    MPI_Abort(MPI_COMM_WORLD, 9);
}

/* Any number, the same for all who ask the same. */
static uint32_t mixed(uint32_t a, uint32_t b, uint32_t c)
{
    uint64_t x = a * UINT64_C(0x9e3779b97f4a7c15) + b * UINT64_C(0xbf58476d1ce4e5b9) + c;
    x = (x ^ x >> 29) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)(x >> 32);
}

static int size_of(int from, int to, unsigned round)
{
    uint32_t any = mixed((uint32_t)(from * n_ranks + to), round, 1);
    return (int)(any % 4 == 0 ? any / 4 % MOST_BYTES : any / 4 % 6000);
}

static void fill(uint8_t *bytes, int n, int from, int to, unsigned round)
{
    uint32_t state = mixed((uint32_t)(from * n_ranks + to), round, 2);
    for (int i = 0; i < n; i++)
        bytes[i] = (uint8_t)((state = state * 1664525 + 1013904223) >> 24);
}

static void verify(const uint8_t *bytes, int n, int from, unsigned round, const char *what)
{
    uint32_t state = mixed((uint32_t)(from * n_ranks + rank), round, 2);
    int is_right = 1;
    for (int i = 0; i < n; i++)
        is_right &= bytes[i] == (uint8_t)((state = state * 1664525 + 1013904223) >> 24);
    check(is_right, what, round);
    bytes_moved += (unsigned long)n;
}

/* Everybody sends to the one who is `step` further. */
static void exchange(unsigned round)
{
    int step = 1 + (int)(round % (unsigned)(n_ranks > 1 ? n_ranks - 1 : 1));
    int to = (rank + step) % n_ranks, from = (rank + n_ranks - step) % n_ranks, tag = (int)(round % 1000), n;
    int n_out = size_of(rank, to, round), n_in = size_of(from, rank, round);
    MPI_Request requests[2];
    MPI_Status status;
    fill(out, n_out, rank, to, round);
    memset(in, 0, (size_t)n_in);
    if (round % 4 == 3) {
        MPI_Sendrecv(out, n_out, MPI_BYTE, to, tag, in, n_in, MPI_BYTE, from, tag, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_BYTE, &n);
        check(n == n_in && status.MPI_SOURCE == from && status.MPI_TAG == tag, "a status", round);
    } else {
        MPI_Irecv(in, n_in, MPI_BYTE, round % 8 == 0 ? MPI_ANY_SOURCE : from, tag, MPI_COMM_WORLD, &requests[0]);
        (round % 4 == 1 ? MPI_Issend : MPI_Isend)(out, n_out, MPI_BYTE, to, tag, MPI_COMM_WORLD, &requests[1]);
        if (round % 4 == 2) {
            for (int done = 0; !done;)
                MPI_Testall(2, requests, &done, MPI_STATUSES_IGNORE);
        } else {
            MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        }
    }
    verify(in, n_in, from, round, "a message");
}

/* The product of 2 x 2 matrices of numbers below a prime: it does not commute. */
struct matrix {
    uint32_t a, b, c, d;
};

static struct matrix product(struct matrix x, struct matrix y)
{
    return (struct matrix){
        (x.a * (uint64_t)y.a + x.b * (uint64_t)y.c) % PRIME, (x.a * (uint64_t)y.b + x.b * (uint64_t)y.d) % PRIME,
        (x.c * (uint64_t)y.a + x.d * (uint64_t)y.c) % PRIME, (x.c * (uint64_t)y.b + x.d * (uint64_t)y.d) % PRIME};
}

static void multiply(void *left, void *both, int *n, MPI_Datatype *type)
{
    (void)type;
    const struct matrix *x = left;
    struct matrix *y = both;
    for (int i = 0; i < *n; i++)
        y[i] = product(x[i], y[i]);
}

static struct matrix matrix_of(int of, unsigned round, int i)
{
    uint32_t seed = mixed((uint32_t)of, round, 3 + (uint32_t)i);
    return (struct matrix){seed % PRIME, seed / 3 % PRIME, seed / 5 % PRIME, seed / 7 % PRIME};
}

static struct matrix product_of(int n, unsigned round, int i)
{
    struct matrix all = matrix_of(0, round, i);
    for (int other = 1; other < n; other++)
        all = product(all, matrix_of(other, round, i));
    return all;
}

static void reduce(unsigned round, MPI_Datatype type, MPI_Op op)
{
    enum { MOST = 500 };
    static struct matrix mine[MOST], all[MOST];
    int n = 1 + (int)(mixed(round, 4, 4) % MOST), is_scan = round % 3 == 1, is_right = 1;
    for (int i = 0; i < n; i++)
        mine[i] = matrix_of(rank, round, i);
    if (round % 3 == 0)
        MPI_Allreduce(mine, all, n, type, op, MPI_COMM_WORLD);
    else if (is_scan)
        MPI_Scan(mine, all, n, type, op, MPI_COMM_WORLD);
    else
        MPI_Reduce(mine, all, n, type, op, (int)(round % (unsigned)n_ranks), MPI_COMM_WORLD);
    if (round % 3 == 2 && rank != (int)(round % (unsigned)n_ranks))
        return;
    for (int i = 0; i < n; i++) {
        struct matrix right = product_of(is_scan ? rank + 1 : n_ranks, round, i);
        is_right &= memcmp(&right, &all[i], sizeof right) == 0;
    }
    check(is_right, "a reduction", round);
}

static void spread(unsigned round)
{
    int root = (int)(round % (unsigned)n_ranks), n = size_of(root, root, round), each = 1 + n / 40;
    fill(out, n, root, 0, round);
    if (rank == root)
        memcpy(in, out, (size_t)n);
    else
        memset(in, 0, (size_t)n);
    MPI_Bcast(in, n, MPI_BYTE, root, MPI_COMM_WORLD);
    check(memcmp(in, out, (size_t)n) == 0, "a broadcast", round);
    for (int other = 0; other < n_ranks; other++)
        fill(out + other * each, each, rank, other, round);
    MPI_Alltoall(out, each, MPI_BYTE, in, each, MPI_BYTE, MPI_COMM_WORLD);
    for (int other = 0; other < n_ranks; other++)
        verify(in + other * each, each, other, round, "an all-to-all");
    if (round % 7 == 0)
        MPI_Barrier(MPI_COMM_WORLD);
}

/* Sums that stay in vector registers; the loop is not unrolled into scalars, and what it gives is known. */
typedef int64_t lanes __attribute__((vector_size(8 * LANES)));

#ifdef __x86_64__
__attribute__((target_clones("avx512f", "avx2", "default")))
#endif
static void
compute(unsigned round)
{
    lanes sums[4] = {{0}}, step = {1, 2, 3, 4, 5, 6, 7, 8};
    int64_t n = 2000 + (int64_t)(mixed(round, (uint32_t)rank, 5) % 20000);
    for (int64_t i = 0; i < n; i++)
        for (int k = 0; k < 4; k++) {
            sums[k] += step * (k + 1);
            __asm__ volatile("" ::: "memory");
        }
    int is_right = 1;
    for (int k = 0; k < 4; k++)
        for (int lane = 0; lane < LANES; lane++)
            is_right &= sums[k][lane] == n * (lane + 1) * (k + 1);
    check(is_right, "a sum in vector registers", round);
}

int main(int argc, char **argv)
{
    double seconds = argc > 1 ? atof(argv[1]) : 1;
    MPI_Datatype type;
    MPI_Op op;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    MPI_Type_contiguous(4, MPI_UINT32_T, &type);
    MPI_Type_commit(&type);
    MPI_Op_create(multiply, 0, &op);
    out = malloc((size_t)MOST_BYTES + (size_t)n_ranks * (MOST_BYTES / 40 + 1));
    in = malloc((size_t)MOST_BYTES + (size_t)n_ranks * (MOST_BYTES / 40 + 1));
    double until = MPI_Wtime() + seconds;
    unsigned round = 0;
    for (int goes_on = 1; goes_on; round++) {
        exchange(round);
        compute(round);
        if (round % 4 == 0)
            reduce(round, type, op);
        if (round % 16 == 0)
            spread(round);
        if (round % 64 == 0) {
            goes_on = MPI_Wtime() < until;
            MPI_Bcast(&goes_on, 1, MPI_INT, 0, MPI_COMM_WORLD);
        }
    }
    if (rank == 0)
        printf("verified %u rounds, %lu bytes\n", round, bytes_moved);
    MPI_Op_free(&op);
    MPI_Type_free(&type);
    free(out);
    free(in);
    MPI_Finalize();
}
