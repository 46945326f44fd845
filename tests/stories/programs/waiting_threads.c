/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * waiting_threads N: makes threads with small stacks, which all wait, until there are N or no more can be had.  Says
 * how many there were, and how many mappings the process had then.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void *wait_at_gate(void *data)
{
    pthread_mutex_lock(&gate);
    pthread_mutex_unlock(&gate);
    return data;
}

static int count_mappings(void)
{
    int n = 0, c;
    FILE *maps = fopen("/proc/self/maps", "r");
    while ((c = getc(maps)) != EOF)
        n += c == '\n';
    fclose(maps);
    return n;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1, n_made = 0;
    pthread_t *threads = calloc((size_t)n, sizeof *threads);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 64 << 10);
    pthread_mutex_lock(&gate);
    while (n_made < n && pthread_create(&threads[n_made], &attributes, wait_at_gate, NULL) == 0)
        n_made++;
    usleep(500000); /* so that the last ones have begun, too */
    printf("%d threads\n%d mappings\n", n_made, count_mappings());
    pthread_mutex_unlock(&gate);
    for (int i = 0; i < n_made; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
