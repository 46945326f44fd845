/* SPDX-License-Identifier: Apache-2.0
 *
 * Copying values at the begin and the end of calls.  Compiled without vector registers.  Context: library_shadow.h.
 */
#include "intercept/library/library_values.h"

#include "intercept/library/library_emit.h"

#include <sys/syscall.h>
#include <sys/uio.h>

struct tnd_library_value *tnd_library_values;

uint64_t tnd_library_emit_slowly(void *data)
{
    const struct tnd_library_record *record = data;
    if (record->n_words)
        tnd_emit_word_slowly(record->writer, record->time, record->kind, record->id, record->aux, record->word);
    else
        tnd_emit_head_slowly(record->writer, record->time, record->kind, record->id, record->aux);
    return 0;
}

#if defined(__x86_64__) || defined(__aarch64__)
#if defined(__x86_64__)
#define READ_INSTRUCTION(n) "movq %%xmm" #n ", %0"
#else
#define READ_INSTRUCTION(n) "fmov %0, d" #n
#endif
#define READ_VECTOR(n)                                                                                                 \
    case n:                                                                                                            \
        __asm__ volatile(READ_INSTRUCTION(n) : "=r"(word));                                                            \
        break

static uint64_t vector_register(unsigned number)
{
    uint64_t word = 0;
    switch (number) {
        READ_VECTOR(0);
        READ_VECTOR(1);
        READ_VECTOR(2);
        READ_VECTOR(3);
        READ_VECTOR(4);
        READ_VECTOR(5);
        READ_VECTOR(6);
        READ_VECTOR(7);
    }
    return word;
}

/* Asks the kernel to copy from this process: a bad address is an error, no fault.  No call of libc, which sets errno.
 */
static bool copy_by_kernel(long tid, uint64_t address, uint64_t *word, size_t size)
{
    struct iovec here = {word, size}, there = {(void *)address, size};
#if defined(__x86_64__)
    register long flags __asm__("r9") = 0;
    register long n_there __asm__("r8") = 1;
    register const struct iovec *from __asm__("r10") = &there;
    long n = SYS_process_vm_readv;
    __asm__ volatile("syscall"
                     : "+a"(n)
                     : "D"(tid), "S"(&here), "d"(1L), "r"(from), "r"(n_there), "r"(flags)
                     : "rcx", "r11", "memory");
#else
    register long number __asm__("x8") = SYS_process_vm_readv, n __asm__("x0") = tid, n_here __asm__("x2") = 1;
    register long n_there __asm__("x4") = 1, flags __asm__("x5") = 0;
    register const struct iovec *to __asm__("x1") = &here, *from __asm__("x3") = &there;
    __asm__ volatile("svc #0"
                     : "+r"(n)
                     : "r"(number), "r"(to), "r"(n_here), "r"(from), "r"(n_there), "r"(flags)
                     : "memory");
#endif
    return n == (long)size;
}
#else
static uint64_t vector_register(unsigned number)
{
    return 0;
}

static bool copy_by_kernel(long tid, uint64_t address, uint64_t *word, size_t size)
{
    return false;
}
#endif

/* What the caller has on its own stack is readable. */
static bool copy(const struct tnd_thread *thread, uint64_t address, uint64_t *word, size_t size)
{
    uint64_t here = (uint64_t)__builtin_frame_address(0), high = (uint64_t)thread->stack_high;
    bool is_own = here > (uint64_t)thread->stack_low && here < high && address > here && address <= high - sizeof *word;
    *word = 0;
    if (!is_own)
        return copy_by_kernel(thread->tid, address, word, size);
    __builtin_memcpy(word, (const void *)address, sizeof *word);
    return true;
}

/* A floating-point number in thousandths, rounded, without the registers for it. */
static int64_t thousandths(uint64_t bits, unsigned n_fraction, unsigned n_exponent)
{
    int64_t bias = ((int64_t)1 << (n_exponent - 1)) - 1;
    uint64_t exponent = bits >> n_fraction & ((UINT64_C(1) << n_exponent) - 1);
    uint64_t fraction = (bits & ((UINT64_C(1) << n_fraction) - 1)) | UINT64_C(1) << n_fraction;
    int64_t shift = bias + n_fraction - (int64_t)exponent;
    uint64_t value = 1000 * fraction; /* below 2^63 */
    if (exponent == 0 || shift > 63)
        value = 0;
    else if (shift > 0)
        value = (value + (UINT64_C(1) << (shift - 1))) >> shift;
    else if (shift < -63 || value > (uint64_t)INT64_MAX >> -shift)
        value = INT64_MAX;
    else
        value <<= -shift;
    return bits >> (n_fraction + n_exponent) & 1 ? -(int64_t)value : (int64_t)value;
}

static int64_t number_of(const struct tnd_library_value *value, uint64_t word)
{
    if (value->kind == 'f')
        return value->size == 4 ? thousandths((uint32_t)word, 23, 8) : thousandths(word, 52, 11);
    unsigned n_unused = 64 - 8 * (unsigned)value->size;
    return value->kind == 'i' ? (int64_t)(word << n_unused) >> n_unused : (int64_t)(word << n_unused >> n_unused);
}

static void emit(struct tnd_thread *thread, const struct tnd_library_value *value, uint64_t time, int64_t number)
{
    bool is_short = (uint64_t)number <= UINT16_MAX;
    tnd_library_emit(&thread->main, time, TND_RECORD_EVENT, value->type, is_short ? (uint16_t)number : 0, !is_short,
                     (uint64_t)number);
}

static void emit_word(struct tnd_thread *thread, const struct tnd_library_value *value, uint64_t time, uint64_t word)
{
    if (!value->is_pointed_to || copy(thread, word, &word, value->size))
        emit(thread, value, time, number_of(value, word));
}

static uint64_t argument(const struct tnd_library_value *value, const uint64_t *slot)
{
    if (value->source == TND_LIBRARY_INTEGER) /* as library_enter.S has saved them */
        return slot[-1 - value->at];
    return value->source == TND_LIBRARY_STACK ? slot[1 + value->at] : vector_register(value->at);
}

void tnd_library_values_enter(struct tnd_thread *thread, struct tnd_library_entry *entry, const uint64_t *slot,
                              uint64_t time)
{
    const struct tnd_library_value *value = &tnd_library_values[entry->function->first_value];
    for (unsigned i = entry->function->n_values; i > 0; i--, value++) {
        if (!value->is_late) {
            emit_word(thread, value, time, argument(value, slot));
        } else {
            if (value->is_pointed_to)
                entry->kept[value->kept] = argument(value, slot);
            emit(thread, value, time, 0);
        }
    }
}

void tnd_library_values_leave(struct tnd_thread *thread, const struct tnd_library_entry *entry, const uint64_t *rax,
                              uint64_t time)
{
    const struct tnd_library_value *value = &tnd_library_values[entry->function->first_value];
    for (unsigned i = entry->function->n_values; i > 0; i--, value++) {
        if (!value->is_late)
            emit(thread, value, time, 0);
        else if (value->is_pointed_to && rax)
            emit_word(thread, value, time, entry->kept[value->kept]);
        else if (rax)
            emit_word(thread, value, time, value->source == TND_LIBRARY_RESULT ? *rax : vector_register(0));
    }
}
