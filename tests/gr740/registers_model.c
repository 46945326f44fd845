/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The model's registers, one function a core, and the handler that finds out which access it was.
 */
#include "tests/gr740/registers_model.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define LOW 0xFF900000u
#define HIGH 0xFFB00000u
#define GATE_OF_L4STAT 6
#define CYCLE_NS 4
#define SAMPLE_CYCLES 100000 /* of the sensor: one value in so many */

struct registers_model model;
uint32_t (*registers_model_rate)(uint32_t event, uint32_t cpu);
void (*registers_model_before_tick)(void);
void (*registers_model_other)(uint32_t address, const void *context, volatile uint32_t *frame);

/* The kernel's registers of an interrupted program. */
struct frame {
    uint32_t psr, pc, npc, y, g_and_o[16];
};

static uint32_t clock_gate(uint32_t offset, bool is_store, uint32_t value)
{
    uint32_t *const registers[] = {&model.unlock, &model.enable, &model.reset};
    uint32_t *place = registers[offset / 4];
    if (is_store) /* but for UNLOCK, only bits that are unlocked change */
        *place = offset == 0 ? value : (*place & ~model.unlock) | (value & model.unlock);
    return *place;
}

static bool l4stat_is_on(void)
{
    return model.enable >> GATE_OF_L4STAT & 1 && !(model.reset >> GATE_OF_L4STAT & 1);
}

static void count_up(unsigned i)
{
    uint32_t control = model.counters[i].control, event = control >> 4 & 0xff, cpu = control & 15;
    uint64_t cycles = model.cycles - model.counters[i].at;
    uint32_t rate = registers_model_rate ? registers_model_rate(event, cpu) : event == 0x15 ? 1000 : (cpu + 1) * 1000;
    if (control & 1 << 12)
        model.counters[i].value += (uint32_t)(cycles * rate / 1000);
    model.counters[i].at = model.cycles;
}

static uint32_t l4stat(uint32_t offset, bool is_store, uint32_t value)
{
    unsigned i = offset / 4 & 31;
    if (i >= 16 || !l4stat_is_on())
        return 0;
    uint32_t control = model.counters[i].control;
    count_up(i);
    if (offset >= 0x80) {
        if (is_store)
            model.counters[i].control = value & 0x3ffff;
        return model.counters[i].control | 3u << 28 | (model.n_counters - 1) << 23 | 0x7c0000;
    }
    uint32_t before = model.counters[i].value;
    if (is_store)
        model.counters[i].value = value;
    else if (control & 1 << 13)
        model.counters[i].value = 0;
    return before;
}

static uint32_t degrees(uint64_t sample)
{
    return model.thsens.raw ? model.thsens.raw : 50 + (uint32_t)sample % 5;
}

static uint32_t thsens(uint32_t offset, bool is_store, uint32_t value)
{
    uint32_t *place = offset == 0 ? &model.thsens.control : &model.thsens.threshold;
    if (!model.has_thsens)
        return 0;
    if (offset != 4) {
        if (is_store)
            *place = value;
        return *place;
    }
    uint32_t divider = model.thsens.control >> 16 & 0x3ff, khz = divider ? 250000 / divider : 0;
    if ((model.thsens.control & 0x83) != 0x83 || khz < 250 || khz > 500)
        return 0;
    uint64_t now = model.cycles / SAMPLE_CYCLES, before = model.thsens.read_at / SAMPLE_CYCLES;
    uint32_t raw = degrees(now);
    bool is_alarm = model.thsens.control & 0x100 && raw >= model.thsens.threshold;
    model.thsens.read_at = model.cycles;
    return 54u << 24 | 50u << 16 | (now != before) << 9 | (uint32_t)is_alarm << 8 | raw;
}

static uint64_t period(void)
{
    return (uint64_t)(model.timer.scaler_reload + 1) * ((uint64_t)model.timer.reload + 1);
}

static void count_down(void)
{
    if (!(model.timer.control & 1) || model.has_real_time)
        return;
    while (model.cycles - model.timer.loaded_at >= model.timer.loaded) {
        model.timer.loaded_at += model.timer.loaded;
        model.timer.loaded = period();
        model.timer.control |= model.timer.control & 8 ? 0x10 : 0;
    }
}

static uint32_t gptimer(uint32_t offset, bool is_store, uint32_t value)
{
    if (!model.has_timers)
        return 0;
    count_down();
    switch (offset) {
    case 0x04:
        return is_store ? model.timer.scaler_reload = value & 0xffff : model.timer.scaler_reload;
    case 0x08:
        return 4 | 6 << 3;
    case 0x14:
    case 0x34:
        return is_store ? model.timer.reload = value : model.timer.reload;
    case 0x18:
    case 0x38:
        if (is_store) {
            uint32_t pending = model.timer.control & 0x10 & ~value;
            if (value & 4)
                model.timer.loaded_at = model.cycles, model.timer.loaded = period();
            model.timer.control = (value & ~0x14u) | pending;
        }
        return model.timer.control;
    default:
        return 0;
    }
}

/* The tables of the two buses: in the second, after others, L4STAT. */
static uint32_t plug_and_play(uint32_t address)
{
    uint32_t entry = (address & 0xfff) / 8;
    if (address < 0xFFA00000u || !model.has_l4stat || entry > 13)
        return 0;
    uint32_t device = entry == 13 ? 0x047 : 0x100 + entry;
    return address & 4 ? (entry * 16) << 20 | 0xfff1 : 0x01u << 24 | device << 12;
}

static void look_at_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    model.cycles = ((uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec) / CYCLE_NS;
}

static uint32_t access_register(uint32_t address, bool is_store, uint32_t value)
{
    if (model.has_real_time)
        look_at_clock();
    else
        model.cycles += 100;
    *(is_store ? &model.n_stores : &model.n_loads) += 1;
    if ((address & 0xff000) == 0xff000)
        return plug_and_play(address);
    switch (address & ~0xfffu) {
    case 0xFF909000u:
        return gptimer(address & 0xfff, is_store, value);
    case 0xFFA04000u:
        return clock_gate(address & 0xfff, is_store, value);
    case 0xFFA0A000u:
        return thsens(address & 0xfff, is_store, value);
    case 0xFFA0D000u:
        return model.has_l4stat ? l4stat(address & 0xfff, is_store, value) : 0;
    default:
        model.n_unknown++;
        return 0;
    }
}

/* One access at a time. */
static char is_held;

static void hold(void)
{
    while (__atomic_test_and_set(&is_held, __ATOMIC_ACQUIRE))
        ;
}

static void let_go(void)
{
    __atomic_clear(&is_held, __ATOMIC_RELEASE);
}

/* A driver's accesses are functions that keep their values in %o registers, and nothing but a load or a store is in
 * them.  Anything else is a fault. */
static __attribute__((noinline)) void pass_over(uint32_t address, struct frame *frame, volatile uint32_t *outermost)
{
    uint32_t instruction = *(uint32_t *)(uintptr_t)frame->pc;
    uint32_t kind = instruction >> 19 & 63, rd = instruction >> 25 & 31;
    if (registers_model_other && (address < LOW || address >= HIGH)) {
        registers_model_other(address, frame, outermost);
        frame->pc = frame->npc;
        frame->npc += 4;
        return;
    }
    if (address < LOW || address >= HIGH || instruction >> 30 != 3 || (kind != 0 && kind != 4) || rd > 15) {
        fprintf(stderr, "access of %x at %x: %x\n", address, frame->pc, instruction); /* the program ends anyway */
        _exit(3);
    }
    hold();
    uint32_t read = access_register(address, kind == 4, rd ? frame->g_and_o[rd] : 0);
    let_go();
    if (kind == 0 && rd)
        frame->g_and_o[rd] = read;
    frame->pc = frame->npc;
    frame->npc += 4;
}

static void handle(int number, siginfo_t *info, void *context)
{
    uint32_t codes, asi;
    REGISTERS_MODEL_KEEP(codes, asi);
    pass_over((uint32_t)(uintptr_t)info->si_addr, context, __builtin_frame_address(0));
    REGISTERS_MODEL_GIVE_BACK(codes, asi);
}

uint32_t registers_model_period_ns(void)
{
    bool is_on = (model.timer.control & 9) == 9;
    return is_on ? (uint32_t)(period() * CYCLE_NS) : 0;
}

void registers_model_tick(void)
{
    hold();
    look_at_clock();
    if (registers_model_before_tick)
        registers_model_before_tick();
    for (unsigned i = 0; i < 16 && l4stat_is_on(); i++)
        count_up(i);
    if (model.timer.control & 8)
        model.timer.control |= 0x10;
    let_go();
}

void registers_model_start(void)
{
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK};
    sigfillset(&action.sa_mask); /* an interrupt of another kind waits, but may access registers itself */
    sigdelset(&action.sa_mask, SIGSEGV);
    sigdelset(&action.sa_mask, SIGBUS);
    memset(&model, 0, sizeof model);
    model.has_l4stat = model.has_thsens = model.has_timers = true;
    model.n_counters = 16;
    model.timer.scaler_reload = 0xffff;
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
    if (mmap((void *)(uintptr_t)LOW, HIGH - LOW, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1,
             0) == MAP_FAILED)
        perror("mmap");
}
