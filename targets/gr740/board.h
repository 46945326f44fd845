/* SPDX-License-Identifier: Apache-2.0
 *
 * The board under the runtime: one program, linked with the runtime, without processes and directories.  What the parts
 * of this target know of each other, and what they need of the operating system; board_posix.c has the latter for RTEMS
 * and, for tests, for Linux.
 *
 * Context: as each function says.
 */
#ifndef TND_BOARD_H
#define TND_BOARD_H

#include "formats/value.h"
#include "runtime/source.h"
#include "runtime/thread.h"

/* Settings that only a board has: X(kind, field, name, default, takes), as in run/setting.h. */
#define TND_BOARD_SETTING_TABLE(X)                                                                                     \
    X(size, piece_bytes, "piece", "8k", "512 to 1M")                                                                   \
    X(text, full, "full", "flush", "flush|stop|ring")                                                                  \
    X(text, sampling_cpus, "sampling-cpus", "all", "all|one")                                                          \
    X(text, program, "program", "program", "")                                                                         \
    X(number, l4stat_gate, "l4stat-gate", "6", "0 to 31")                                                              \
    X(number, temperature_scale, "temperature-scale", "1000", "1 to 100000")                                           \
    X(text, temperature_offset, "temperature-offset", "0", "")                                                         \
    X(number, temperature_alarm, "temperature-alarm", "0", "0 to 127")

#define TND_BOARD_FIELD(kind, field, name, default_, takes) TND_VALUE_##kind field;
struct tnd_board_settings {
    TND_BOARD_SETTING_TABLE(TND_BOARD_FIELD)
};
extern struct tnd_board_settings tnd_board_settings;

/* The memory of which the runtime takes all that it needs: buffers, tables.  A program that wants another size defines
 * both by itself. */
extern char tandem_pool[];
extern const size_t tandem_pool_bytes;

/* The output (board_output.c).  At start; at the end, when no thread records any more. */
bool tnd_board_output_start(void);
int tnd_board_output_end(void); /* 0 or an errno */

/* A stream that is of no thread is written by interrupts, one at a time: by that which has the lock, and which does not
 * wait for it.  Threads write it out.  At start; NULL, with the lock held, before the stream ends. */
void tnd_board_output_share(struct tnd_writer *writer, char *lock);

/* Whether interrupts have recorded so much in the thread's stream, or in the shared one, that the thread should write
 * it out (tnd_target_turning).  In an interrupt. */
bool tnd_board_output_is_due(const struct tnd_thread *thread);

/* The power model (data/power-models), if the program has it. */
extern const char tandem_power_model[] __attribute__((weak));

/* Counters of L4STAT (board_counters.c). */
extern const struct tnd_source tnd_board_counters_source;

/* Writes the counters of a processor to the signal stream of the thread that it runs.  In the interrupt of another
 * processor.  NULL: it runs none, but its counters may wrap meanwhile. */
void tnd_board_counters_of(struct tnd_thread *thread, unsigned cpu, uint64_t time);

/* What RTEMS can tell (board_rtems.c). */
extern const struct tnd_source tnd_board_rtems_source;

/* A tick of a sampling timer, in its interrupt, on one processor: so many processors are running.  Reads the node's
 * sensors if it is time. */
void tnd_board_sensors_tick(uint64_t time, unsigned n_running);

/* Whether a word is in a list of words, separated by commas, as users set it. */
bool tnd_board_has_word(const char *list, const char *word);

/* Of the operating system. */
int tnd_board_open(const char *path);                             /* for writing, empty; < 0: -errno */
int tnd_board_write(int file, const void *bytes, size_t n_bytes); /* all of them; 0 or an errno */
void tnd_board_close(int file);
void tnd_board_lock(void); /* of the output: a thread holds it while it writes one piece */
void tnd_board_unlock(void);
unsigned tnd_board_n_cpus(void);
size_t tnd_board_block_size(void *block); /* of the allocator; 0: unknown */
bool tnd_board_is_interrupt(void);        /* there nothing can be written */

/* Keeps interrupts from this processor, for some us, and those of other processors from the streams of its thread. */
uint32_t tnd_board_interrupts_off(void);
void tnd_board_interrupts_on(uint32_t before);

#endif
