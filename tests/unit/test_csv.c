/* SPDX-License-Identifier: Apache-2.0
 *
 * CSV: quoting, numbers, and that the locale has no say.
 */
#include "formats/csv.h"

#include <glib.h>
#include <locale.h>
#include <math.h>

static char *text;
static size_t size;

static FILE *begin(void)
{
    return open_memstream(&text, &size);
}

static void end(FILE *file, const char *expected)
{
    fclose(file);
    g_assert_cmpstr(text, ==, expected);
    free(text);
}

static void test_text(void)
{
    FILE *file = begin();
    tnd_csv_text(file, 1, "THREAD 1.1.1");
    tnd_csv_text(file, 0, "a,b");
    tnd_csv_text(file, 0, "say \"x\"");
    tnd_csv_text(file, 0, "two\nlines");
    tnd_csv_text(file, 0, "");
    tnd_csv_text(file, 0, " blank");
    tnd_csv_end_line(file);
    end(file, "THREAD 1.1.1,\"a,b\",\"say \"\"x\"\"\",\"two\nlines\",,\" blank\"\n");
}

/* A spreadsheet computes nothing, and a terminal obeys nothing; numbers that are texts stay. */
static void test_harmless(void)
{
    static const char *const fields[][2] = {{"=1+2", "'=1+2"},
                                            {"+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"},
                                            {"-2+3", "'-2+3"},
                                            {"@SUM(A1,A2)", "\"'@SUM(A1,A2)\""},
                                            {"\t=1", "\"' =1\""},
                                            {"\r=1", "\"' =1\""},
                                            {"-", "-"},
                                            {"+-", "+-"},
                                            {"+-=1", "'+-=1"},
                                            {"-e5", "'-e5"},
                                            {"-5 us", "'-5 us"},
                                            {"-5", "-5"},
                                            {"-4 [ns]", "-4 [ns]"},
                                            {"-4 [A1]", "'-4 [A1]"},
                                            {"+.5", "+.5"},
                                            {"-1.25e-9", "-1.25e-9"},
                                            {"a=b", "a=b"},
                                            {"\033]0;x\007y\x7f", "?]0;x?y?"},
                                            {"\xc2\x9b"
                                             "31m \xc3\xa9",
                                             "??31m \xc3\xa9"}};
    for (guint i = 0; i < G_N_ELEMENTS(fields); i++) {
        FILE *file = begin();
        tnd_csv_text(file, 1, fields[i][0]);
        end(file, fields[i][1]);
    }
}

static void write_numbers(FILE *file)
{
    tnd_csv_number(file, 1, 1234567.125, 2);
    tnd_csv_number(file, 0, -0.004, 2);
    tnd_csv_number(file, 0, 3, 0);
    tnd_csv_number(file, 0, -1e300, 1);
    tnd_csv_number(file, 0, INFINITY, 2);
    tnd_csv_number(file, 0, 0.5, -1);
    tnd_csv_number(file, 0, -12, 3);
    tnd_csv_number(file, 0, -0.0, 2);
    tnd_csv_number(file, 0, 9007199254740991, 1);
    tnd_csv_number(file, 0, -9223372036854775808.0, 1);
    tnd_csv_number(file, 0, NAN, 1);
    tnd_csv_whole(file, 0, 999989999999800002, 0, 2);
    tnd_csv_whole(file, 0, UINT64_MAX, 1, 0);
    tnd_csv_end_line(file);
}

static void test_number(void)
{
    char *expected =
        g_strdup_printf("1234567.12,0.00,3,%.1f,inf,0,-12.000,0.00,9007199254740991.0,-9223372036854775808.0,"
                        "nan,999989999999800002.00,-18446744073709551615\n",
                        -1e300);
    FILE *file = begin();
    write_numbers(file);
    end(file, expected);
    /* Whichever locale with a comma there is. */
    static const char *const locales[] = {"de_DE.UTF-8", "es_ES.UTF-8", "fr_FR.UTF-8", "C"};
    for (size_t i = 0; i < G_N_ELEMENTS(locales); i++) {
        if (!setlocale(LC_NUMERIC, locales[i]))
            continue;
        file = begin();
        write_numbers(file);
        end(file, expected);
    }
    setlocale(LC_NUMERIC, "C");
    g_free(expected);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/csv/text", test_text);
    g_test_add_func("/csv/harmless", test_harmless);
    g_test_add_func("/csv/number", test_number);
    return g_test_run();
}
