/* SPDX-License-Identifier: GPL-3.0-or-later
 * Compresses and uncompresses, and says how many bytes went in and came out, in all. */
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

int main(void)
{
    enum { N = 200000 };
    unsigned char *plain = malloc(N), *packed = malloc(2 * N);
    unsigned long in = 0, out = 0, back = 0;
    for (int i = 0; i < N; i++)
        plain[i] = (unsigned char)(i * i >> 7);
    for (unsigned long n = 1; n <= N; n = n * 3 + 1) {
        uLongf n_packed = 2 * N, n_plain = N;
        compress2(packed, &n_packed, plain, n, 1);
        uncompress(plain, &n_plain, packed, n_packed);
        in += n;
        out += n_packed;
        back += n_plain;
    }
    printf("%lu %lu %lu\n", in, out, back);
    free(plain);
    free(packed);
    return 0;
}
