/* SPDX-License-Identifier: Apache-2.0
 *
 * Slots are taken when a thread begins and given back when it ends; the one given back last is taken first, because its
 * ring is still in the cache.  The table is reserved address space, so that a slot never moves and the list of free
 * ones needs no lock.
 *
 * Context: as thread.h says.
 */
#include "runtime/thread.h"

#include "formats/rings.h"
#include "runtime/config.h"
#include "runtime/emit.h"
#include "runtime/image.h"
#include "runtime/root.h"
#include "runtime/source.h"
#include "runtime/target.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <string.h>

#define OWN_SLOT TND_THREAD_MAX_SLOTS /* of our own thread, after those of the program's */
#define OWN_RING_BYTES 65536
#define SIGNAL_RING_BYTES 16384 /* at least */

_Thread_local struct tnd_thread *tnd_thread_self;
union tnd_thread_switch tnd_thread_switch __attribute__((aligned(TND_THREAD_PAGE)));

/* The calling thread's state.  AT_BIRTH also keeps a handler that interrupts tnd_thread_adopt from calling it again. */
static _Thread_local enum { UNKNOWN, AT_BIRTH, ALIVE, OVER } life __attribute__((tls_model("initial-exec")));

static struct {
    struct tnd_thread *slots;
    uintptr_t
        free_head; /* low half: slot + 1 of the first free one; high half: a count, so that a value never recurs */
    uint32_t n_slots;
    uint32_t n_born;
    uint32_t n_refused;
    bool is_lost; /* tnd_thread_lose_rings */
    pthread_key_t key;
    bool has_key;
    void (*describe)(struct tnd_writer *writer); /* writes what the process's first stream begins with */
    char name[16]; /* of the image's first thread at its start; threads that were not renamed inherit it */
} table;

#define HALF_BITS (4 * sizeof(uintptr_t))
#define LOW_HALF(head) ((uint32_t)((head) & (((uintptr_t)1 << HALF_BITS) - 1)))
_Static_assert(TND_THREAD_MAX_SLOTS + 1 < (uint64_t)1 << HALF_BITS, "a slot fits into half a pointer");

/* A value of free_head that follows `head`, with `first` as the first free slot + 1. */
static uintptr_t next_head(uintptr_t head, uint32_t first)
{
    return ((head >> HALF_BITS) + 1) << HALF_BITS | first;
}

static uint32_t pop_free(void)
{
    uintptr_t head = __atomic_load_n(&table.free_head, __ATOMIC_ACQUIRE), next;
    do {
        if (LOW_HALF(head) == 0)
            return 0;
        next = next_head(head, table.slots[LOW_HALF(head) - 1].next_free);
    } while (!__atomic_compare_exchange_n(&table.free_head, &head, next, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
    return LOW_HALF(head);
}

static void push_free(struct tnd_thread *thread)
{
    uintptr_t head = __atomic_load_n(&table.free_head, __ATOMIC_RELAXED), next;
    do {
        thread->next_free = LOW_HALF(head);
        next = next_head(head, thread->slot + 1);
    } while (!__atomic_compare_exchange_n(&table.free_head, &head, next, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED));
}

static struct tnd_thread *take_slot(void)
{
    uint32_t free = pop_free();
    if (free)
        return &table.slots[free - 1];
    uint32_t slot = __atomic_load_n(&table.n_slots, __ATOMIC_RELAXED);
    do
        if (slot >= TND_THREAD_MAX_SLOTS)
            return NULL;
    while (!__atomic_compare_exchange_n(&table.n_slots, &slot, slot + 1, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    table.slots[slot].slot = slot;
    return &table.slots[slot];
}

void tnd_thread_file(uint32_t slot, unsigned context, const char *ending, char name[static TND_THREAD_FILE_MAX])
{
    char digits[12];
    size_t n = sizeof digits;
    digits[--n] = 0;
    do
        digits[--n] = (char)('0' + slot % 10);
    while ((slot /= 10) > 0);
    name[0] = 0;
    strcat(name, digits + n);
    strcat(name, context == TND_CONTEXT_SIGNAL ? ".signal." : ".main.");
    strcat(name, ending);
}

/* Bytes of data of a context's rings, whole pages. */
static size_t ring_bytes(enum tnd_context context)
{
    uint64_t n =
        (context == TND_CONTEXT_MAIN ? tnd_config.buffer_bytes : tnd_config.buffer_bytes / 4) & ~(uint64_t)4095;
    return context == TND_CONTEXT_SIGNAL && n < SIGNAL_RING_BYTES ? SIGNAL_RING_BYTES : (size_t)n;
}

/* A ring among those of all slots. */
static struct tnd_target_ring place_of(uint32_t slot, enum tnd_context context, size_t n_bytes)
{
    size_t main_bytes = TND_STREAM_HEADER_BYTES + ring_bytes(TND_CONTEXT_MAIN);
    size_t both_bytes = main_bytes + TND_STREAM_HEADER_BYTES + ring_bytes(TND_CONTEXT_SIGNAL);
    size_t n_pages = (both_bytes + TND_MACHINE_PAGE - 1) / TND_MACHINE_PAGE;
    return (struct tnd_target_ring){.name = TND_RINGS_FILE,
                                    .stride_bytes = n_pages * TND_MACHINE_PAGE,
                                    .slot = slot,
                                    .offset = context == TND_CONTEXT_SIGNAL ? main_bytes : 0,
                                    .n_bytes = n_bytes};
}

/* Makes a ring, header included, among those of all slots, or in a file of its own: our own thread's; and where the
 * limit of a file's size, or of memory, leaves room for that. */
static int make_ring(const struct tnd_thread *thread, enum tnd_context context, size_t n_bytes, void **ring)
{
    struct tnd_target_ring place = place_of(thread->slot, context, n_bytes);
    size_t n_reserved = n_bytes < TND_MACHINE_FIRST_BYTES ? n_bytes : TND_MACHINE_FIRST_BYTES;
    int error = thread->is_own ? EFBIG : tnd_target_ring(tnd_image_directory(), &place, n_reserved, ring);
    if (error == 0)
        ((struct tnd_stream_header *)*ring)->stride = place.stride_bytes;
    if (error != EFBIG && error != ENOMEM)
        return error;
    char name[TND_THREAD_FILE_MAX];
    tnd_thread_file(thread->slot, context, "ring", name);
    place = (struct tnd_target_ring){.name = name, .n_bytes = n_bytes};
    return tnd_target_ring(tnd_image_directory(), &place, n_reserved, ring);
}

int tnd_thread_reserve(struct tnd_stream_header *header, size_t n_reserved, size_t n_bytes)
{
    char name[TND_THREAD_FILE_MAX];
    struct tnd_target_ring place = place_of(header->slot, header->context, n_bytes);
    if (!header->stride) {
        tnd_thread_file(header->slot, header->context, "ring", name);
        place = (struct tnd_target_ring){.name = name, .n_bytes = n_bytes};
    }
    return tnd_target_ring_reserve(tnd_image_directory(), &place, n_reserved, header);
}

/* Gives a writer its ring, of n_bytes of data (whole pages), if it has none yet. */
static bool open_writer(struct tnd_thread *thread, struct tnd_writer *writer, enum tnd_context context, size_t n_bytes)
{
    writer->owner = writer->stepped_over = 0;
    if (writer->header)
        return true;
    void *ring;
    int error = make_ring(thread, context, TND_STREAM_HEADER_BYTES + n_bytes, &ring);
    if (error) {
        tnd_root_trouble("making a thread's ring", error);
        return false;
    }
    struct tnd_stream_header *header = ring;
    header->byte_order = TND_STREAM_BYTE_ORDER;
    header->version = TND_RECORD_VERSION;
    header->context = context;
    header->slot = thread->slot;
    header->pid = (uint32_t)tnd_target_process_id();
    header->ring_bytes = n_bytes;
    memcpy(header->magic, TND_STREAM_MAGIC, sizeof header->magic);
    tnd_emit_open(writer, header);
    return true;
}

static void write_birth(struct tnd_writer *writer, const struct tnd_thread *thread)
{
    tnd_emit_word(writer, thread->born_ticks, TND_RECORD_THREAD, thread->number,
                  thread->is_own ? TND_THREAD_OWN : TND_THREAD_PROGRAM,
                  tnd_record_pair((uint32_t)thread->tid, thread->slot));
}

static void write_name(struct tnd_thread *thread, const char *name)
{
    strncpy(thread->name, name, sizeof thread->name - 1);
    tnd_emit_text(&thread->main, tnd_clock_ticks(), TND_RECORD_TEXT, TND_TEXT_THREAD_NAME, 0, NULL, 0, name);
}

/* Opens the main stream of a thread that has a slot and fills in all but its number and tid. */
static bool set_up(struct tnd_thread *self, size_t n_bytes)
{
    if (!open_writer(self, &self->main, TND_CONTEXT_MAIN, n_bytes))
        return false;
    self->born_cpu_ns = tnd_target_cpu_ns();
    self->has_signal = false;
    tnd_target_stack(&self->stack_low, &self->stack_high);
    memset(self->source_data, 0, sizeof self->source_data);
    memcpy(self->name, table.name, sizeof self->name);
    return true;
}

static struct tnd_thread *be_born(void)
{
    struct tnd_thread *self = take_slot();
    if (!self)
        return NULL;
    if (!set_up(self, ring_bytes(TND_CONTEXT_MAIN))) {
        push_free(self);
        return NULL;
    }
    self->number = __atomic_fetch_add(&table.n_born, 1, __ATOMIC_RELAXED);
    self->tid = tnd_target_thread_id();
    return self;
}

struct tnd_thread *tnd_thread_adopt(void)
{
    if (life != UNKNOWN || !table.slots || !tnd_image_is_here())
        return NULL;
    int before = errno;
    life = AT_BIRTH;
    struct tnd_thread *self = be_born();
    if (self) {
        if (self->number == 0)
            table.describe(&self->main);
        self->born_ticks = tnd_clock_ticks();
        write_birth(&self->main, self);
        tnd_thread_self = self;
        life = ALIVE;
        if (table.has_key)
            pthread_setspecific(table.key, (void *)1);
        tnd_source_thread_start(self);
    } else {
        life = OVER;
        __atomic_fetch_add(&table.n_refused, 1, __ATOMIC_RELAXED);
    }
    errno = before;
    return self;
}

bool tnd_thread_open_signal(struct tnd_thread *self)
{
    if (!open_writer(self, &self->signal, TND_CONTEXT_SIGNAL, ring_bytes(TND_CONTEXT_SIGNAL)))
        return false;
    self->has_signal = true;
    write_birth(&self->signal, self);
    return true;
}

static void write_death(struct tnd_writer *writer, const struct tnd_thread *thread, uint64_t cpu_ns)
{
    writer->owner = writer->stepped_over =
        0; /* a record that the thread's cancellation interrupted stays unpublished */
    tnd_emit_settle(writer);
    tnd_emit_word(writer, tnd_clock_ticks(), TND_RECORD_THREAD_END, thread->number, 0, cpu_ns);
}

/* Writes the calling thread's last records; the slot stays taken. */
static struct tnd_thread *die(void)
{
    struct tnd_thread *self = tnd_thread_self;
    tnd_source_thread_end(self);
    char name[16];
    tnd_target_thread_name(name);
    if (strcmp(name, self->name) != 0)
        write_name(self, name);
    life = OVER;
    tnd_thread_self = NULL;
    uint64_t cpu_ns = tnd_target_cpu_ns() - self->born_cpu_ns;
    write_death(&self->main, self, cpu_ns);
    if (self->has_signal)
        write_death(&self->signal, self, cpu_ns);
    self->tid = 0;
    return self;
}

void tnd_thread_end(void)
{
    if (!tnd_thread_self || life != ALIVE || !tnd_image_is_here())
        return;
    int before = errno;
    push_free(die());
    errno = before;
}

struct tnd_thread *tnd_thread_begin_own(void)
{
    struct tnd_thread *self = &table.slots[OWN_SLOT];
    self->slot = OWN_SLOT;
    self->number = UINT32_MAX;
    self->is_own = true;
    size_t n_bytes = ring_bytes(TND_CONTEXT_MAIN);
    if (!tnd_image_is_here() || !set_up(self, n_bytes < OWN_RING_BYTES ? n_bytes : OWN_RING_BYTES))
        return NULL;
    self->tid = tnd_target_thread_id();
    self->born_ticks = tnd_clock_ticks();
    write_birth(&self->main, self);
    tnd_thread_self = self;
    return self;
}

void tnd_thread_end_own(void)
{
    struct tnd_thread *self = tnd_thread_self;
    tnd_thread_self = NULL;
    write_death(&self->main, self, tnd_target_cpu_ns() - self->born_cpu_ns);
    self->tid = 0;
}

struct tnd_thread *tnd_thread_last(void)
{
    if (tnd_thread_self)
        return die();
    struct tnd_thread *self = table.slots ? take_slot() : NULL;
    return self && open_writer(self, &self->main, TND_CONTEXT_MAIN, ring_bytes(TND_CONTEXT_MAIN)) ? self : NULL;
}

/* libc calls this several times for a thread that ends, as long as it renews its value.  Only the last call ends the
 * thread for us, so that destructors of the program's are still recorded. */
static void key_destructor(void *round)
{
    uintptr_t n = (uintptr_t)round;
    if (n >= PTHREAD_DESTRUCTOR_ITERATIONS || pthread_setspecific(table.key, (void *)(n + 1)) != 0)
        tnd_thread_end();
}

void tnd_thread_rename(const char *name)
{
    struct tnd_thread *self = tnd_thread_get();
    if (self)
        write_name(self, name);
}

void tnd_thread_each(void (*visit)(const struct tnd_thread *thread, void *user_data), void *user_data)
{
    uint32_t n = __atomic_load_n(&table.n_slots, __ATOMIC_RELAXED);
    for (uint32_t i = 0; i < n; i++)
        if (__atomic_load_n(&table.slots[i].tid, __ATOMIC_RELAXED) != 0)
            visit(&table.slots[i], user_data);
}

static void tell_name(const struct tnd_thread *thread, void *writer)
{
    static const uint64_t nothing[2];
    pid_t tid = __atomic_load_n(&thread->tid, __ATOMIC_RELAXED);
    char name[16];
    if (tid == 0)
        return;
    tnd_target_thread_name_of(tid, name);
    if (name[0] && strcmp(name, thread->name) != 0)
        tnd_emit_text(writer, tnd_clock_ticks(), TND_RECORD_DEFINE, thread->number, TND_DEFINE_THREAD, nothing, 2,
                      name);
}

void tnd_thread_tell_names(struct tnd_writer *writer)
{
    tnd_thread_each(tell_name, writer);
}

bool tnd_thread_start(void (*describe)(struct tnd_writer *writer))
{
    if (!table.slots) {
        table.slots = tnd_target_pages((OWN_SLOT + 1) * sizeof *table.slots);
        table.has_key = pthread_key_create(&table.key, key_destructor) == 0;
        tnd_target_wipe_on_fork(&tnd_thread_switch, sizeof tnd_thread_switch);
    }
    tnd_target_thread_name(table.name);
    table.describe = describe;
    table.free_head = 0;
    table.n_slots = table.n_born = table.n_refused = 0;
    table.is_lost = false;
    return table.slots != NULL;
}

static void forget(struct tnd_thread *thread)
{
    struct tnd_writer *writers[] = {&thread->main, &thread->signal};
    for (int i = 0; i < 2; i++)
        if (writers[i]->header && !writers[i]->header->stride)
            tnd_target_pages_free(writers[i]->header, writers[i]->header->ring_bytes + TND_STREAM_HEADER_BYTES);
    memset(thread, 0, sizeof *thread);
}

void tnd_thread_forget(void)
{
    for (uint32_t i = 0; i < table.n_slots; i++)
        forget(&table.slots[i]);
    forget(&table.slots[OWN_SLOT]);
    tnd_target_slots_free();
    tnd_thread_self = NULL;
    life = UNKNOWN;
}

void tnd_thread_lose_rings(void)
{
    __atomic_store_n(&table.is_lost, true, __ATOMIC_RELEASE);
    tnd_thread_recording = 0;
}

bool tnd_thread_has_rings(void)
{
    return !__atomic_load_n(&table.is_lost, __ATOMIC_ACQUIRE);
}

uint32_t tnd_thread_refused(void)
{
    return table.n_refused;
}
