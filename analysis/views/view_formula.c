/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A formula is kept as its steps in the order in which they are done, operands first; evaluation is a stack of lists of
 * bursts.  The parser goes down from sums to products to what is one value.
 */
#include "analysis/views/view_formula.h"

#include "analysis/views/views.h"

#include <gio/gio.h>
#include <math.h>
#include <string.h>

/* Parentheses within each other; a formula that needs more is none. */
#define MAX_DEPTH 64

typedef struct {
    TndBurst *bursts;
    gsize n;
} Operand;

typedef double (*Combine)(double a, double b);
typedef void (*Change)(Operand *operand);

typedef struct {
    enum { NUMBER, VIEW, COMBINE, CHANGE } kind;
    double number;
    guint view; /* place among the names */
    Combine combine;
    Change change;
} Step;

struct TndViewFormula {
    GArray *steps;
    GPtrArray *names;
};

static double sum(double a, double b)
{
    return a + b;
}

static double difference(double a, double b)
{
    return a - b;
}

static double product(double a, double b)
{
    return a * b;
}

static double ratio(double a, double b)
{
    return b != 0.0 ? a / b : 0.0;
}

static double smaller(double a, double b)
{
    return MIN(a, b);
}

static double larger(double a, double b)
{
    return MAX(a, b);
}

static double length_ns(const TndBurst *burst)
{
    return (double)(burst->end_ns - burst->begin_ns);
}

static void negate(Operand *operand)
{
    for (gsize i = 0; i < operand->n; i++)
        operand->bursts[i].value = -operand->bursts[i].value;
}

static void take_duration(Operand *operand)
{
    for (gsize i = 0; i < operand->n; i++)
        operand->bursts[i].value = length_ns(&operand->bursts[i]);
}

static void divide_by_duration(Operand *operand)
{
    for (gsize i = 0; i < operand->n; i++)
        operand->bursts[i].value *= ratio(1e9, length_ns(&operand->bursts[i]));
}

/* What the value becomes at the end of each burst, less what it is; the last one's end is not known. */
static void take_change(Operand *operand)
{
    double next = operand->n ? operand->bursts[operand->n - 1].value : 0.0;
    for (gsize i = operand->n; i-- > 0;) {
        TndBurst *burst = &operand->bursts[i];
        double own = burst->value;
        burst->value = next - own;
        if (burst->end_ns > burst->begin_ns)
            next = own;
    }
}

static void take_change_per_second(Operand *operand)
{
    take_change(operand);
    divide_by_duration(operand);
}

static const struct {
    const char *name;
    Change change;   /* of one argument */
    Combine combine; /* of two */
} functions[] = {
    {"per-second", divide_by_duration, NULL},
    {"change", take_change, NULL},
    {"change-per-second", take_change_per_second, NULL},
    {"duration", take_duration, NULL},
    {"minimum", NULL, smaller},
    {"maximum", NULL, larger},
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

/* Whether this character comes next; it is then read. */
static gboolean accept(Parser *parser, char wanted)
{
    parser->at += strspn(parser->at, " \t");
    if (*parser->at != wanted)
        return FALSE;
    parser->at++;
    return TRUE;
}

static void add_combine(Parser *parser, Combine combine)
{
    const Step step = {.kind = COMBINE, .combine = combine};
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
        Combine combine = accept(parser, '*') ? product : accept(parser, '/') ? ratio : NULL;
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
        Combine combine = accept(parser, '+') ? sum : accept(parser, '-') ? difference : NULL;
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

/* Both cover the same time.  Stretches of no length are left out. */
static Operand combine_operands(Combine combine, const Operand *a, const Operand *b)
{
    Operand result = {.bursts = g_new(TndBurst, a->n + b->n + 1)};
    for (gsize i = 0, j = 0; i < a->n && j < b->n;) {
        guint64 begin_ns = MAX(a->bursts[i].begin_ns, b->bursts[j].begin_ns);
        guint64 end_ns = MIN(a->bursts[i].end_ns, b->bursts[j].end_ns);
        double value = combine(a->bursts[i].value, b->bursts[j].value);
        if (end_ns > begin_ns)
            result.bursts[result.n++] = (TndBurst){begin_ns, end_ns, isfinite(value) ? value : 0.0};
        gboolean a_ends = a->bursts[i].end_ns == end_ns, b_ends = b->bursts[j].end_ns == end_ns;
        i += a_ends;
        j += b_ends;
    }
    return result;
}

static Operand bursts_of(TndView *view, guint row)
{
    GArray *bursts = g_array_new(FALSE, FALSE, sizeof(TndBurst));
    tnd_view_each_burst(view, row, tnd_burst_stream_keep, bursts);
    Operand operand = {.n = bursts->len};
    operand.bursts = (TndBurst *)(void *)g_array_free(bursts, FALSE);
    return operand;
}

static Operand everywhere(double value, guint64 end_ns)
{
    Operand operand = {.bursts = g_new(TndBurst, 1), .n = end_ns > 0};
    operand.bursts[0] = (TndBurst){0, end_ns, value};
    return operand;
}

TndBurst *tnd_view_formula_evaluate(const TndViewFormula *formula, TndView *const *operands, guint row, guint64 end_ns,
                                    gsize *n_bursts)
{
    Operand *stack = g_new(Operand, formula->steps->len);
    guint n = 0;
    for (guint i = 0; i < formula->steps->len; i++) {
        const Step *step = &g_array_index(formula->steps, Step, i);
        if (step->kind == NUMBER) {
            stack[n++] = everywhere(step->number, end_ns);
        } else if (step->kind == VIEW) {
            stack[n++] = bursts_of(operands[step->view], row);
        } else if (step->kind == CHANGE) {
            step->change(&stack[n - 1]);
        } else {
            Operand a = stack[n - 2], b = stack[n - 1];
            stack[--n - 1] = combine_operands(step->combine, &a, &b);
            g_free(a.bursts);
            g_free(b.bursts);
        }
    }
    TndBurst *bursts = stack[0].bursts;
    *n_bursts = stack[0].n;
    g_free(stack);
    return bursts;
}
