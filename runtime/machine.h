/* SPDX-License-Identifier: Apache-2.0
 *
 * What the runtime must know of the machine that it is compiled for: the sizes of its tables, and how a 64-bit number
 * is published and divided.  A board (TND_BOARD: targets/gr740) has little memory, no file that outlives the program,
 * and a processor of 32 bits; everything else is a machine with an operating system and 64 bits.
 *
 * Context: any.
 */
#ifndef TND_MACHINE_H
#define TND_MACHINE_H

#include <stddef.h>
#include <stdint.h>

#ifdef TND_BOARD
#define TND_MACHINE_SLOTS 32  /* threads that exist at once */
#define TND_MACHINE_NAMES 256 /* a power of two */
#define TND_MACHINE_TEXT_BYTES 8192
#define TND_MACHINE_PAGE 8               /* there is no fork, so that nothing needs a page for itself */
#define TND_MACHINE_FIRST_BYTES SIZE_MAX /* of a ring, header included, that are there at once; then twice as many */
#else
#define TND_MACHINE_SLOTS 32768
#define TND_MACHINE_NAMES 131072 /* twice the numbers of a role */
#define TND_MACHINE_TEXT_BYTES ((size_t)16 << 20)
#if defined(__aarch64__)
#define TND_MACHINE_PAGE 65536
#else
#define TND_MACHINE_PAGE 4096
#endif
#define TND_MACHINE_FIRST_BYTES (TND_MACHINE_PAGE < 16384 ? (size_t)16384 : (size_t)TND_MACHINE_PAGE)
#endif

/* What offsets of thread-local variables count from. */
static inline const char *tnd_machine_thread_pointer(void)
{
#if defined(__sparc__)
    const char *pointer;
    __asm__("mov %%g7, %0" : "=r"(pointer));
    return pointer;
#else
    return __builtin_thread_pointer();
#endif
}

/* Stores a number that only the calling thread changes, after all that was stored before. */
static inline void tnd_machine_publish(uint64_t *place, uint64_t value)
{
#ifdef TND_BOARD /* nobody else reads it before the thread has ended or is stopped */
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    *(volatile uint64_t *)place = value;
#else
    __atomic_store_n(place, value, __ATOMIC_RELEASE);
#endif
}

/* Adds to a count that a handler may change, too. */
static inline void tnd_machine_add(uint64_t *place, uint64_t n)
{
#ifdef TND_BOARD /* the one of the two that comes between the load and the store of the other is lost */
    *(volatile uint64_t *)place += n;
#else
    __atomic_fetch_add(place, n, __ATOMIC_RELAXED);
#endif
}

/* Reads a number that another thread may be changing.  On a board a processor may see half of the change: to read it
 * takes one instruction there, but nothing says so. */
#ifdef TND_BOARD
#define TND_MACHINE_READ(place) (*(volatile __typeof__(place) *)&(place))
#else
#define TND_MACHINE_READ(place) __atomic_load_n(&(place), __ATOMIC_RELAXED)
#endif

/* n / by, by > 0.  On a board without a call of libgcc. */
static inline uint64_t tnd_machine_divide(uint64_t n, uint64_t by)
{
#ifdef TND_BOARD
    if ((n | by) >> 32 == 0)
        return (uint32_t)n / (uint32_t)by;
    uint64_t quotient = 0, rest = 0;
    for (int i = 0; i < 64; i++) {
        rest = rest << 1 | n >> 63;
        n <<= 1;
        quotient <<= 1;
        if (rest >= by) {
            rest -= by;
            quotient |= 1;
        }
    }
    return quotient;
#else
    return n / by;
#endif
}

#endif
