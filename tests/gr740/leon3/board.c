/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What takes the place of an operating system under tandem on a LEON3: a serial line for the output, one timer for the
 * time and one for samples, and one thread.  Addresses are those of QEMU's leon3_generic.
 */
#include "targets/gr740/board.h"
#include "targets/gr740/board_sampling.h"
#include "targets/gr740/gptimer.h"
#include "targets/gr740/registers.h"
#include "tests/gr740/leon3/board_leon3.h"

#include <errno.h>
#include <string.h>

#define UART 0x80000100u
#define UART_STATUS (UART + 4)
#define UART_CONTROL (UART + 8)
#define IRQMP_MASK (0x80000200u + 0x40)
#define TIMERS 0x80000300u
#define CLOCK_HZ 40000000u
#define SCALE 4 /* cycles of a tick: 100 ns */
#define TICK_NS 100

enum { CLOCK = 0, SAMPLING = 1 }; /* timers */

struct board_context {
    uint32_t psr, pc, npc, y, sp, o7, g1, pad, g2_to_g7[6];
};

extern char stack_begin[], stack_end[];
unsigned board_n_interrupts, board_n_strange;

void board_start(void)
{
    tnd_registers_write(UART_CONTROL, 3);
    tnd_registers_write(TIMERS + 4, SCALE - 1);
    tnd_registers_write(TIMERS + 0x14, 0xffffffff); /* of CLOCK: from here down */
    tnd_registers_write(TIMERS + 0x18, 7);
}

uint64_t tnd_target_clock_ns(bool is_of_day)
{
    return (uint64_t)(0xffffffff - tnd_registers_read(TIMERS + 0x10)) * TICK_NS;
}

void board_interrupt(const struct board_context *context, unsigned level);

void board_interrupt(const struct board_context *context, unsigned level)
{
    if (!tnd_gptimer_take(TIMERS, SAMPLING) || level != tnd_gptimer_interrupt(TIMERS, SAMPLING)) {
        board_n_strange++;
        return;
    }
    static uint64_t before;
    board_n_interrupts++;
    uint64_t now = tnd_clock_ticks();
    if (tnd_thread_self)
        tnd_board_sampling_take(tnd_thread_self, now,
                                &(struct tnd_board_sampling_at){context->pc, context->sp, context->o7, before});
    before = now;
}

uint64_t tnd_board_sampling_begin(uint64_t period_ns)
{
    uint64_t period = tnd_gptimer_start(TIMERS, SAMPLING, CLOCK_HZ, period_ns);
    if (period)
        tnd_registers_write(IRQMP_MASK, 1u << tnd_gptimer_interrupt(TIMERS, SAMPLING));
    return period;
}

void tnd_board_sampling_end(void)
{
    tnd_gptimer_stop(TIMERS, SAMPLING);
}

int tnd_board_open(const char *path)
{
    return 1;
}

int tnd_board_write(int file, const void *bytes, size_t n_bytes)
{
    for (const unsigned char *at = bytes; n_bytes > 0; n_bytes--)
        tnd_registers_write(UART, *at++);
    return 0;
}

void tnd_board_close(int file) {}

void tnd_board_lock(void) {}

void tnd_board_unlock(void) {}

bool tnd_board_is_interrupt(void)
{
    return false;
}

uint32_t tnd_board_interrupts_off(void)
{
    return 0;
}

void tnd_board_interrupts_on(uint32_t before) {}

unsigned tnd_board_n_cpus(void)
{
    return 1;
}

size_t tnd_board_block_size(void *block)
{
    return 0;
}

/* The processor's interrupt level, 15: none comes. */
static uint32_t set_level(uint32_t level)
{
    uint32_t psr;
    __asm__ volatile("rd %%psr, %0" : "=r"(psr));
    __asm__ volatile("wr %0, 0, %%psr; nop; nop; nop" : : "r"((psr & ~0xf00u) | level << 8) : "memory");
    return psr >> 8 & 15;
}

void tnd_target_block_signals(struct tnd_target_signals *before)
{
    before->mask[0] = set_level(15);
}

void tnd_target_restore_signals(const struct tnd_target_signals *before)
{
    set_level((uint32_t)before->mask[0]);
}

pid_t tnd_target_thread_id(void)
{
    return 1;
}

uint64_t tnd_target_random(void)
{
    return 1;
}

uint64_t tnd_target_cpu_ns(void)
{
    return tnd_target_clock_ns(false);
}

unsigned tnd_target_cpus(void)
{
    return 1;
}

int tnd_target_cpu(void)
{
    return 0;
}

ptrdiff_t tnd_target_cpu_place(void)
{
    static _Thread_local int32_t cpu;
    return (const char *)&cpu - tnd_machine_thread_pointer();
}

void tnd_target_stack(void **low, void **high)
{
    *low = stack_begin;
    *high = stack_end;
}

uintptr_t tnd_target_stack_floor(uintptr_t high, uint64_t *size_bytes)
{
    *size_bytes = (uint64_t)(stack_end - stack_begin);
    return (uintptr_t)stack_begin;
}

/* The stack is zeros at first. */
uintptr_t tnd_target_stack_touched(uintptr_t floor, uintptr_t high)
{
    while (floor < high && *(const uint32_t *)floor == 0)
        floor += 4;
    return floor;
}

void tnd_target_sleep_ms(unsigned ms) {}

void tnd_target_say(const char *line)
{
    tnd_board_write(1, line, strlen(line));
}
