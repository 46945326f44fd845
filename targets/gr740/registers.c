/* SPDX-License-Identifier: Apache-2.0
 *
 * Access to registers, and the search in the tables of the buses, which each bus has of its cores.
 *
 * Context: registers.h.
 */
#include "targets/gr740/registers.h"

#define TABLE_OFFSET 0xFF000u
#define N_ENTRIES 64
#define GAISLER 0x01u

__attribute__((noinline)) uint32_t tnd_registers_read(uint32_t address)
{
    return *(volatile uint32_t *)(uintptr_t)address;
}

__attribute__((noinline)) void tnd_registers_write(uint32_t address, uint32_t value)
{
    *(volatile uint32_t *)(uintptr_t)address = value;
}

uint32_t tnd_registers_find(uint32_t device)
{
    static const uint32_t bridges[] = TND_REGISTERS_APB_BRIDGES;
    for (unsigned b = 0; b < sizeof bridges / sizeof *bridges; b++)
        for (uint32_t i = 0; i < N_ENTRIES; i++) {
            uint32_t entry = bridges[b] + TABLE_OFFSET + 8 * i, id = tnd_registers_read(entry);
            if (id >> 24 == GAISLER && (id >> 12 & 0xfff) == device)
                return bridges[b] | (tnd_registers_read(entry + 4) & 0xfff00000) >> 12;
        }
    return 0;
}
