/* SPDX-License-Identifier: Apache-2.0
 *
 * Records as text, both ways, and in the other byte order.
 */
#include "formats/record_text.h"

#include <glib.h>
#include <string.h>

union room {
    struct tnd_record record;
    uint64_t words[TND_RECORD_MAX_BYTES / 8];
};

static char *to_text(const struct tnd_record *record)
{
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    tnd_record_text_write(file, record);
    fclose(file);
    return text;
}

/* Lines that come back as they are. */
static const char *const lines[] = {
    "1200 enter 50000001 1",
    "18446744073709551615 leave 4294967295 65535",
    "1 event 7 0 -9223372036854775808",
    "1 counter 1 0 9223372036854775807",
    "0 clock 1 0 1000 -1",
    "0 process 4711 1 17:2 0 0xffffffffffffffff",
    "0 thread 3 0 4294967295:4294967295",
    "0 text 1 9 \"/bin/true\"",
    "0 text 1 0 \"a\\\"b\\\\c\\x0ad\\x00\\x00\\x01\"",
    "0 text 2 0 \"12345678\\x00\"",
    "0 text 2 0",
    "0 text 4 2 \"\xc3\xa9\"",
    "0 module 0 12 0x400000 0x500000 0 \"/usr/lib/x.so\"",
    "0 define 3 1 0 5 \"solve\"",
    "5 sample 1000000 1 0x401000 0x7f0000000001",
    "5 sampling 2 0 1000000 1:16",
    "5 callers 50000001 0 0x401000 0x7f0000000001",
    "0 rank 3 0 4:0",
    "0 comm 0 0 0x44000000 3:2 0 0:1 2:4294967295",
    "9 send -1 1 0x44000000 4096 1 0x5581",
    "9 recv 17 0 0x44000000 4096 0",
    "9 post 2 0 0x44000000 0x5581 800 1:17",
    "9 done -2 1 0x5581 0 -1",
    "9 collective -1 0 0x44000000 8 8",
    "9 link 2 0 0x44000000 0xfeed",
    "5 code 60000018 0 0x401000",
    "5 task 1 1 0x7ffd1",
    "1 kind-200 5 6 0x1 0",
};

static void test_same(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(lines); i++) {
        union room room, copy;
        g_assert_cmpstr(tnd_record_text_read(lines[i], &room.record), ==, NULL);
        char *text = to_text(&room.record);
        g_assert_cmpstr(text, ==, lines[i]);
        g_free(text);
        size_t size = tnd_record_size_bytes(&room.record);
        memcpy(&copy, &room, size);
        tnd_record_swap(&copy.record);
        g_assert_cmpuint(copy.record.id, ==, GUINT32_SWAP_LE_BE(room.record.id));
        tnd_record_swap(&copy.record);
        g_assert_cmpmem(&copy, size, &room, size);
    }
}

/* Any record comes back as it was, down to the byte. */
static void test_random(void)
{
    for (int round = 0; round < 20000; round++) {
        union room room, copy;
        room.record.n_words =
            (uint8_t)(g_test_rand_int_range(0, 4) ? g_test_rand_int_range(0, 6) : g_test_rand_int_range(0, 256));
        for (size_t i = 2; i < sizeof room / 8; i++)
            room.words[i] = (uint64_t)g_test_rand_int() << 32 | (uint32_t)g_test_rand_int();
        if (round % 3 == 0 && room.record.n_words)
            room.record.words[room.record.n_words - 1] >>= g_test_rand_int_range(0, 64);
        room.record.time = (uint64_t)g_test_rand_int() << 32 | (uint32_t)g_test_rand_int();
        room.record.id = (uint32_t)g_test_rand_int();
        room.record.aux = (uint16_t)g_test_rand_int();
        room.record.kind = (uint8_t)g_test_rand_int_range(1, 80);
        char *text = to_text(&room.record);
        g_assert_null(strchr(text, '\n'));
        g_assert_cmpstr(tnd_record_text_read(text, &copy.record), ==, NULL);
        size_t size = tnd_record_size_bytes(&room.record);
        g_assert_cmpmem(&copy, tnd_record_size_bytes(&copy.record), &room, size);
        g_free(text);
    }
}

static const struct {
    const char *line, *same_as;
} forms[] = {
    {"  1200   enter  50000001 1   # remark", "1200 enter 50000001 1"},
    {"0x10 event 0x7 0 0xff\n", "16 event 7 0 255"},
    {"1 event 7 0 2:1", "1 event 7 0 4294967298"},
    {"1 thread 0 0 8589934593", "1 thread 0 0 1:2"},
    {"1 collective 4294967295 0 1 2 3", "1 collective -1 0 0x1 2 3"},
    {"1 text 1 0 \"\"", "1 text 1 0"},
};

static void test_forms(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(forms); i++) {
        union room room;
        g_assert_cmpstr(tnd_record_text_read(forms[i].line, &room.record), ==, NULL);
        char *text = to_text(&room.record);
        g_assert_cmpstr(text, ==, forms[i].same_as);
        g_free(text);
    }
}

static const struct {
    const char *line, *fault;
} bad[] = {
    {"", "no time"},
    {"enter 1 1", "no time"},
    {"-5", "an unknown kind"},
    {"5 eat 1 1", "an unknown kind"},
    {"5 kind-0 1 1", "an unknown kind"},
    {"5 kind-256 1 1", "an unknown kind"},
    {"5 kind-1x 1 1", "an unknown kind"},
    {"5 enter", "no id"},
    {"5 enter 4294967296 1", "no id"},
    {"5 enter 1", "no small value"},
    {"5 enter 1 65536", "no small value"},
    {"5 event 1 0 x", "a word that is not a number"},
    {"5 event 1 0 18446744073709551616", "a word that is not a number"},
    {"5 event 1 0 4294967296:1", "a word that is not a number"},
    {"5 event 1 0 1:4294967296", "a word that is not a number"},
    {"5 event 1 0 \"text\"", "a text where the kind has none"},
    {"5 define 1 1 0 \"text\"", "a text where the kind has none"},
    {"5 text 1 1 7", "a number where the kind has text"},
    {"5 text 1 1 \"abc", "a text that does not end, or an unknown \\"},
    {"5 text 1 1 \"a\\n\"", "a text that does not end, or an unknown \\"},
    {"5 text 1 1 \"a\" 5", "something after the text"},
};

static void test_bad(void)
{
    union room room;
    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++)
        g_assert_cmpstr(tnd_record_text_read(bad[i].line, &room.record), ==, bad[i].fault);
    GString *line = g_string_new("5 sample 1 0");
    for (int i = 0; i < 255; i++)
        g_string_append(line, " 0x1");
    g_assert_cmpstr(tnd_record_text_read(line->str, &room.record), ==, NULL);
    g_string_append(line, " 0x1");
    g_assert_cmpstr(tnd_record_text_read(line->str, &room.record), ==, "more than 255 words");
    g_string_assign(line, "5 text 1 0 \"");
    for (int i = 0; i < 2041; i++)
        g_string_append_c(line, 'x');
    g_string_append_c(line, '"');
    g_assert_cmpstr(tnd_record_text_read(line->str, &room.record), ==, "a text that is too long");
    g_string_free(line, TRUE);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/record-text/same", test_same);
    g_test_add_func("/record-text/random", test_random);
    g_test_add_func("/record-text/forms", test_forms);
    g_test_add_func("/record-text/bad", test_bad);
    return g_test_run();
}
