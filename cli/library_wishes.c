/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Wishes, and the calling conventions of x86-64 and AArch64: the first six, or eight, integers and pointers are in
 * registers, the first eight floating-point numbers in others, the rest in words on the stack.
 */
#include "cli/library_wishes.h"

#include "cli/launch.h"
#include "cli/library_description.h"
#include "cli/library_dwarf.h"
#include "cli/library_files.h"
#include "formats/event_types.h"
#include "run/library_name.h"

#include <fnmatch.h>
#include <gio/gio.h>
#include <string.h>

/* Registers of arguments.  Where structures are is known by the rules of x86-64 (cli/dwarf_type.h) only. */
#if defined(__aarch64__)
enum { N_INTEGER = 8, PLACES_STRUCTURES = 0 };
#else
enum { N_INTEGER = 6, PLACES_STRUCTURES = 1 };
#endif
enum { N_VECTOR = 8, MOST_LATE = 2 /* pointers that are followed when a call returns */ };

/* A wish: a pattern of functions, and names of parameters or "return". */
typedef struct {
    char *pattern;
    char **values;
    gboolean is_fulfilled;
} Wish;

typedef struct {
    GString *text;
    guint n_values, n_results; /* event types that are in use */
    gboolean is_full;
    gboolean has_values; /* it is of values, too */
    GHashTable *planned; /* names of functions */
    GHashTable *chosen;  /* names of libraries in `defaults` */
    GString *searched;   /* paths of descriptions */
    GString *defaults;   /* functions that are recorded by default */
} Plan;

G_GNUC_PRINTF(2, 3)
static gboolean refuse(GError **error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *what = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_set_error_literal(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, what);
    g_free(what);
    return FALSE;
}

static void free_wish(void *data)
{
    Wish *wish = data;
    g_free(wish->pattern);
    g_strfreev(wish->values);
    g_free(wish);
}

/* Adds FUNCTION(NAME,NAME)->return. */
static gboolean add_wish(GPtrArray *wishes, const char *text, GError **error)
{
    static GRegex *form;
    GMatchInfo *match;
    if (!form)
        form = g_regex_new("^([^()>,\\s]+?)(?:\\(([\\w\\s,]*)\\))?(->return)?$", 0, 0, NULL);
    gboolean is_good = g_regex_match(form, text, 0, &match);
    if (is_good) {
        Wish *wish = g_new0(Wish, 1);
        char *names = g_match_info_fetch(match, 2), *result = g_match_info_fetch(match, 3);
        char *list = g_strconcat(names ? names : "", result && *result ? ",return" : "", NULL);
        wish->pattern = g_match_info_fetch(match, 1);
        wish->values = g_strsplit_set(list, ", ", -1);
        g_ptr_array_add(wishes, wish);
        is_good = *names || (result && *result);
        g_free(list);
        g_free(names);
        g_free(result);
    }
    g_match_info_free(match);
    return is_good || refuse(error, "\"%s\" is not like FUNCTION(ARGUMENT,ARGUMENT), FUNCTION->return, or both", text);
}

/* Splits at blanks and commas outside of parentheses. */
static GPtrArray *read_wishes(const char *text, GError **error)
{
    GPtrArray *wishes = g_ptr_array_new_with_free_func(free_wish);
    gboolean is_good = TRUE;
    while (is_good && *text) {
        gsize n = 0;
        for (int depth = 0; text[n] && (depth || !strchr(", \t\n", text[n])); n++)
            depth += (text[n] == '(') - (text[n] == ')');
        char *word = g_strndup(text, n);
        is_good = !*word || add_wish(wishes, word, error);
        g_free(word);
        text += n + (text[n] != 0);
    }
    if (is_good)
        return wishes;
    g_ptr_array_unref(wishes);
    return NULL;
}

/* What arguments have taken. */
typedef struct {
    guint n_integer, n_vector, n_stack;
} Taken;

static void take_structure(Taken *taken, const TndCType *type)
{
    guint n_vector = (type->words[0] == 'x') + (type->words[1] == 'x');
    guint n_integer = type->is_by_reference + (type->words[0] == 'i') + (type->words[1] == 'i');
    gboolean fits = taken->n_integer + n_integer <= N_INTEGER && taken->n_vector + n_vector <= N_VECTOR;
    if (fits && n_integer + n_vector) {
        taken->n_integer += n_integer;
        taken->n_vector += n_vector;
    } else {
        taken->n_stack += type->is_by_reference ? 1 : type->n_words;
    }
}

/* Writes where a parameter is; FALSE: that is not known, because of one before it. */
static gboolean find_place(const TndPrototype *prototype, guint number, char *place, gsize size)
{
    const TndCType *result = &prototype->result;
    Taken taken = {.n_integer = PLACES_STRUCTURES && result->kind == TND_C_STRUCTURE &&
                                !result->words[0]}; /* the caller says where it goes */
    if (result->kind == TND_C_OTHER)
        return FALSE;
    for (guint i = 0; i <= number; i++) {
        const TndCType *type = &g_array_index(prototype->parameters, TndParameter, i).type;
        gboolean is_float = type->kind == TND_C_FLOAT;
        guint *n = is_float ? &taken.n_vector : &taken.n_integer, most = is_float ? N_VECTOR : N_INTEGER;
        if (type->kind == TND_C_OTHER || (type->kind == TND_C_STRUCTURE && !PLACES_STRUCTURES))
            return FALSE;
        if (type->kind == TND_C_STRUCTURE)
            take_structure(&taken, type);
        else if (*n < most)
            g_snprintf(place, size, "%c%u", is_float ? 'x' : 'i', (*n)++);
        else
            g_snprintf(place, size, "s%u", taken.n_stack++);
    }
    return TRUE;
}

static char letter_of(TndCKind kind, gboolean is_signed)
{
    return kind == TND_C_FLOAT ? 'f' : kind == TND_C_INTEGER && is_signed ? 'i' : 'u';
}

static gboolean add_entry(Plan *plan, const char *symbol, const char *label, gboolean is_late, const char *place,
                          GError **error)
{
    guint32 type = is_late ? TND_TYPE_LIBRARY_RESULT + plan->n_results++ : TND_TYPE_LIBRARY_VALUE + plan->n_values++;
    g_string_append_printf(plan->text, "%u %s %s %s;", type, symbol, label, place);
    plan->is_full = type > (is_late ? TND_TYPE_LIBRARY_RESULT_LAST : TND_TYPE_LIBRARY_VALUE_LAST) ||
                    plan->text->len > TND_LAUNCH_MOST_BYTES;
    return !plan->is_full || refuse(error, "these are too many values: choose fewer functions");
}

static gboolean add_result(Plan *plan, const TndPrototype *prototype, GError **error)
{
    const TndCType *type = &prototype->result;
    char place[16];
    if (type->kind == TND_C_VOID || type->kind == TND_C_STRUCTURE || type->kind == TND_C_OTHER)
        return refuse(error, "%s returns %s", prototype->name,
                      type->kind == TND_C_VOID ? "nothing" : "what is no number: it cannot be recorded");
    g_snprintf(place, sizeof place, "%c%c%u", type->kind == TND_C_FLOAT ? 'y' : 'r',
               letter_of(type->kind, type->is_signed), type->size);
    return add_entry(plan, prototype->name, "return", TRUE, place, error);
}

/* A pointer to a number stands for it: what it was when the function was called, if that may not change it, else what
 * it is when it returns.  Other pointers stand for themselves. */
static gboolean add_parameter(Plan *plan, const TndPrototype *prototype, guint number, guint *n_late, GError **error)
{
    const TndParameter *parameter = &g_array_index(prototype->parameters, TndParameter, number);
    const TndCType *type = &parameter->type;
    char place[32], whole[64];
    if (type->kind == TND_C_STRUCTURE)
        return refuse(error, "%s(%s) is a structure, which cannot be recorded", prototype->name, parameter->name);
    if (!find_place(prototype, number, place, sizeof place))
        return refuse(
            error,
            "%s(%s) cannot be recorded: it, the result, or an argument before it is of a type whose place in a "
            "call is not known (a long double, or a structure in a description)",
            prototype->name, parameter->name);
    gboolean is_pointed_to =
        type->kind == TND_C_POINTER && (type->to == TND_C_FLOAT || (type->to == TND_C_INTEGER && type->to_size > 1));
    gboolean is_late = is_pointed_to && !type->to_const;
    if (is_late && ++*n_late > MOST_LATE)
        return refuse(error, "%s(%s) cannot be recorded: of a call at most %d numbers that it changes are",
                      prototype->name, parameter->name, MOST_LATE);
    if (is_pointed_to)
        g_snprintf(whole, sizeof whole, "%s%c%c%u", place, is_late ? '&' : '*', letter_of(type->to, type->to_signed),
                   type->to_size);
    else
        g_snprintf(whole, sizeof whole, "%s%c%u", place, letter_of(type->kind, type->is_signed), type->size);
    return add_entry(plan, prototype->name, parameter->name, is_late, whole, error);
}

static gboolean add_value(Plan *plan, const TndPrototype *prototype, const char *name, guint *n_late, GError **error)
{
    if (strcmp(name, "return") == 0)
        return add_result(plan, prototype, error);
    GString *names = g_string_new(NULL);
    for (guint i = 0; i < prototype->parameters->len; i++) {
        const TndParameter *parameter = &g_array_index(prototype->parameters, TndParameter, i);
        if (strcmp(parameter->name, name) == 0) {
            g_string_free(names, TRUE);
            return add_parameter(plan, prototype, i, n_late, error);
        }
        g_string_append_printf(names, "%s%s", names->len ? ", " : "", parameter->name);
    }
    refuse(error, "%s has no argument %s; it has: %s", prototype->name, name, names->len ? names->str : "none");
    g_string_free(names, TRUE);
    return FALSE;
}

static gboolean add_values(Plan *plan, const TndPrototype *prototype, char **values, gboolean is_any, GError **error)
{
    guint n_late = 0;
    gboolean is_good = TRUE;
    for (guint i = 0; values[i] && is_good; i++) {
        GError *fault = NULL;
        if (!*values[i] || add_value(plan, prototype, values[i], &n_late, &fault))
            continue;
        is_good = is_any && !plan->is_full; /* a pattern means those functions that have such values */
        if (is_good)
            g_clear_error(&fault);
        else
            g_propagate_error(error, fault);
    }
    return is_good;
}

static gboolean is_meant(const Wish *wish, const char *symbol)
{
    char plain[512];
    return fnmatch(wish->pattern, symbol, 0) == 0 ||
           (tnd_library_name_plain(symbol, plain, sizeof plain) && fnmatch(wish->pattern, plain, 0) == 0);
}

/* values: those that are recorded without wishes; NULL: none. */
static gboolean add_function(Plan *plan, const TndPrototype *prototype, char **values, const GPtrArray *wishes,
                             GError **error)
{
    if (!g_hash_table_add(plan->planned, g_strdup(prototype->name)))
        return TRUE;
    if (!wishes->len)
        return !values || add_values(plan, prototype, values, FALSE, error);
    gboolean is_good = TRUE;
    for (guint i = 0; i < wishes->len && is_good; i++) {
        Wish *wish = wishes->pdata[i];
        if (!is_meant(wish, prototype->name))
            continue;
        wish->is_fulfilled = TRUE;
        is_good = add_values(plan, prototype, wish->values, strpbrk(wish->pattern, "*?[") != NULL, error);
    }
    return is_good;
}

/* Adds the functions that a description chooses, and those whose values are wished for by name; if another one was
 * before it, nothing. */
static void add_defaults(Plan *plan, const TndDescription *description, const GPtrArray *wishes)
{
    for (guint i = 0; description->defaults && description->libraries[i]; i++) {
        if (!g_hash_table_add(plan->chosen, g_strdup(description->libraries[i])))
            continue;
        char *functions = g_strjoinv(",", description->defaults);
        g_string_append_printf(plan->defaults, "%s=%s", description->libraries[i], functions);
        for (guint k = 0; k < wishes->len; k++) {
            const Wish *wish = wishes->pdata[k];
            if (strcmp(wish->pattern, "*") != 0)
                g_string_append_printf(plan->defaults, ",%s", wish->pattern);
        }
        g_string_append_c(plan->defaults, ';');
        g_free(functions);
    }
}

static gboolean add_description(Plan *plan, const char *path, char **libraries, const GPtrArray *wishes, GError **error)
{
    TndDescription *description = tnd_library_description_read(path, error);
    gboolean is_of = FALSE, is_good = description != NULL;
    for (guint i = 0; is_good && libraries[i] && !is_of; i++)
        is_of = *libraries[i] && tnd_library_description_is_of(description, libraries[i]);
    if (is_of)
        add_defaults(plan, description, wishes);
    if (is_of)
        g_string_append_printf(plan->searched, "%s%s", plan->searched->len ? ", " : "", path);
    for (guint i = 0; is_good && is_of && plan->has_values && i < description->functions->len; i++) {
        const TndDescribedFunction *function = description->functions->pdata[i];
        is_good = add_function(plan, function->prototype, function->values, wishes, error);
        if (!is_good)
            g_prefix_error(error, "%s: ", path);
    }
    if (description)
        tnd_library_description_free(description);
    return is_good;
}

/* Functions that no description has and a wish means. */
typedef struct {
    const Plan *plan;
    const GPtrArray *wishes;
} Wanted;

static gboolean is_wanted(const char *symbol, gpointer data)
{
    const Wanted *wanted = data;
    gboolean is = FALSE;
    for (guint i = 0; i < wanted->wishes->len && !is; i++)
        is = is_meant(wanted->wishes->pdata[i], symbol);
    return is && !g_hash_table_contains(wanted->plan->planned, symbol);
}

/* Adds what the debug information of a library says of functions that are wished for. */
static gboolean add_debugged(Plan *plan, const char *path, const GPtrArray *wishes, GError **error)
{
    Wanted wanted = {plan, wishes};
    GError *fault = NULL;
    GPtrArray *prototypes = tnd_library_dwarf_read(path, is_wanted, &wanted, &fault);
    gboolean is_good = TRUE;
    g_string_append_printf(plan->searched, "%s%s", plan->searched->len ? ", " : "", fault ? fault->message : path);
    for (guint i = 0; prototypes && i < prototypes->len && is_good; i++)
        is_good = add_function(plan, prototypes->pdata[i], NULL, wishes, error);
    if (!is_good)
        g_prefix_error(error, "%s: ", path);
    g_clear_error(&fault);
    g_clear_pointer(&prototypes, g_ptr_array_unref);
    return is_good;
}

/* For wishes that descriptions have not fulfilled, and for patterns, which may mean functions of all libraries. */
static gboolean add_libraries(Plan *plan, char **libraries, const char *program, const GPtrArray *wishes,
                              GError **error)
{
    gboolean is_needed = FALSE, is_good = TRUE;
    for (guint i = 0; i < wishes->len; i++) {
        const Wish *wish = wishes->pdata[i];
        is_needed |= !wish->is_fulfilled || strpbrk(wish->pattern, "*?[") != NULL;
    }
    for (guint i = 0; is_needed && libraries[i] && is_good; i++) {
        GPtrArray *paths = tnd_library_files_find(libraries[i], program);
        for (guint k = 0; k < paths->len && is_good; k++)
            is_good = add_debugged(plan, paths->pdata[k], wishes, error);
        g_ptr_array_unref(paths);
    }
    return is_good;
}

static gboolean check_wishes(const Plan *plan, const GPtrArray *wishes, GError **error)
{
    for (guint i = 0; i < wishes->len; i++) {
        const Wish *wish = wishes->pdata[i];
        if (!wish->is_fulfilled)
            return refuse(
                error,
                "what arguments %s has is said by no description of these libraries and by no debug information of "
                "theirs (%s%s); `tandem wrap` makes a description from headers",
                wish->pattern, plan->searched->len ? "searched: " : "there are none", plan->searched->str);
    }
    return TRUE;
}

char *tnd_library_wishes_plan(const char *libraries, const char *text, const char *program, char **defaults,
                              GError **error)
{
    gboolean is_none = !*libraries || strcmp(text, "none") == 0;
    GPtrArray *wishes = read_wishes(is_none ? "" : text, error);
    if (!wishes)
        return NULL;
    Plan plan = {.text = g_string_new(NULL),
                 .has_values = !is_none,
                 .planned = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
                 .chosen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
                 .searched = g_string_new(NULL),
                 .defaults = g_string_new(NULL)};
    GPtrArray *paths = tnd_library_description_paths();
    char **names = g_strsplit(libraries, ",", -1);
    gboolean is_good = TRUE;
    for (guint i = 0; *libraries && is_good && i < paths->len; i++)
        is_good = add_description(&plan, paths->pdata[i], names, wishes, error);
    is_good = is_good && add_libraries(&plan, names, program, wishes, error) && check_wishes(&plan, wishes, error);
    g_strfreev(names);
    g_ptr_array_unref(paths);
    g_ptr_array_unref(wishes);
    g_hash_table_unref(plan.planned);
    g_hash_table_unref(plan.chosen);
    g_string_free(plan.searched, TRUE);
    *defaults = g_string_free(plan.defaults, FALSE);
    return g_string_free(plan.text, !is_good);
}
