/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading declarations: words, then specifiers, then declarators.
 */
#include "cli/prototype.h"

#include <gio/gio.h>
#include <string.h>

typedef struct {
    char **words; /* what is left of the declaration */
    GHashTable *types;
    gboolean has_type; /* the words began with a type that is known */
} Reader;

static const struct {
    const char *name;
    TndCKind kind;
    guint8 size;
    gboolean is_signed;
} known[] = {
    {"size_t", TND_C_INTEGER, 8, FALSE},   {"ssize_t", TND_C_INTEGER, 8, TRUE},
    {"off_t", TND_C_INTEGER, 8, TRUE},     {"off64_t", TND_C_INTEGER, 8, TRUE},
    {"ptrdiff_t", TND_C_INTEGER, 8, TRUE}, {"int8_t", TND_C_INTEGER, 1, TRUE},
    {"int16_t", TND_C_INTEGER, 2, TRUE},   {"int32_t", TND_C_INTEGER, 4, TRUE},
    {"int64_t", TND_C_INTEGER, 8, TRUE},   {"uint8_t", TND_C_INTEGER, 1, FALSE},
    {"uint16_t", TND_C_INTEGER, 2, FALSE}, {"uint32_t", TND_C_INTEGER, 4, FALSE},
    {"uint64_t", TND_C_INTEGER, 8, FALSE}, {"uintptr_t", TND_C_INTEGER, 8, FALSE},
    {"intptr_t", TND_C_INTEGER, 8, TRUE},  {"mode_t", TND_C_INTEGER, 4, FALSE},
    {"pid_t", TND_C_INTEGER, 4, TRUE},
};

static gboolean is_letter(char c)
{
    return g_ascii_isalnum(c) || c == '_';
}

static char **split(const char *text)
{
    GPtrArray *words = g_ptr_array_new();
    for (int depth = 0; *text && (depth || *text != ';');) {
        depth += (*text == '{') - (*text == '}');
        gsize n = strncmp(text, "...", 3) == 0 ? 3 : 1;
        while (is_letter(*text) && is_letter(text[n]))
            n++;
        if (!g_ascii_isspace(*text))
            g_ptr_array_add(words, g_strndup(text, n));
        text += n;
    }
    g_ptr_array_add(words, NULL);
    return (char **)g_ptr_array_free(words, FALSE);
}

static gboolean is(const Reader *reader, const char *word)
{
    return *reader->words && strcmp(*reader->words, word) == 0;
}

static gboolean take(Reader *reader, const char *word)
{
    gboolean is_it = is(reader, word);
    reader->words += is_it;
    return is_it;
}

/* Passes over what is in brackets; the reader is at the opening one. */
static void skip_brackets(Reader *reader)
{
    for (int depth = 0; *reader->words;) {
        depth += strchr("([{", **reader->words) != NULL;
        depth -= strchr(")]}", **reader->words++) != NULL;
        if (depth <= 0)
            break;
    }
}

static gboolean take_qualifier(Reader *reader, gboolean *is_const)
{
    static const char *const meaningless[] = {"extern",        "static",    "inline",   "__inline",   "__inline__",
                                              "volatile",      "restrict",  "const",    "__restrict", "__restrict__",
                                              "__extension__", "_Noreturn", "register", NULL};
    if (is(reader, "__attribute__") || is(reader, "__asm__")) {
        reader->words++;
        if (is(reader, "("))
            skip_brackets(reader);
        return TRUE;
    }
    if (!*reader->words || !g_strv_contains(meaningless, *reader->words))
        return FALSE;
    *is_const |= is(reader, "const");
    reader->words++;
    return TRUE;
}

/* The type of the words that C itself has. */
static TndCType basic(guint n_long, gboolean is_unsigned, gboolean is_signed, const char *word)
{
    TndCType type = {.kind = TND_C_INTEGER, .size = n_long ? 8 : 4, .is_signed = !is_unsigned};
    if (strcmp(word, "void") == 0)
        type.kind = TND_C_VOID;
    else if (strcmp(word, "double") == 0 || strcmp(word, "float") == 0)
        type = (TndCType){.kind = n_long ? TND_C_OTHER : TND_C_FLOAT, .size = *word == 'd' ? 8 : 4};
    else if (strcmp(word, "char") == 0)
        type.size = 1;
    else if (strcmp(word, "_Bool") == 0)
        type = (TndCType){.kind = TND_C_INTEGER, .size = 1};
    else if (strcmp(word, "short") == 0)
        type.size = 2;
    return type;
}

static TndCType read_tagged(Reader *reader)
{
    TndCType type = {.kind = take(reader, "enum") ? TND_C_INTEGER : TND_C_OTHER, .size = 4};
    if (type.kind == TND_C_OTHER)
        reader->words++;
    if (*reader->words && is_letter(**reader->words))
        reader->words++;
    if (is(reader, "{"))
        skip_brackets(reader);
    reader->has_type = TRUE;
    return type;
}

/* The words before the declarator. */
static TndCType read_specifiers(Reader *reader, gboolean *is_const)
{
    static const char *const basics[] = {"void", "char", "short", "int", "float", "double", "_Bool", NULL};
    const char *word = "";
    guint n_long = 0;
    gboolean is_unsigned = FALSE, is_signed = FALSE;
    TndCType type = {.kind = TND_C_OTHER};
    reader->has_type = *is_const = FALSE;
    for (; *reader->words; reader->has_type = TRUE) {
        while (take_qualifier(reader, is_const))
            ;
        if (is(reader, "struct") || is(reader, "union") || is(reader, "enum"))
            return read_tagged(reader);
        const TndCType *named = *reader->words ? g_hash_table_lookup(reader->types, *reader->words) : NULL;
        if (!reader->has_type && named) {
            type = *named;
            reader->words++;
            while (take_qualifier(reader, is_const))
                ;
            reader->has_type = TRUE;
            return type;
        }
        if (take(reader, "long"))
            n_long++;
        else if (take(reader, "unsigned"))
            is_unsigned = TRUE;
        else if (take(reader, "signed"))
            is_signed = TRUE;
        else if (*reader->words && g_strv_contains(basics, *reader->words))
            word = strcmp(*reader->words, "int") != 0 || !*word ? *reader->words++ : (reader->words++, word);
        else if (!reader->has_type && *reader->words && is_letter(**reader->words)) {
            reader->words++; /* a name that was not defined */
            reader->has_type = TRUE;
            while (take_qualifier(reader, is_const))
                ;
            return type;
        } else
            break;
    }
    return basic(n_long, is_unsigned, is_signed, word);
}

static void point(TndCType *type, gboolean is_const)
{
    *type = (TndCType){.kind = TND_C_POINTER,
                       .size = 8,
                       .to = type->kind,
                       .to_size = type->size,
                       .to_signed = type->is_signed,
                       .to_const = is_const};
}

/* The part of a declaration that has the name, which may be missing. */
static char *read_declarator(Reader *reader, TndCType *type, gboolean is_const)
{
    char *name = NULL;
    while (take(reader, "*")) {
        point(type, is_const);
        is_const = FALSE;
        while (take_qualifier(reader, &is_const))
            ;
    }
    if (is(reader, "(") && reader->words[1] && strcmp(reader->words[1], "*") == 0) { /* a pointer to a function */
        if (reader->words[2] && is_letter(*reader->words[2]))
            name = g_strdup(reader->words[2]);
        skip_brackets(reader);
        *type = (TndCType){.kind = TND_C_POINTER, .size = 8, .to = TND_C_OTHER};
        if (is(reader, "("))
            skip_brackets(reader);
        return name ? name : g_strdup("");
    }
    if (*reader->words && is_letter(**reader->words))
        name = g_strdup(*reader->words++);
    for (gboolean is_first = TRUE; is(reader, "["); is_first = FALSE) {
        skip_brackets(reader);
        if (is_first)
            point(type, is_const);
    }
    return name ? name : g_strdup("");
}

static void clear_parameter(void *parameter)
{
    g_free(((TndParameter *)parameter)->name);
}

TndPrototype *tnd_prototype_new(const char *name)
{
    TndPrototype *prototype = g_new(TndPrototype, 1);
    *prototype = (TndPrototype){g_strdup(name), {.kind = TND_C_VOID}, g_array_new(FALSE, FALSE, sizeof(TndParameter))};
    g_array_set_clear_func(prototype->parameters, clear_parameter);
    return prototype;
}

void tnd_prototype_free(TndPrototype *prototype)
{
    if (!prototype)
        return;
    g_free(prototype->name);
    g_array_unref(prototype->parameters);
    g_free(prototype);
}

static void read_parameters(Reader *reader, GArray *parameters)
{
    while (*reader->words && !is(reader, ")")) {
        TndParameter parameter;
        gboolean is_const;
        if (take(reader, "...") || take(reader, ","))
            continue;
        parameter.type = read_specifiers(reader, &is_const);
        parameter.name = read_declarator(reader, &parameter.type, is_const);
        if (parameter.type.kind == TND_C_VOID)
            clear_parameter(&parameter);
        else
            g_array_append_val(parameters, parameter);
        if (*reader->words && !is(reader, ",") && !is(reader, ")"))
            reader->words++;
    }
}

TndPrototype *tnd_prototype_read(const char *text, GHashTable *types, GError **error)
{
    char **words = split(text);
    Reader reader = {words, types, FALSE};
    gboolean is_const, is_typedef = take(&reader, "typedef");
    TndPrototype *prototype = NULL;
    TndCType type = read_specifiers(&reader, &is_const);
    char *name = read_declarator(&reader, &type, is_const);
    if (is_typedef && *name) {
        g_hash_table_replace(types, g_strdup(name), g_memdup2(&type, sizeof type));
    } else if (!is_typedef && *name && take(&reader, "(")) {
        prototype = tnd_prototype_new(name);
        prototype->result = type;
        read_parameters(&reader, prototype->parameters);
    } else {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "\"%s\" declares no function and no type", text);
    }
    g_free(name);
    g_strfreev(words);
    return prototype;
}

GHashTable *tnd_prototype_types(void)
{
    GHashTable *types = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    for (gsize i = 0; i < G_N_ELEMENTS(known); i++) {
        TndCType type = {.kind = known[i].kind, .size = known[i].size, .is_signed = known[i].is_signed};
        g_hash_table_replace(types, g_strdup(known[i].name), g_memdup2(&type, sizeof type));
    }
    return types;
}
