/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Calls the functions of functions.c, and allocates: 100 blocks of 1000 bytes, of which half are made larger and half
 * are freed before the others.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

long long of_eight(int a, int b, int c, int d, int e, int f, int g, long long h);
double of_doubles(double a, float b);
unsigned fibonacci(unsigned n);
unsigned deep(unsigned n);
extern unsigned (*call_deep)(unsigned);

static void *work(void *arg)
{
    for (int i = 0; i < 10; i++)
        fibonacci(3);
    return arg;
}

int main(void)
{
    void *blocks[100];
    pthread_t thread;
    call_deep = deep;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    printf("%lld %.2f %u %u\n", of_eight(1, 2, 3, 4, 5, 6, 7, 890), of_doubles(1.5, 0.25f), fibonacci(10), deep(100));
    for (int i = 0; i < 100; i++)
        blocks[i] = malloc(1000);
    for (int i = 0; i < 50; i++)
        blocks[i] = realloc(blocks[i], 3000);
    for (int i = 0; i < 100; i++)
        free(blocks[i]);
    return 0;
}
