/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A formula is kept as steps in postfix order, and evaluated on a stack of lists of bursts.  The parser is recursive
 * descent: sums, products, single values.
 */
#include "analysis/views/view_formula.h"

#include "analysis/views/semantic.h"
#include "analysis/views/view.h"

#include <gio/gio.h>
#include <math.h>
#include <string.h>

/* How deep parentheses may be nested. */
#define MAX_DEPTH 64

/* Changes the bursts of an operand (an array of TndBurst) in place. */
typedef void (*Change)(GArray *operand);

typedef struct {
    enum { NUMBER, VIEW, COMBINE, CHANGE } kind;
    double number;
    guint view; /* index into the names */
    const TndSemanticDerived *combine;
    Change change;
} Step;

struct TndViewFormula {
    GArray *steps;
    GPtrArray *names;
};

#define BURST(operand, i) (&g_array_index(operand, TndBurst, i))

static double length_ns(const TndBurst *burst)
{
    return (double)(burst->end_ns - burst->begin_ns);
}

static void negate(GArray *operand)
{
    for (guint i = 0; i < operand->len; i++)
        BURST(operand, i)->value = -BURST(operand, i)->value;
}

static void take_duration(GArray *operand)
{
    for (guint i = 0; i < operand->len; i++)
        BURST(operand, i)->value = length_ns(BURST(operand, i));
}

static void divide_by_duration(GArray *operand)
{
    for (guint i = 0; i < operand->len; i++) {
        double length = length_ns(BURST(operand, i));
        BURST(operand, i)->value *= length > 0 ? 1e9 / length : 0;
    }
}

/* Replaces each value by the difference to the next burst's value; that of the last burst is 0. */
static void take_change(GArray *operand)
{
    double next = operand->len ? BURST(operand, operand->len - 1)->value : 0;
    for (guint i = operand->len; i-- > 0;) {
        TndBurst *burst = BURST(operand, i);
        double own = burst->value;
        burst->value = next - own;
        if (burst->end_ns > burst->begin_ns)
            next = own;
    }
}

static void take_change_per_second(GArray *operand)
{
    take_change(operand);
    divide_by_duration(operand);
}

static const struct {
    const char *name;
    Change change;       /* a function of one argument */
    const char *combine; /* of a function of two arguments: Paraver's name of it */
} functions[] = {
    {"per-second", divide_by_duration, NULL},
    {"change", take_change, NULL},
    {"change-per-second", take_change_per_second, NULL},
    {"duration", take_duration, NULL},
    {"minimum", NULL, "minimum"},
    {"maximum", NULL, "maximum"},
};

typedef struct {
    const char *text, *at;
    guint depth;
    TndViewFormula *formula;
    GError **error;
} Parser;

static gboolean parse_sum(Parser *parser);

static gboolean refuse(Parser *parser, const char *at, const char *what)
{
    g_set_error(parser->error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "column %u: %s",
                (guint)g_utf8_strlen(parser->text, at - parser->text) + 1, what);
    return FALSE;
}

/* Reads the character if it comes next. */
static gboolean accept(Parser *parser, char wanted)
{
    parser->at += strspn(parser->at, " \t");
    if (*parser->at != wanted)
        return FALSE;
    parser->at++;
    return TRUE;
}

/* Adds a step that combines two operands, by Paraver's name of the function. */
static void add_combine(Parser *parser, const char *name)
{
    Step step = {.kind = COMBINE, .combine = tnd_semantic_deriveds};
    while (strcmp(step.combine->name.name, name) != 0)
        step.combine++;
    g_array_append_val(parser->formula->steps, step);
}

static void add_change(Parser *parser, Change change)
{
    const Step step = {.kind = CHANGE, .change = change};
    g_array_append_val(parser->formula->steps, step);
}

static void add_view(Parser *parser, char *name)
{
    GPtrArray *names = parser->formula->names;
    Step step = {.kind = VIEW};
    while (step.view < names->len && strcmp(names->pdata[step.view], name) != 0)
        step.view++;
    if (step.view == names->len)
        g_ptr_array_add(names, name);
    else
        g_free(name);
    g_array_append_val(parser->formula->steps, step);
}

static gboolean parse_number(Parser *parser)
{
    char *end;
    const Step step = {.kind = NUMBER, .number = g_ascii_strtod(parser->at, &end)};
    if (end == parser->at || !isfinite(step.number))
        return refuse(parser, parser->at, "not a number");
    parser->at = end;
    g_array_append_val(parser->formula->steps, step);
    return TRUE;
}

static gboolean parse_quoted(Parser *parser)
{
    const char *end = strchr(parser->at, '"');
    if (!end || end == parser->at)
        return refuse(parser, parser->at, end ? "a name is missing between the quotes" : "the quote has no end");
    add_view(parser, g_strndup(parser->at, (gsize)(end - parser->at)));
    parser->at = end + 1;
    return TRUE;
}

static gboolean parse_call(Parser *parser, const char *name, gsize length)
{
    guint i = 0;
    while (i < G_N_ELEMENTS(functions) &&
           (strncmp(functions[i].name, name, length) != 0 || functions[i].name[length] != '\0'))
        i++;
    if (i == G_N_ELEMENTS(functions)) {
        GString *text = g_string_new("there is no such function, but");
        for (i = 0; i < G_N_ELEMENTS(functions); i++)
            g_string_append_printf(text, "%s %s", i ? "," : "", functions[i].name);
        refuse(parser, name, text->str);
        g_string_free(text, TRUE);
        return FALSE;
    }
    if (!parse_sum(parser))
        return FALSE;
    if (functions[i].combine && !accept(parser, ','))
        return refuse(parser, parser->at, "a comma and a second argument are missing");
    if (functions[i].combine && !parse_sum(parser))
        return FALSE;
    if (!accept(parser, ')'))
        return refuse(parser, parser->at, "a ) is missing");
    if (functions[i].combine)
        add_combine(parser, functions[i].combine);
    else
        add_change(parser, functions[i].change);
    return TRUE;
}

static gboolean parse_name(Parser *parser)
{
    const char *name = parser->at;
    gsize length = strspn(name, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_.:-");
    parser->at += length;
    if (accept(parser, '('))
        return parse_call(parser, name, length);
    add_view(parser, g_strndup(name, length));
    return TRUE;
}

static gboolean parse_value(Parser *parser)
{
    if (parser->depth == MAX_DEPTH)
        return refuse(parser, parser->at, "too many parentheses within each other");
    parser->depth++;
    gboolean good;
    if (accept(parser, '-')) {
        good = parse_value(parser);
        add_change(parser, negate);
    } else if (accept(parser, '(')) {
        good = parse_sum(parser) && (accept(parser, ')') || refuse(parser, parser->at, "a ) is missing"));
    } else if (accept(parser, '"')) {
        good = parse_quoted(parser);
    } else if (g_ascii_isalpha(*parser->at)) {
        good = parse_name(parser);
    } else if (g_ascii_isdigit(*parser->at) || *parser->at == '.') {
        good = parse_number(parser);
    } else {
        good = refuse(parser, parser->at, "a view or a number is missing");
    }
    parser->depth--;
    return good;
}

static gboolean parse_product(Parser *parser)
{
    if (!parse_value(parser))
        return FALSE;
    for (;;) {
        const char *combine = accept(parser, '*') ? "product" : accept(parser, '/') ? "divide" : NULL;
        if (!combine)
            return TRUE;
        if (!parse_value(parser))
            return FALSE;
        add_combine(parser, combine);
    }
}

static gboolean parse_sum(Parser *parser)
{
    if (!parse_product(parser))
        return FALSE;
    for (;;) {
        const char *combine = accept(parser, '+') ? "add" : accept(parser, '-') ? "substract" : NULL;
        if (!combine)
            return TRUE;
        if (!parse_product(parser))
            return FALSE;
        add_combine(parser, combine);
    }
}

TndViewFormula *tnd_view_formula_parse(const char *text, GError **error)
{
    TndViewFormula *formula = g_new(TndViewFormula, 1);
    formula->steps = g_array_new(FALSE, FALSE, sizeof(Step));
    formula->names = g_ptr_array_new_with_free_func(g_free);
    Parser parser = {.text = text, .at = text, .formula = formula, .error = error};
    gboolean good = parse_sum(&parser);
    if (good && !accept(&parser, '\0'))
        good = refuse(&parser, parser.at, "an operator is missing");
    if (good && formula->names->len == 0)
        good = refuse(&parser, text, "no view is in it");
    g_ptr_array_add(formula->names, NULL);
    if (good)
        return formula;
    tnd_view_formula_free(formula);
    return NULL;
}

void tnd_view_formula_free(TndViewFormula *formula)
{
    if (!formula)
        return;
    g_array_unref(formula->steps);
    g_ptr_array_unref(formula->names);
    g_free(formula);
}

const char *const *tnd_view_formula_names(const TndViewFormula *formula)
{
    return (const char *const *)formula->names->pdata;
}

/* Keeps the bursts that have a length; values that are not finite become 0. */
static void keep_lasting(const TndBurst *bursts, gsize n, gpointer operand)
{
    for (gsize i = 0; i < n; i++) {
        TndBurst burst = bursts[i];
        burst.value = isfinite(burst.value) ? burst.value : 0;
        if (burst.end_ns > burst.begin_ns)
            g_array_append_val(operand, burst);
    }
}

static GArray *new_operand(void)
{
    return g_array_new(FALSE, FALSE, sizeof(TndBurst));
}

static GArray *combine_operands(const TndSemanticDerived *function, GArray *const operands[2], guint64 end_ns)
{
    static const double factors[2] = {1, 1};
    GArray *result = new_operand();
    TndBurstWalk walks[2];
    TndBurstStream stream;
    for (guint i = 0; i < 2; i++)
        walks[i] = tnd_burst_walk_start_array(BURST(operands[i], 0), operands[i]->len);
    tnd_burst_stream_start(&stream, end_ns, keep_lasting, result);
    tnd_semantic_derived_evaluate(function, walks, factors, end_ns, &stream);
    tnd_burst_stream_finish(&stream);
    return result;
}

/* The bursts of a view for a thread: those of the row that the thread belongs to. */
static GArray *bursts_of(TndView *view, guint row)
{
    GArray *operand = new_operand();
    row = tnd_levels_row_above(tnd_view_trace(view), TND_LEVEL_THREAD, row, tnd_view_level(view));
    tnd_view_each_burst(view, row, tnd_burst_stream_keep, operand);
    return operand;
}

static GArray *everywhere(double value, guint64 end_ns)
{
    GArray *operand = new_operand();
    if (end_ns > 0)
        g_array_append_vals(operand, &(TndBurst){0, end_ns, value}, 1);
    return operand;
}

void tnd_view_formula_evaluate(const TndViewFormula *formula, TndView *const *operands, guint row, guint64 end_ns,
                               TndBurstStream *stream)
{
    GArray **stack = g_new(GArray *, formula->steps->len);
    guint n = 0;
    for (guint i = 0; i < formula->steps->len; i++) {
        const Step *step = &g_array_index(formula->steps, Step, i);
        if (step->kind == NUMBER) {
            stack[n++] = everywhere(step->number, end_ns);
        } else if (step->kind == VIEW) {
            stack[n++] = bursts_of(operands[step->view], row);
        } else if (step->kind == CHANGE) {
            step->change(stack[n - 1]);
        } else {
            GArray *result = combine_operands(step->combine, &stack[n - 2], end_ns);
            g_array_unref(stack[--n]);
            g_array_unref(stack[n - 1]);
            stack[n - 1] = result;
        }
    }
    for (guint i = 0; i < stack[0]->len; i++)
        tnd_burst_stream_append(stream, *BURST(stack[0], i));
    g_array_unref(stack[0]);
    g_free(stack);
}
