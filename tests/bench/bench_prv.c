/* SPDX-License-Identifier: Apache-2.0
 *
 * Writing and reading .prv text in memory, each beside the least that any program would do with the same text: copying
 * it, and looking for the ends of its lines.
 */
#include "formats/prv_read.h"
#include "formats/prv_write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define N_LINES 1000000
#define ROUNDS 5

static char *text;
static size_t text_size, text_room;

static double now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

static bool write_memory(void *sink, const char *bytes, size_t size)
{
    if (text_size + size > text_room)
        return false;
    memcpy(text + text_size, bytes, size);
    text_size += size;
    return true;
}

/* States, events and messages of 64 threads as a trace has them, in order of time. */
static void write_trace(void)
{
    static struct tnd_prv_task tasks[16];
    struct tnd_prv_application application = {16, tasks};
    uint32_t n_cpus = 64;
    struct tnd_prv_header header = {.date = "d",
                                    .end_time = 1,
                                    .unit_ns = 1,
                                    .n_nodes = 1,
                                    .n_cpus = &n_cpus,
                                    .n_applications = 1,
                                    .applications = &application};
    for (int i = 0; i < 16; i++)
        tasks[i] = (struct tnd_prv_task){4, 1};
    text_size = 0;
    struct tnd_prv_writer *writer = tnd_prv_write_open(write_memory, NULL, &header, NULL);
    uint64_t time = UINT64_C(123000000000);
    for (uint32_t i = 0; i < N_LINES; i++, time += 137) {
        struct tnd_prv_place at = {i % 64 + 1, 1, i % 16 + 1, i / 16 % 4 + 1};
        struct tnd_prv_pair pairs[2] = {{50000001, i % 3}, {42000050, time % 1000003}};
        if (i % 8 == 7)
            tnd_prv_write_message(writer,
                                  &(struct tnd_prv_message){at, at, time, time + 9, time + 50, time + 99, i, 7});
        else if (i % 2)
            tnd_prv_write_event(writer, &(struct tnd_prv_event){at, time, 2, pairs});
        else
            tnd_prv_write_state(writer, &(struct tnd_prv_state){at, time, time + 8765, i % 13});
    }
    if (!tnd_prv_write_close(writer))
        abort();
}

struct input {
    size_t at;
};

static ssize_t read_memory(void *source, char *buffer, size_t size)
{
    struct input *input = source;
    size_t n = size < text_size - input->at ? size : text_size - input->at;
    memcpy(buffer, text + input->at, n);
    input->at += n;
    return (ssize_t)n;
}

static uint64_t n_read;

static bool on_state(void *self, const struct tnd_prv_state *state)
{
    n_read++;
    return true;
}

static bool on_event(void *self, const struct tnd_prv_event *event)
{
    n_read++;
    return true;
}

static bool on_message(void *self, const struct tnd_prv_message *message)
{
    n_read++;
    return true;
}

static void read_trace(void)
{
    static const struct tnd_prv_visitor visitor = {.state = on_state, .event = on_event, .message = on_message};
    struct input input = {0};
    n_read = 0;
    if (!tnd_prv_read(read_memory, &input, &visitor, NULL) || n_read != N_LINES)
        abort();
}

static void find_lines(void)
{
    n_read = 0;
    for (const char *at = text; (at = memchr(at, '\n', (size_t)(text + text_size - at))); at++)
        n_read++;
    if (n_read != N_LINES + 1)
        abort();
}

static char *copy;

static void copy_text(void)
{
    memcpy(copy, text, text_size);
    __asm__ volatile("" : : "r"(copy) : "memory");
}

static double best_of(void (*body)(void))
{
    double best = 1e300;
    for (int i = 0; i < ROUNDS; i++) {
        double begin = now_ns();
        body();
        double took = now_ns() - begin;
        best = took < best ? took : best;
    }
    return best;
}

int main(void)
{
    text_room = (size_t)N_LINES * 120;
    text = malloc(text_room);
    copy = malloc(text_room);
    if (!text || !copy)
        return 1;
    memset(text, 1, text_room);
    memset(copy, 1, text_room);
    double writing = best_of(write_trace), copying = best_of(copy_text), finding = best_of(find_lines),
           reading = best_of(read_trace);
    printf("%d lines, %.1f bytes each\n", N_LINES, (double)text_size / N_LINES);
    printf("write a line     %6.1f ns  = %5.1f x copying it (%.1f ns)\n", writing / N_LINES, writing / copying,
           copying / N_LINES);
    printf("read a line      %6.1f ns  = %5.1f x finding its end with memchr (%.1f ns)\n", reading / N_LINES,
           reading / finding, finding / N_LINES);
    printf("read             %6.0f MB/s (finding ends: %.0f MB/s)\n", 1e3 * (double)text_size / reading,
           1e3 * (double)text_size / finding);
    free(text);
    free(copy);
    return 0;
}
