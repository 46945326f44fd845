/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `tandem wrap`: makes a description of a library from its headers, lists those that are installed, and compares them
 * with their library.
 */
#include "cli/cli.h"
#include "cli/library_description.h"
#include "cli/library_exports.h"
#include "cli/library_files.h"
#include "cli/wrap_count.h"
#include "cli/wrap_link.h"
#include "formats/output_file.h"

#include <errno.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>

static TndDescription *read_description(const char *path, int *status)
{
    GError *error = NULL;
    TndDescription *description = tnd_library_description_read(path, &error);
    if (!description) {
        tnd_cli_complain_error(&error);
        *status = TND_EXIT_INPUT;
    }
    return description;
}

static int list(void)
{
    GPtrArray *paths = tnd_library_description_paths();
    int status = TND_EXIT_FINE;
    for (guint i = 0; i < paths->len; i++) {
        TndDescription *description = read_description(paths->pdata[i], &status);
        if (!description)
            continue;
        char *names = g_strjoinv(" ", description->libraries);
        printf("%s: %s, %u functions of %s\n", description->path, tnd_library_description_whose(description->path),
               description->functions->len, names);
        g_free(names);
        tnd_library_description_free(description);
    }
    g_ptr_array_unref(paths);
    return status;
}

static GHashTable *read_exports(const char *name, char **path)
{
    GError *error = NULL;
    GPtrArray *paths = tnd_library_files_find(name, NULL);
    *path = paths->len ? g_strdup(paths->pdata[0]) : strchr(name, '/') ? g_strdup(name) : NULL;
    g_ptr_array_unref(paths);
    GHashTable *exports = *path ? tnd_library_exports_read(*path, &error) : NULL;
    if (!*path)
        tnd_cli_complain("wrap", "no library is called %s (see `ldconfig -p`); give its path", name);
    else if (!exports)
        tnd_cli_complain_error(&error);
    return exports;
}

static int compare_names(gconstpointer a, gconstpointer b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void print_names(GPtrArray *names, const char *what)
{
    g_ptr_array_sort(names, compare_names);
    printf("%u %s\n", names->len, what);
    for (guint i = 0; i < names->len; i++)
        printf("  %s\n", (const char *)names->pdata[i]);
}

/* Compares a description with the functions that its library exports. */
static void compare(const TndDescription *description, GHashTable *exports, const char *path)
{
    GHashTable *described = g_hash_table_new(g_str_hash, g_str_equal);
    GPtrArray *absent = g_ptr_array_new(), *unknown = g_ptr_array_new();
    for (guint i = 0; i < description->functions->len; i++) {
        char *name = ((TndDescribedFunction *)description->functions->pdata[i])->prototype->name;
        g_hash_table_add(described, name);
        if (!g_hash_table_contains(exports, name))
            g_ptr_array_add(absent, name);
    }
    GHashTableIter iter;
    gpointer name;
    for (g_hash_table_iter_init(&iter, exports); g_hash_table_iter_next(&iter, &name, NULL);)
        if (!g_hash_table_contains(described, name))
            g_ptr_array_add(unknown, name);
    printf("%s, %s: %u functions are described, %u of them exported\n", description->path, path,
           g_hash_table_size(described), g_hash_table_size(described) - absent->len);
    print_names(absent, "are described and not exported");
    print_names(unknown, "are exported and not described");
    g_ptr_array_unref(absent);
    g_ptr_array_unref(unknown);
    g_hash_table_unref(described);
}

static int check(const char *name)
{
    int status = TND_EXIT_FINE;
    char *path;
    GHashTable *exports = read_exports(name, &path);
    GPtrArray *paths = tnd_library_description_paths();
    gboolean is_any = FALSE;
    for (guint i = 0; exports && i < paths->len; i++) {
        TndDescription *description = read_description(paths->pdata[i], &status);
        gboolean is_meant = description && tnd_library_description_is_of(description, name);
        if (is_meant)
            compare(description, exports, path);
        is_any |= is_meant;
        if (description)
            tnd_library_description_free(description);
    }
    if (exports && !is_any)
        tnd_cli_complain("wrap", "there is no description of %s: `tandem wrap %s --header FILE.h` makes one", name,
                         name);
    g_ptr_array_unref(paths);
    g_clear_pointer(&exports, g_hash_table_unref);
    g_free(path);
    return is_any ? status : TND_EXIT_INPUT;
}

/* The text that the C compiler makes of the headers; NULL: complained. */
static char *preprocess(char **headers, char **directories)
{
    GPtrArray *words = g_ptr_array_new();
    char *text = NULL;
    int wait_status;
    GError *error = NULL;
    g_ptr_array_add(words, "cc");
    for (guint i = 0; directories && directories[i]; i++) {
        g_ptr_array_add(words, "-I");
        g_ptr_array_add(words, directories[i]);
    }
    for (guint i = 0; headers[i]; i++) {
        g_ptr_array_add(words, "-include");
        g_ptr_array_add(words, headers[i]);
    }
    for (const char *const *word = (const char *const[]){"-E", "-P", "-xc", "/dev/null", NULL}; *word; word++)
        g_ptr_array_add(words, (gpointer)*word);
    g_ptr_array_add(words, NULL);
    gboolean is_run =
        g_spawn_sync(NULL, (char **)words->pdata, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_CHILD_INHERITS_STDIN, NULL, NULL,
                     &text, NULL, &wait_status, &error);
    if (!is_run)
        tnd_cli_complain_error(&error);
    else if (wait_status != 0)
        tnd_cli_complain("wrap", "the C compiler (cc) does not take these headers");
    g_ptr_array_unref(words);
    if (!is_run || wait_status != 0)
        g_clear_pointer(&text, g_free);
    return text;
}

static void append_number(GString *text, TndCKind kind, guint size, gboolean is_signed)
{
    if (kind == TND_C_FLOAT)
        g_string_append(text, size == 4 ? "float" : "double");
    else if (kind == TND_C_INTEGER)
        g_string_append_printf(text, "%sint%u_t", is_signed ? "" : "u", 8 * size);
    else
        g_string_append(text, kind == TND_C_VOID || kind == TND_C_POINTER ? "void" : "struct other");
}

static void append_type(GString *text, const TndCType *type)
{
    if (type->kind != TND_C_POINTER) {
        append_number(text, type->kind, type->size, type->is_signed);
        g_string_append_c(text, ' ');
        return;
    }
    gboolean is_number = type->to == TND_C_INTEGER || type->to == TND_C_FLOAT;
    g_string_append(text, type->to_const ? "const " : "");
    append_number(text, is_number ? type->to : TND_C_VOID, type->to_size, type->to_signed);
    g_string_append(text, " *");
}

/* The prototype as a line of a description, which needs no typedef. */
static void append_prototype(GString *text, const TndPrototype *prototype)
{
    append_type(text, &prototype->result);
    g_string_append_printf(text, "%s(", prototype->name);
    for (guint i = 0; i < prototype->parameters->len; i++) {
        const TndParameter *parameter = &g_array_index(prototype->parameters, TndParameter, i);
        g_string_append(text, i ? ", " : "");
        append_type(text, &parameter->type);
        if (*parameter->name)
            g_string_append(text, parameter->name);
        else
            g_string_append_printf(text, "argument%u", i + 1);
    }
    g_string_append(text, prototype->parameters->len ? ");\n" : "void);\n");
}

/* Blanks what may have brackets that mean nothing: lines of #pragma, characters and strings. */
static void blank_literals(char *text)
{
    for (char quote = 0, before = '\n'; *text; before = *text++) {
        if (quote) {
            gsize n = *text == '\\' && text[1] ? 2 : 1;
            quote = *text == quote ? 0 : quote;
            memset(text, ' ', n);
            text += n - 1;
        } else if (*text == '#' && before == '\n') {
            memset(text, ' ', strcspn(text, "\n"));
        } else if (*text == '\'' || *text == '"') {
            quote = *text;
            *text = ' ';
        }
    }
}

/* Appends the functions of the headers that the library exports; how many there are. */
static guint append_functions(GString *text, const char *source, GHashTable *exports)
{
    GHashTable *types = tnd_prototype_types(), *seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    GString *chunk = g_string_new(NULL);
    int depth = 0;
    gboolean is_body = FALSE;
    char before = ' ';
    for (; *source; source++) {
        is_body = depth == 0 && *source == '{' ? before == ')' : is_body;
        before = g_ascii_isspace(*source) ? before : *source;
        depth += (*source == '{') - (*source == '}');
        g_string_append_c(chunk, g_ascii_isspace(*source) ? ' ' : *source);
        gboolean is_end = depth == 0 && (*source == ';' || (*source == '}' && is_body));
        if (!is_end)
            continue;
        TndPrototype *prototype = is_body ? NULL : tnd_prototype_read(g_strchug(chunk->str), types, NULL);
        if (prototype && g_hash_table_contains(exports, prototype->name) &&
            g_hash_table_add(seen, g_strdup(prototype->name)))
            append_prototype(text, prototype);
        tnd_prototype_free(prototype);
        g_string_truncate(chunk, 0);
        is_body = FALSE;
    }
    guint n = g_hash_table_size(seen);
    g_string_free(chunk, TRUE);
    g_hash_table_unref(seen);
    g_hash_table_unref(types);
    return n;
}

/* NAME of libNAME.so.1; free with g_free. */
static char *stem_of(const char *path)
{
    char *base = g_path_get_basename(path), *ending = strstr(base, ".so");
    if (ending)
        *ending = 0;
    char *stem = g_strdup(g_str_has_prefix(base, "lib") ? base + 3 : base);
    g_free(base);
    return stem;
}

static char *default_output(const char *stem, gboolean is_of_site)
{
    char *directory = tnd_library_description_directory(is_of_site);
    char *file = g_strconcat(stem, ".library", NULL), *path = g_build_filename(directory, file, NULL);
    g_mkdir_with_parents(directory, 0755);
    g_free(directory);
    g_free(file);
    return path;
}

/* given: the path of the description; NULL: in the user's or the site's directory. */
static int describe(const char *name, char **headers, char **directories, const char *given, gboolean is_of_site,
                    gboolean force)
{
    char *path, *source = NULL;
    GHashTable *exports = read_exports(name, &path);
    int status = TND_EXIT_INPUT;
    if (exports && (source = preprocess(headers, directories))) {
        blank_literals(source);
        char *stem = stem_of(path), *output = given ? g_strdup(given) : default_output(stem, is_of_site);
        GString *text = g_string_new(NULL);
        g_string_printf(
            text,
            "# Functions of %s.  Behind the ; of a function can stand the values to be recorded: n, return\n"
            "library %s\n",
            path, stem);
        guint n = append_functions(text, source, exports);
        if (!n)
            tnd_cli_complain("wrap", "the headers declare no function that %s exports", path);
        else if (!force && g_file_test(output, G_FILE_TEST_EXISTS))
            tnd_cli_complain(output, "exists: --force overwrites it, --output writes another file");
        else if (!tnd_output_file_write(output, text->str, text->len))
            tnd_cli_complain(output, "%s", tnd_output_file_reason(errno));
        else
            status = TND_EXIT_FINE;
        if (status == TND_EXIT_FINE)
            printf("%s: %u of the %u functions that %s exports\n", output, n, g_hash_table_size(exports), path);
        g_string_free(text, TRUE);
        g_free(stem);
        g_free(output);
    }
    g_clear_pointer(&exports, g_hash_table_unref);
    g_free(source);
    g_free(path);
    return status;
}

int tnd_cli_wrap(int argc, char **argv)
{
    gboolean is_list = FALSE, is_check = FALSE, is_link = FALSE, is_of_site = FALSE, force = FALSE;
    char **headers = NULL, **directories = NULL, *output = NULL;
    const GOptionEntry entries[] = {
        {"header", 'H', 0, G_OPTION_ARG_FILENAME_ARRAY, &headers, "A header of the library; several are allowed",
         "FILE.h"},
        {"include", 'I', 0, G_OPTION_ARG_FILENAME_ARRAY, &directories, "Where the compiler looks for headers",
         "DIRECTORY"},
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &output,
         "The description; default: in your own directory of them.  With --link: what both files' names begin with",
         "FILE"},
        {"site", 0, 0, G_OPTION_ARG_NONE, &is_of_site, "Write it where all users of this machine have it from", NULL},
        {"force", 0, 0, G_OPTION_ARG_NONE, &force, "Overwrite files", NULL},
        {"link", 0, 0, G_OPTION_ARG_NONE, &is_link,
         "For a static library, a path: make what a program is linked with so that its calls can be recorded", NULL},
        {"list", 0, 0, G_OPTION_ARG_NONE, &is_list, "List the descriptions that there are, where, and whose", NULL},
        {"check", 0, 0, G_OPTION_ARG_NONE, &is_check,
         "Compare the library with its descriptions: what is described and not exported, and the other way round; "
         "with a command, which is run twice: its calls of the library, as recorded and as the linker counts them",
         NULL},
        G_OPTION_ENTRY_NULL,
    };
    int status;
    if (!tnd_cli_options(&argc, &argv, entries, "LIBRARY [-- COMMAND [ARGUMENTS]]",
                         "Describes functions of a library for tandem record --library-values.", &status))
        return status;
    status = TND_EXIT_USAGE;
    char **command = argc > 2 ? argv + 2 : NULL;
    if (command && strcmp(*command, "--") == 0)
        command++;
    if (is_check && command && *command)
        status = tnd_wrap_count_check(argv[1], command);
    else if (is_list && argc == 1)
        status = list();
    else if (is_list || argc != 2)
        tnd_cli_complain("wrap", is_list ? "--list takes no library" : "takes one library (see `tandem wrap --help`)");
    else if (is_of_site && (output || !headers))
        tnd_cli_complain("wrap", "--site goes with --header and without --output");
    else if (is_link)
        status = tnd_wrap_link_make(argv[1], output, force);
    else if (is_check)
        status = check(argv[1]);
    else if (!headers)
        tnd_cli_complain("wrap", "takes --header, --link, --check or --list (see `tandem wrap --help`)");
    else
        status = describe(argv[1], headers, directories, output, is_of_site, force);
    g_strfreev(headers);
    g_strfreev(directories);
    g_free(output);
    return status;
}
