/* SPDX-License-Identifier: Apache-2.0
 *
 * Samples that are packed and unpacked again: whole stacks, more than there are numbers for, numbers that were
 * forgotten, bytes that mean nothing.
 */
#include "formats/pack.h"
#include "formats/unpack.h"

#include <glib.h>
#include <string.h>

#define ROOM_BYTES (8 * (size_t)TND_RECORD_MAX_WORDS)

/* A record with as many entries as it takes. */
typedef struct {
    struct tnd_record *record;
    size_t n_bytes;
} Packed;

typedef struct {
    struct tnd_pack_entry entry;
    guint n;
    guint64 frames[TND_PACK_MOST_FRAMES]; /* innermost first */
} Sample;

static Packed *packed_new(guint64 time, guint16 aux)
{
    Packed *packed = g_new0(Packed, 1);
    packed->record = g_malloc0(TND_RECORD_MAX_BYTES);
    packed->record->time = time;
    packed->record->aux = aux;
    packed->record->kind = TND_RECORD_PACKED;
    packed->record->n_words = TND_RECORD_MAX_WORDS;
    return packed;
}

static void packed_free(gpointer data)
{
    Packed *packed = data;
    g_free(packed->record);
    g_free(packed);
}

static void put(GPtrArray *all, struct tnd_pack *pack, const Sample *sample, guint16 aux)
{
    Packed *last = all->len ? g_ptr_array_index(all, all->len - 1) : NULL;
    if (!last || aux || last->n_bytes + TND_PACK_ENTRY_BYTES(sample->n) > ROOM_BYTES) {
        last = packed_new(sample->entry.time, aux);
        g_ptr_array_add(all, last);
        pack->time = sample->entry.time;
    }
    guint8 *at = (guint8 *)last->record->words + last->n_bytes;
    gsize n_bytes = tnd_pack_put(pack, at, &sample->entry, sample->frames, sample->n);
    g_assert_cmpuint(n_bytes, <=, TND_PACK_ENTRY_BYTES(sample->n));
    last->n_bytes += n_bytes;
}

/* A sample of a program of so many functions, as deep as frames go; some functions are Python's. */
static Sample make_sample(GRand *random, guint64 time, guint n_functions, guint most_frames)
{
    Sample sample = {.entry = {.time = time, .id = g_rand_int(random), .kind = TND_RECORD_SAMPLE}};
    guint64 at = g_rand_int_range(random, 0, 4);
    sample.n = (guint)g_rand_int_range(random, 0, (gint32)most_frames + 1);
    for (guint i = sample.n; i-- > 0; at = (at * 7 + (guint)g_rand_int_range(random, 0, 3)) % n_functions)
        sample.frames[i] =
            at % 11 == 5 ? TND_SAMPLE_PYTHON | at : 0x7f0000000000 + at * 16 - (at % 3 ? 0 : 0x2a0000000000);
    if (g_rand_int_range(random, 0, 4) == 0) {
        sample.entry.kind = TND_RECORD_WAIT;
        sample.entry.words[0] = g_rand_int(random);
        sample.entry.words[1] = (guint64)g_rand_int(random) << 32;
    }
    sample.entry.flags = (guint8)g_rand_int_range(random, 0, 16) & ~TND_SAMPLE_REST;
    if (sample.entry.kind == TND_RECORD_SAMPLE && g_rand_int_range(random, 0, 20) == 0) {
        sample.entry.flags |= TND_SAMPLE_REST;
        sample.n = 0;
    }
    return sample;
}

/* The record's stack is put together from the sample before, which *before has. */
static void check(const struct tnd_record *record, const Sample *expected, Sample *before)
{
    guint n_behind = expected->entry.kind == TND_RECORD_WAIT ? 2 : 0;
    guint n_own = record->n_words - n_behind, n_common = TND_SAMPLE_N_COMMON(record->aux);
    const Sample *whole = expected->entry.flags & TND_SAMPLE_REST ? before : expected;
    g_assert_cmpuint(record->time, ==, expected->entry.time);
    g_assert_cmpuint(record->id, ==, expected->entry.id);
    g_assert_cmpuint(record->kind, ==, expected->entry.kind);
    g_assert_cmpuint(record->aux & 255, ==, expected->entry.flags);
    g_assert_cmpuint(n_own + n_common, ==, whole->n);
    g_assert_cmpuint(n_common, <=, before->n);
    g_assert_cmpmem(record->words, 8 * n_own, whole->frames, 8 * n_own);
    g_assert_cmpmem(before->frames + before->n - n_common, 8 * n_common, whole->frames + n_own, 8 * n_common);
    g_assert_cmpmem(record->words + n_own, 8 * n_behind, expected->entry.words, 8 * n_behind);
    if (expected->entry.kind == TND_RECORD_SAMPLE && whole == expected)
        *before = *expected;
}

static void check_all(const GPtrArray *all, const GArray *samples)
{
    struct tnd_unpack *unpack = tnd_unpack_new();
    Sample before = {.n = 0};
    guint n = 0;
    for (guint i = 0; i < all->len; i++) {
        const struct tnd_record *record, *packed = ((const Packed *)g_ptr_array_index(all, i))->record;
        guint64 rest_bytes;
        if (packed->aux & TND_PACKED_FIRST)
            before.n = 0;
        tnd_unpack_begin(unpack, packed);
        if (i == all->len / 2) { /* a copy goes on where the other one stood */
            struct tnd_unpack *copy = tnd_unpack_copy(unpack);
            tnd_unpack_free(unpack);
            unpack = copy;
        }
        while ((record = tnd_unpack_next(unpack, &rest_bytes)))
            check(record, &g_array_index(samples, Sample, n++), &before);
        g_assert_cmpuint(rest_bytes, ==, 0);
    }
    g_assert_cmpuint(n, ==, samples->len);
    tnd_unpack_free(unpack);
}

/* Returns the bytes that each of the samples took. */
static double check_round_trip(guint n, guint n_functions, guint most_frames, gboolean is_interrupted)
{
    GRand *random = g_rand_new_with_seed(n_functions);
    struct tnd_pack *pack = g_new0(struct tnd_pack, 1);
    GPtrArray *all = g_ptr_array_new_with_free_func(packed_free);
    GArray *samples = g_array_new(FALSE, FALSE, sizeof(Sample));
    gsize n_bytes = 0;
    for (guint i = 0; i < n; i++) {
        guint64 time = 1000000 + 3000 * (guint64)i;
        Sample sample = i % 2 ? g_array_index(samples, Sample, i - 1) /* each stack twice: its number is used */
                              : make_sample(random, time, n_functions, most_frames);
        sample.entry.time = time;
        guint16 aux = is_interrupted && i % 1000 == 999 ? TND_PACKED_RESET : i % 7000 == 0 ? TND_PACKED_FIRST : 0;
        if (aux & TND_PACKED_RESET)
            tnd_pack_reset(pack);
        put(all, pack, &sample, aux);
        g_array_append_val(samples, sample);
    }
    check_all(all, samples);
    for (guint i = 0; i < all->len; i++)
        n_bytes += ((const Packed *)g_ptr_array_index(all, i))->n_bytes;
    g_ptr_array_unref(all);
    g_array_unref(samples);
    g_free(pack);
    g_rand_free(random);
    return (double)n_bytes / n;
}

static void test_round_trip(void)
{
    check_round_trip(1, 1, 1, FALSE);
    check_round_trip(1000, 1, 128, FALSE);
    g_assert_cmpfloat(check_round_trip(20000, 3, 4, FALSE), <, 16);
    check_round_trip(20000, 50000, 30, FALSE); /* not all addresses have numbers */
    check_round_trip(20000, 4000, 60, FALSE);  /* nor have all stacks */
    check_round_trip(20000, 4000, 128, TRUE);
}

/* What is there at a kill: an entry without its first byte is none. */
static void test_unfinished(void)
{
    struct tnd_pack *pack = g_new0(struct tnd_pack, 1);
    GPtrArray *all = g_ptr_array_new_with_free_func(packed_free);
    GArray *samples = g_array_new(FALSE, FALSE, sizeof(Sample));
    GRand *random = g_rand_new_with_seed(1);
    for (guint i = 0; i < 3; i++) {
        Sample sample = make_sample(random, i, 10, 5);
        gsize n_before = i ? ((Packed *)g_ptr_array_index(all, 0))->n_bytes : 0;
        put(all, pack, &sample, 0);
        if (i < 2)
            g_array_append_val(samples, sample);
        else
            ((guint8 *)((Packed *)g_ptr_array_index(all, 0))->record->words)[n_before] = 0;
    }
    check_all(all, samples);
    g_ptr_array_unref(all);
    g_array_unref(samples);
    g_free(pack);
    g_rand_free(random);
}

/* Whatever the bytes are, unpacking ends, and says where it had to stop. */
static void test_noise(void)
{
    GRand *random = g_rand_new_with_seed(2);
    for (guint turn = 0; turn < 2000; turn++) {
        Packed *packed = packed_new(0, 0);
        struct tnd_unpack *unpack = tnd_unpack_new();
        guint8 *bytes = (guint8 *)packed->record->words;
        guint64 rest_bytes;
        for (gsize i = 0; i < ROOM_BYTES; i++)
            bytes[i] = (guint8)(g_rand_int(random) >> (turn % 2 ? 0 : 30));
        bytes[0] |= TND_PACK_ENTRY;
        tnd_unpack_begin(unpack, packed->record);
        while (tnd_unpack_next(unpack, &rest_bytes))
            ;
        g_assert_cmpuint(rest_bytes, <=, ROOM_BYTES);
        g_assert_null(tnd_unpack_next(unpack, &rest_bytes));
        tnd_unpack_free(unpack);
        packed_free(packed);
    }
    static const guint8 unsound[][8] = {
        {TND_PACK_ENTRY, 0, 0, 1, 0},                       /* a stack that has no number */
        {TND_PACK_ENTRY, 0, 0, 0, 1, 2},                    /* an address that has none */
        {1, 0, 0, 0, 0},                                    /* no entry */
        {TND_PACK_ENTRY, 255, 255, 255, 255, 255, 255, 255} /* a number that does not end */
    };
    for (guint i = 0; i < G_N_ELEMENTS(unsound); i++) {
        Packed *packed = packed_new(0, 0);
        struct tnd_unpack *unpack = tnd_unpack_new();
        guint64 rest_bytes;
        packed->record->n_words = 1;
        memcpy(packed->record->words, unsound[i], 8);
        tnd_unpack_begin(unpack, packed->record);
        g_assert_null(tnd_unpack_next(unpack, &rest_bytes));
        g_assert_cmpuint(rest_bytes, ==, 8);
        tnd_unpack_free(unpack);
        packed_free(packed);
    }
    g_rand_free(random);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/pack/round-trip", test_round_trip);
    g_test_add_func("/pack/unfinished", test_unfinished);
    g_test_add_func("/pack/noise", test_noise);
    return g_test_run();
}
