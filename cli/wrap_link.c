/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Objects for the linker's --wrap, made by the assembler.  Of x86-64.
 *
 * __wrap_F jumps through a slot, which leads to the function.  Where tandem is preloaded, a constructor tells it of the
 * slot (struct tnd_library_linked, intercept/library/library_linked.h); so the program runs as before without it.
 */
#include "cli/wrap_link.h"

#include "cli/cli.h"
#include "formats/output_file.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

static const char source[] = "        .text\n"
                             "        .globl __wrap_%1$s\n"
                             "        .type __wrap_%1$s, @function\n"
                             "__wrap_%1$s:\n"
                             "        .cfi_startproc\n"
                             "        endbr64\n"
                             "        jmp *slot(%%rip)\n"
                             "        .cfi_endproc\n"
                             "        .size __wrap_%1$s, . - __wrap_%1$s\n"
                             "tell:   .cfi_startproc\n"
                             "        endbr64\n"
                             "        movq tnd_library_linked_tell@GOTPCREL(%%rip), %%rax\n"
                             "        leaq linked(%%rip), %%rdi\n"
                             "        testq %%rax, %%rax\n"
                             "        je 1f\n"
                             "        jmp *%%rax\n"
                             "1:      ret\n"
                             "        .cfi_endproc\n"
                             "        .weak tnd_library_linked_tell\n"
                             "        .section .init_array, \"aw\"\n"
                             "        .p2align 3\n"
                             "        .quad tell\n"
                             "        .section .data.rel, \"aw\"\n"
                             "        .p2align 3\n"
                             "slot:   .quad __real_%1$s\n"
                             "linked: .quad slot, name, library\n"
                             "        .section .rodata.str1.1, \"aMS\", @progbits, 1\n"
                             "name:   .string \"%1$s\"\n"
                             "library: .string \"%2$s\"\n"
                             "        .section .note.GNU-stack, \"\", @progbits\n";

/* Runs a command; its output, or NULL: complained. */
static char *run(const char *const *words)
{
    char *output = NULL, *faults = NULL;
    int status = 0;
    GError *error = NULL;
    gboolean is_run =
        g_spawn_sync(NULL, (char **)words, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &output, &faults, &status, &error);
    if (!is_run)
        tnd_cli_complain_error(&error);
    else if (status != 0)
        tnd_cli_complain("wrap", "%s failed: %s", words[0], g_strchomp(faults));
    if (!is_run || status != 0)
        g_clear_pointer(&output, g_free);
    g_free(faults);
    return output;
}

/* The functions of an archive, each once; NULL: complained. */
static GPtrArray *read_functions(const char *archive)
{
    char *list = run((const char *const[]){"nm", "-P", "-g", "--defined-only", archive, NULL});
    if (!list)
        return NULL;
    GPtrArray *functions = g_ptr_array_new_with_free_func(g_free);
    GHashTable *seen = g_hash_table_new(g_str_hash, g_str_equal);
    char **lines = g_strsplit(list, "\n", -1);
    for (char **line = lines; *line; line++) {
        char **words = g_strsplit(*line, " ", 3);
        gboolean is_function = words[0] && words[1] && strlen(words[1]) == 1 && strchr("TWi", *words[1]);
        if (is_function && !g_hash_table_contains(seen, words[0])) {
            g_ptr_array_add(functions, g_strdup(words[0]));
            g_hash_table_add(seen, functions->pdata[functions->len - 1]);
        }
        g_strfreev(words);
    }
    g_strfreev(lines);
    g_hash_table_unref(seen);
    g_free(list);
    return functions;
}

/* Assembles the object of a function; its path, or NULL: complained. */
static char *assemble(const char *directory, guint number, const char *function, const char *library)
{
    char *text = g_strdup_printf(source, function, library);
    char *stem = g_strdup_printf("%s/%u", directory, number);
    char *input = g_strconcat(stem, ".s", NULL), *object = g_strconcat(stem, ".o", NULL), *output = NULL;
    GError *error = NULL;
    if (!g_file_set_contents(input, text, -1, &error))
        tnd_cli_complain_error(&error);
    else
        output = run((const char *const[]){"as", "--64", "-o", object, input, NULL});
    g_remove(input);
    if (!output)
        g_clear_pointer(&object, g_free);
    g_free(output);
    g_free(input);
    g_free(stem);
    g_free(text);
    return object;
}

/* Makes the archive of objects; FALSE: complained. */
static gboolean make_archive(const char *path, const GPtrArray *functions, const char *library)
{
    GError *error = NULL;
    char *directory = g_dir_make_tmp("tandem-wrap-XXXXXX", &error);
    if (!directory) {
        tnd_cli_complain_error(&error);
        return FALSE;
    }
    GPtrArray *words = g_ptr_array_new_with_free_func(g_free);
    for (const char *const *word = (const char *const[]){"ar", "rcs", path, NULL}; *word; word++)
        g_ptr_array_add(words, g_strdup(*word));
    gboolean is_good = TRUE;
    for (guint i = 0; i < functions->len && is_good; i++) {
        char *object = assemble(directory, i, functions->pdata[i], library);
        is_good = object != NULL;
        if (object)
            g_ptr_array_add(words, object);
    }
    g_ptr_array_add(words, NULL);
    g_remove(path);
    char *output = is_good ? run((const char *const *)words->pdata) : NULL;
    is_good = output != NULL;
    for (guint i = 3; i + 1 < words->len; i++)
        g_remove(words->pdata[i]);
    g_rmdir(directory);
    g_free(output);
    g_free(directory);
    g_ptr_array_unref(words);
    return is_good;
}

static gboolean write_flags(const char *path, const char *objects, const char *archive, const GPtrArray *functions)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < functions->len; i++)
        g_string_append_printf(text, "-Wl,--wrap=%s\n", (const char *)functions->pdata[i]);
    g_string_append_printf(text, "-Wl,--start-group\n\"%s\"\n\"%s\"\n-Wl,--end-group\n", objects, archive);
    gboolean is_good = tnd_output_file_write(path, text->str, text->len);
    if (!is_good)
        tnd_cli_complain(path, "%s", tnd_output_file_reason(errno));
    g_string_free(text, TRUE);
    return is_good;
}

/* libtandem-NAME of libNAME.a */
static char *default_stem(const char *library)
{
    char *name = g_strdup(g_str_has_prefix(library, "lib") ? library + 3 : library);
    if (g_str_has_suffix(name, ".a"))
        name[strlen(name) - 2] = 0;
    char *stem = g_strconcat("libtandem-", name, NULL);
    g_free(name);
    return stem;
}

int tnd_wrap_link_make(const char *archive, const char *given, gboolean force)
{
#if !defined(__x86_64__)
    tnd_cli_complain("wrap", "--link makes objects of x86-64 only");
    return TND_EXIT_INPUT;
#endif
    GPtrArray *functions = read_functions(archive);
    if (!functions)
        return TND_EXIT_INPUT;
    char *library = g_path_get_basename(archive), *stem = given ? g_strdup(given) : default_stem(library);
    char *objects = g_strconcat(stem, ".a", NULL), *flags = g_strconcat(stem, ".flags", NULL);
    char *whole_objects = g_canonicalize_filename(objects, NULL),
         *whole_archive = g_canonicalize_filename(archive, NULL);
    gboolean is_good = FALSE;
    if (!functions->len)
        tnd_cli_complain(archive, "has no function: is it a static library?");
    else if (!force && (g_file_test(objects, G_FILE_TEST_EXISTS) || g_file_test(flags, G_FILE_TEST_EXISTS)))
        tnd_cli_complain(stem, ".a or .flags exists: --force overwrites them, --output makes others");
    else
        is_good =
            make_archive(objects, functions, library) && write_flags(flags, whole_objects, whole_archive, functions);
    if (is_good)
        printf("%s: %u functions of %s; link with @%s in its place\n", objects, functions->len, archive, flags);
    g_free(whole_archive);
    g_free(whole_objects);
    g_free(flags);
    g_free(objects);
    g_free(stem);
    g_free(library);
    g_ptr_array_unref(functions);
    return is_good ? TND_EXIT_FINE : TND_EXIT_INPUT;
}
