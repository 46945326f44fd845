/* SPDX-License-Identifier: Apache-2.0
 *
 * Labels, colours and names of objects: reading what the real loader reads, writing what it reads well.
 */
#include "formats/event_types.h"
#include "formats/pcf.h"

#include <errno.h>
#include <glib.h>
#include <string.h>

static void log_fault(void *self, uint64_t line_number, const char *what)
{
    g_string_append_printf(self, "%" G_GUINT64_FORMAT " %s\n", line_number, what);
}

static void log_values(GString *log, const char *name, const struct tnd_pcf_value *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        g_string_append_printf(log, "%s %" G_GINT64_FORMAT " %s\n", name, values[i].value, values[i].label);
}

/* All of a table as text, but for the states and colours that every table has. */
static void log_table(GString *log, const struct tnd_pcf *pcf)
{
    for (size_t i = 0; i < pcf->n_states; i++) {
        int64_t state = pcf->states[i].value;
        bool usual = state >= 0 && (size_t)state < tnd_event_states_n &&
                     strcmp(tnd_event_states[state].label, pcf->states[i].label) == 0;
        if (!usual)
            log_values(log, "state", &pcf->states[i], 1);
    }
    for (size_t i = 0; i < pcf->n_colours; i++) {
        struct tnd_pcf_colour colour = pcf->colours[i];
        bool usual = i < tnd_event_states_n && tnd_event_states[i].r == colour.r && tnd_event_states[i].g == colour.g &&
                     tnd_event_states[i].b == colour.b;
        if (!usual && colour.set)
            g_string_append_printf(log, "colour %zu %d,%d,%d\n", i, colour.r, colour.g, colour.b);
    }
    for (size_t i = 0; i < pcf->n_types; i++) {
        const struct tnd_pcf_type *type = &pcf->types[i];
        g_string_append_printf(log, "type %u %s", type->type, type->label);
        g_string_append_printf(log, type->precision ? " precision %d\n" : "\n", type->precision);
        log_values(log, " ", type->values, type->n_values);
    }
}

static FILE *open_text(const char *text)
{
    FILE *file = tmpfile();
    g_assert_nonnull(file);
    fputs(text, file);
    rewind(file);
    return file;
}

static char *read_to_log(const char *text)
{
    GString *log = g_string_new(NULL);
    FILE *file = open_text(text);
    struct tnd_pcf *pcf = tnd_pcf_read(file, log_fault, log);
    log_table(log, pcf);
    tnd_pcf_free(pcf);
    fclose(file);
    return g_string_free(log, FALSE);
}

static const struct {
    const char *text, *log;
} pcf_cases[] = {
    {"", ""},
    {"EVENT_TYPE\n9 5 Five\n9 6 Six\nVALUES\n1 one\n0  End of it \n", "type 5 Five\n  0 End of it\n  1 one\n"
                                                                      "type 6 Six\n  0 End of it\n  1 one\n"},
    {"EVENT_TYPE\n5 No colour\n9 6\n", "2 not an event type (gradient type label)\n"
                                       "3 not an event type (gradient type label)\n"},
    {"EVENT_TYPE\n5 Five\nVALUES\n1 one\n", "2 not an event type (gradient type label)\n"
                                            "4 a value that no event type stands before\n"},
    {"EVENT_TYPE\n0 5 Five\nVALUES\n1 one\n0 9 Other\n", "type 5 Five\n  0 9 Other\n  1 one\n"},
    {"EVENT_TYPE\n0 5 A\nVALUES\n1 one\n2 two\nEVENT_TYPE\n0 5 B\nVALUES\n2 deux\n", "type 5 B\n  1 one\n  2 deux\n"},
    {"EVENT_TYPE\n0 5 A\nVALUES\n2147483648 big\n-3 small\n0 4294967295 x\n",
     "4 Paraver has no labels for values beyond 32 bits\n"
     "type 5 A\n  -3 small\n  0 4294967295 x\n  2147483648 big\n"},
    {"EVENT_TYPE\n0 3000000000 A\n", "2 Paraver has no labels for types above 2147483647\ntype 3000000000 A\n"},
    {"EVENT_TYPE\n0 5 A\nPRECISION 2\n0 6 B\nPRECISION 99\n",
     "5 not a precision (PRECISION number)\ntype 5 A precision 2\ntype 6 B\n"},
    {"\t EVENT_TYPE \n\n# remark\n   0\t5\tA\tlabel\t\n  \t\n", "type 5 A label\n"},
    {"EVENT_TYPE\r\n0 5 A\r\n", "1 lines end in CR LF: Paraver reads no label of such a file\ntype 5 A\n"},
    {"STATES\n1 Busy\n77 New\n1x Bad\n5\n", "4 not a state (number label)\n5 not a state (number label)\n"
                                            "state 1 Busy\nstate 77 New\n"},
    {"STATES_COLOR\n1 {1,2,3}\n40 { 4 , 5 , 6 }\n2 {1,2,256}\n3 {1,2}\n65536 {1,2,3}\n-1 {1,2,3}\n",
     "4 not a colour (number {r,g,b})\n5 not a colour (number {r,g,b})\n6 a colour for a number out of range\n"
     "7 a colour for a number out of range\ncolour 1 1,2,3\ncolour 40 4,5,6\n"},
    {"DEFAULT_OPTIONS\nLEVEL THREAD\nGRADIENT_NAMES\n0 anything\n", ""},
    {"STATES\n50 \x01\n", "2 not a state (number label)\n"},
    {"#Paraver\nhello\n", "2 outside any section\n"},
};

static void test_read(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(pcf_cases); i++) {
        char *log = read_to_log(pcf_cases[i].text);
        g_assert_cmpstr(log, ==, pcf_cases[i].log);
        g_free(log);
    }
}

/* What is written reads as what was written; for traces of other tools. */
static void test_copy(void)
{
    static const char *const names[] = {"hybrid",    "malloc",    "mpi-collectives", "mpi-pingpong", "omp-for",
                                        "omp-tasks", "py-mpi4py", "sampling",        "synthetic-16"};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        char *file_name = g_strconcat(names[i], ".pcf", NULL);
        char *path = g_test_build_filename(G_TEST_DIST, "data", "traces", names[i], file_name, NULL);
        GString *first = g_string_new(NULL), *second = g_string_new(NULL), *faults = g_string_new(NULL);
        FILE *file = fopen(path, "r"), *copy = tmpfile();
        struct tnd_pcf *pcf = tnd_pcf_read(file, log_fault, faults);
        log_table(first, pcf);
        g_assert_cmpuint(pcf->n_types, >, 3);
        g_assert_true(tnd_pcf_write(pcf, copy));
        rewind(copy);
        struct tnd_pcf *again = tnd_pcf_read(copy, log_fault, faults);
        log_table(second, again);
        g_assert_cmpstr(faults->str, ==, "");
        g_assert_cmpstr(first->str, ==, second->str);
        tnd_pcf_free(pcf);
        tnd_pcf_free(again);
        fclose(file);
        fclose(copy);
        g_string_free(first, TRUE);
        g_string_free(second, TRUE);
        g_string_free(faults, TRUE);
        g_free(path);
        g_free(file_name);
    }
}

static void test_write(void)
{
    struct tnd_pcf *pcf = tnd_pcf_new();
    tnd_pcf_set_type(pcf, 9, "Nine");
    tnd_pcf_set_value(pcf, 9, 2, "two\nlines");
    tnd_pcf_set_value(pcf, 9, -1, "less");
    tnd_pcf_set_type(pcf, 7, "Seven, like nine");
    tnd_pcf_set_value(pcf, 7, -1, "less");
    tnd_pcf_set_value(pcf, 7, 2, "two\nlines");
    tnd_pcf_set_value(pcf, 8, 1, "of no named type");
    tnd_pcf_set_precision(pcf, 8, 3);
    tnd_pcf_set_type(pcf, 4, "Bare");
    tnd_pcf_set_type(pcf, 5, "Bare too");
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    g_assert_true(tnd_pcf_write(pcf, file));
    fclose(file);
    g_assert_cmpstr(strstr(text, "\n\nEVENT_TYPE"), ==,
                    "\n\nEVENT_TYPE\n0    4    Bare\n0    5    Bare too\n"
                    "\n\nEVENT_TYPE\n0    7    Seven, like nine\n0    9    Nine\nVALUES\n-1   less\n2    two lines\n"
                    "\n\nEVENT_TYPE\n0    8    Type 8\nVALUES\n1    of no named type\nPRECISION 3\n");
    g_assert_nonnull(strstr(text, "\nSTATES\n0    Idle\n1    Running\n"));
    g_assert_nonnull(strstr(text, "\n33   {80,185,160}\n"));
    free(text);
    file = fopen("/dev/full", "w");
    errno = 0;
    g_assert_false(tnd_pcf_write(pcf, file));
    fclose(file);
    tnd_pcf_free(pcf);
}

/* In any order, with repetition: sorted, and the last label counts. */
static void test_order(void)
{
    struct tnd_pcf *pcf = tnd_pcf_new();
    for (uint32_t i = 0; i < 5000; i++) {
        uint32_t scattered = i * 1231 % 4999; /* 4999 is prime */
        char *label = g_strdup_printf("label %u", scattered);
        tnd_pcf_set_value(pcf, 3, scattered, "old");
        tnd_pcf_set_value(pcf, 3, scattered, label);
        tnd_pcf_set_type(pcf, 100 + scattered % 100, label);
        g_free(label);
    }
    const struct tnd_pcf_type *type = tnd_pcf_type(pcf, 3);
    g_assert_cmpuint(type->n_values, ==, 4999);
    for (size_t i = 0; i < type->n_values; i++) {
        char *label = g_strdup_printf("label %zu", i);
        g_assert_cmpint(type->values[i].value, ==, (int64_t)i);
        g_assert_cmpstr(tnd_pcf_value_label(pcf, 3, (int64_t)i), ==, label);
        g_free(label);
    }
    g_assert_cmpuint(pcf->n_types, ==, 101);
    g_assert_null(tnd_pcf_value_label(pcf, 3, 4999));
    g_assert_null(tnd_pcf_value_label(pcf, 2, 0));
    g_assert_null(tnd_pcf_type(pcf, 99));
    g_assert_cmpstr(tnd_pcf_state_label(pcf, 3), ==, "Waiting a message");
    g_assert_null(tnd_pcf_state_label(pcf, 36));
    tnd_pcf_free(pcf);
}

static int distance(struct tnd_pcf_colour a, struct tnd_pcf_colour b)
{
    return abs(a.r - b.r) + abs(a.g - b.g) + abs(a.b - b.b);
}

/* Every value has a colour; the ones next to each other can be told apart. */
static void test_colours(void)
{
    struct tnd_pcf *pcf = tnd_pcf_new();
    struct tnd_pcf_colour running = tnd_pcf_value_colour(pcf, 1);
    g_assert_cmpint(running.r * 65536 + running.g * 256 + running.b, ==, 255);
    for (int64_t value = 34; value < 2000; value++) {
        struct tnd_pcf_colour colour = tnd_pcf_value_colour(pcf, value);
        g_assert_true(colour.set);
        for (int64_t near = value + 1; near < value + 8; near++)
            g_assert_cmpint(distance(colour, tnd_pcf_value_colour(pcf, near)), >, 40);
    }
    g_assert_true(tnd_pcf_value_colour(pcf, INT64_MIN).set);
    g_assert_true(tnd_pcf_value_colour(pcf, INT64_MAX).set);
    g_assert_true(tnd_pcf_value_colour(pcf, -1).set);
    tnd_pcf_free(pcf);
}

static const struct {
    const char *text, *log, *written;
} row_cases[] = {
    {"", "", ""},
    {"LEVEL CPU SIZE 1\n1.vm\n\nLEVEL NODE SIZE 1\nvm\n\nLEVEL THREAD SIZE 2\nTHREAD 1.1.1\nmain\n", "",
     "LEVEL THREAD SIZE 2\nTHREAD 1.1.1\nmain\n\nLEVEL NODE SIZE 1\nvm\n\nLEVEL CPU SIZE 1\n1.vm\n"},
    {"# remark\n\nLEVEL TASK SIZE 3\na\n\n#b\n", "", "LEVEL TASK SIZE 3\na\n\n#b\n"},
    {"LEVEL TASK SIZE 3\na\n", "2 fewer names than announced\n", "LEVEL TASK SIZE 1\na\n"},
    {"LEVEL TASK SIZE 2\na\nLEVEL NODE SIZE 1\nn\n",
     "3 a level begins before the names of the one before it are complete\n"
     "4 neither a level (LEVEL name SIZE n) nor one of the names announced: skipped\n",
     "LEVEL TASK SIZE 2\na\nLEVEL NODE SIZE 1\n"},
    {"LEVEL TASK SIZE 1\na\nLEVEL TASK SIZE 1\nb\n", "", "LEVEL TASK SIZE 2\na\nb\n"},
    {"LEVEL NODE SIZE 1\r\nn\r\n", "", "LEVEL NODE SIZE 1\nn\n"},
    {"LEVEL\tNODE\tSIZE\t1\nn\n",
     "1 neither a level (LEVEL name SIZE n) nor one of the names announced: skipped\n"
     "2 neither a level (LEVEL name SIZE n) nor one of the names announced: skipped\n",
     ""},
    {"LEVEL CORE SIZE 1\nLEVEL NODE SIZE x\n",
     "1 neither a level (LEVEL name SIZE n) nor one of the names announced: skipped\n"
     "2 neither a level (LEVEL name SIZE n) nor one of the names announced: skipped\n",
     ""},
};

static void test_row(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(row_cases); i++) {
        GString *log = g_string_new(NULL);
        FILE *file = open_text(row_cases[i].text);
        struct tnd_row *row = tnd_row_read(file, log_fault, log);
        char *written = NULL;
        size_t size;
        FILE *out = open_memstream(&written, &size);
        g_assert_true(tnd_row_write(row, out));
        fclose(out);
        g_assert_cmpstr(log->str, ==, row_cases[i].log);
        g_assert_cmpstr(written, ==, row_cases[i].written);
        free(written);
        tnd_row_free(row);
        fclose(file);
        g_string_free(log, TRUE);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/pcf/read", test_read);
    g_test_add_func("/pcf/copy", test_copy);
    g_test_add_func("/pcf/write", test_write);
    g_test_add_func("/pcf/order", test_order);
    g_test_add_func("/pcf/colours", test_colours);
    g_test_add_func("/row", test_row);
    return g_test_run();
}
