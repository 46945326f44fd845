/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Files of views, each a GKeyFile with one group.  A file is good if its formula names only built-in views and other
 * good files; so no file refers to itself, directly or through others.
 */
#include "analysis/views/view_files.h"

#include <dlfcn.h>
#include <gio/gio.h>
#include <stdlib.h>
#include <string.h>

#define GROUP "View"
#define SUFFIX ".view"

typedef struct {
    TndViewDefinition definition; /* must be first: pointers to it are handed out */
    char *path, *name, *title, *unit, *help;
    char **labels; /* of the values from 1 on; NULL: values are quantities */
    gboolean is_good;
} File;

static GPtrArray *files;  /* File *, sorted by name */
static GPtrArray *faults; /* char *; NULL at the end */

static void free_file(File *file)
{
    if (!file)
        return;
    tnd_view_formula_free(file->definition.formula);
    g_free(file->path);
    g_free(file->name);
    g_free(file->title);
    g_free(file->unit);
    g_free(file->help);
    g_strfreev(file->labels);
    g_free(file);
}

G_GNUC_PRINTF(4, 5)
static gboolean refuse(GError **error, const File *file, const char *key, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *what = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "%s: %s%s%s", file->path, key ? key : "", key ? ": " : "",
                what);
    g_free(what);
    return FALSE;
}

/* Takes the name of the view from the name of the file. */
static gboolean take_name(File *file, GError **error)
{
    char *base = g_path_get_basename(file->path);
    if (g_str_has_suffix(base, SUFFIX))
        file->name = g_strndup(base, strlen(base) - strlen(SUFFIX));
    g_free(base);
    if (!file->name || !g_ascii_islower(*file->name) || file->name[strspn(file->name, G_CSET_a_2_z G_CSET_DIGITS "-")])
        return refuse(error, file, NULL, "a file of a view is called NAME.view, where NAME consists of a-z, 0-9 and -");
    return !tnd_views_find_built_in(file->name) || refuse(error, file, NULL, "the view %s is built in", file->name);
}

/* Checks that there is one group and no unknown key, which would otherwise be ignored. */
static gboolean check_keys(const File *file, GKeyFile *keys, GError **error)
{
    static const char *const known[] = {"Title", "Unit", "Help", "Formula", "Draw", "Labels", "ZeroIsNothing", NULL};
    char **groups = g_key_file_get_groups(keys, NULL);
    gboolean good = groups[0] && strcmp(groups[0], GROUP) == 0 && !groups[1];
    if (!good)
        refuse(error, file, NULL, "must have one group, [" GROUP "]");
    g_strfreev(groups);
    char **names = good ? g_key_file_get_keys(keys, GROUP, NULL, NULL) : NULL;
    for (guint i = 0; good && names && names[i]; i++)
        if (!g_strv_contains(known, names[i]))
            good = refuse(error, file, names[i],
                          "there is no such key, but Title, Unit, Help, Formula, Draw, Labels, "
                          "ZeroIsNothing");
    g_strfreev(names);
    return good;
}

/* Reads the text of a key.  fallback: its default; NULL: the key is required. */
static gboolean take_text(const File *file, GKeyFile *keys, const char *key, const char *fallback, char **text,
                          GError **error)
{
    GError *fault = NULL;
    *text = g_key_file_get_string(keys, GROUP, key, &fault);
    gboolean is_missing = g_error_matches(fault, G_KEY_FILE_ERROR, G_KEY_FILE_ERROR_KEY_NOT_FOUND);
    if (is_missing && fallback)
        *text = g_strdup(fallback);
    else if (is_missing)
        refuse(error, file, key, "is missing");
    else if (fault)
        refuse(error, file, key, "%s", fault->message);
    g_clear_error(&fault);
    return *text != NULL;
}

static gboolean take_labels(File *file, GKeyFile *keys, GError **error)
{
    if (!g_key_file_has_key(keys, GROUP, "Labels", NULL))
        return TRUE;
    GError *fault = NULL;
    file->labels = g_key_file_get_string_list(keys, GROUP, "Labels", NULL, &fault);
    if (fault)
        refuse(error, file, "Labels", "%s", fault->message);
    g_clear_error(&fault);
    return file->labels != NULL;
}

static gboolean take_draw(File *file, GKeyFile *keys, GError **error)
{
    char *draw;
    if (!take_text(file, keys, "Draw", file->labels ? "colour" : "line", &draw, error))
        return FALSE;
    TndDraw i = TND_DRAW_COLOUR;
    while (i < TND_DRAW_N && (i == TND_DRAW_STACK || strcmp(draw, tnd_draw_names[i])))
        i++;
    if (i == TND_DRAW_N)
        refuse(error, file, "Draw", "got \"%s\", takes line, points or colour", draw);
    file->definition.rule.draw = i;
    g_free(draw);
    return i < TND_DRAW_N;
}

static gboolean take_zero(File *file, GKeyFile *keys, GError **error)
{
    if (!g_key_file_has_key(keys, GROUP, "ZeroIsNothing", NULL))
        return TRUE;
    GError *fault = NULL;
    file->definition.rule.zero_is_nothing = g_key_file_get_boolean(keys, GROUP, "ZeroIsNothing", &fault);
    if (fault)
        refuse(error, file, "ZeroIsNothing", "takes true or false");
    gboolean good = !fault;
    g_clear_error(&fault);
    return good;
}

static gboolean take_formula(File *file, GKeyFile *keys, GError **error)
{
    char *text;
    if (!take_text(file, keys, "Formula", NULL, &text, error))
        return FALSE;
    GError *fault = NULL;
    file->definition.formula = tnd_view_formula_parse(text, &fault);
    if (fault)
        refuse(error, file, "Formula", "%s", fault->message);
    g_clear_error(&fault);
    g_free(text);
    return file->definition.formula != NULL;
}

static gboolean understand(File *file, GKeyFile *keys, GError **error)
{
    if (!check_keys(file, keys, error) || !take_text(file, keys, "Title", NULL, &file->title, error) ||
        !take_text(file, keys, "Unit", "", &file->unit, error) ||
        !take_text(file, keys, "Help", file->title, &file->help, error) || !take_labels(file, keys, error) ||
        !take_draw(file, keys, error) || !take_zero(file, keys, error) || !take_formula(file, keys, error))
        return FALSE;
    TndViewRule *rule = &file->definition.rule;
    rule->name = file->name;
    rule->title = file->title;
    rule->unit = file->unit;
    rule->help = file->help;
    rule->labels = (const char *const *)file->labels;
    rule->palette = file->labels ? TND_PALETTE_CODE : TND_PALETTE_GRADIENT;
    return TRUE;
}

static File *read_file(const char *path, GError **error)
{
    File *file = g_new0(File, 1);
    file->path = g_strdup(path);
    GKeyFile *keys = g_key_file_new();
    GError *fault = NULL;
    gboolean good = take_name(file, error);
    if (good && !g_key_file_load_from_file(keys, path, G_KEY_FILE_NONE, &fault))
        good = refuse(error, file, NULL, "%s", fault->message);
    g_clear_error(&fault);
    good = good && understand(file, keys, error);
    g_key_file_free(keys);
    if (good)
        return file;
    free_file(file);
    return NULL;
}

static File *find(const char *name)
{
    for (guint i = 0; i < files->len; i++)
        if (strcmp(((File *)files->pdata[i])->name, name) == 0)
            return files->pdata[i];
    return NULL;
}

/* The first name in the formula that is not a good view; NULL: all are. */
static const char *missing_name(const File *file)
{
    for (const char *const *name = tnd_view_formula_names(file->definition.formula); *name; name++) {
        const File *other = find(*name);
        if (!tnd_views_find_built_in(*name) && !(other && other->is_good))
            return *name;
    }
    return NULL;
}

/* Marks the good files, in rounds, because a file may be good only after another one is known to be. */
static void mark_good(void)
{
    gboolean goes_on = TRUE;
    for (guint i = 0; i < files->len; i++)
        ((File *)files->pdata[i])->is_good = FALSE;
    while (goes_on) {
        goes_on = FALSE;
        for (guint i = 0; i < files->len; i++) {
            File *file = files->pdata[i];
            if (!file->is_good && !missing_name(file))
                file->is_good = goes_on = TRUE;
        }
    }
}

static gboolean check_good(const File *file, GError **error)
{
    if (file->is_good)
        return TRUE;
    const char *name = missing_name(file);
    if (find(name))
        return refuse(error, file, "Formula", "the view %s refers to this one, or is faulty itself", name);
    return refuse(error, file, "Formula", "there is no view \"%s\"", name);
}

static void put(File *file)
{
    File *old = find(file->name);
    if (old)
        g_ptr_array_remove(files, old);
    guint place = 0;
    while (place < files->len && strcmp(((File *)files->pdata[place])->name, file->name) < 0)
        place++;
    g_ptr_array_insert(files, (gint)place, file);
}

static void add_fault(GError *error)
{
    g_ptr_array_insert(faults, (gint)faults->len - 1, g_strdup(error->message));
    g_error_free(error);
}

static int compare_names(gconstpointer a, gconstpointer b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Reads the files of a directory, which may be missing. */
static void read_directory(const char *path)
{
    GDir *directory = g_dir_open(path, 0, NULL);
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
    for (const char *name; directory && (name = g_dir_read_name(directory));)
        if (g_str_has_suffix(name, SUFFIX))
            g_ptr_array_add(names, g_build_filename(path, name, NULL));
    if (directory)
        g_dir_close(directory);
    g_ptr_array_sort(names, compare_names);
    for (guint i = 0; i < names->len; i++) {
        GError *error = NULL;
        File *file = read_file(names->pdata[i], &error);
        if (file)
            put(file);
        else
            add_fault(error);
    }
    g_ptr_array_unref(names);
}

/* The directory of the views near a program or a library, whether that is installed or in a build tree.  Free with
 * g_free.  NULL: there is none. */
static char *directory_near(const char *file)
{
    static const char *const places[] = {"../share/tandem/views", "../../share/tandem/views", "../data/views",
                                         "../../data/views"};
    char *own = g_path_get_dirname(file), *found = NULL;
    for (guint i = 0; !found && i < G_N_ELEMENTS(places); i++) {
        found = g_build_filename(own, places[i], NULL);
        if (!g_file_test(found, G_FILE_TEST_IS_DIR))
            g_clear_pointer(&found, g_free);
    }
    g_free(own);
    return found;
}

/* The directory of the installed views: near the library or the program that this code is in, else the directory that
 * the build was configured for. */
static char *installed_directory(void)
{
    static const char here;
    Dl_info library = {0};
    char *file = dladdr(&here, &library) && library.dli_fname ? realpath(library.dli_fname, NULL) : NULL;
    char *program = g_file_read_link("/proc/self/exe", NULL);
    char *found = file ? directory_near(file) : NULL;
    if (!found && program)
        found = directory_near(program);
    g_free(program);
    free(file);
    return found ? found : g_strdup(TND_VIEWS_DIRECTORY);
}

char *tnd_view_files_beside(const char *name)
{
    char *views = installed_directory(), *beside = g_build_filename(views, "..", name, NULL);
    char *path = g_canonicalize_filename(beside, NULL);
    if (!g_file_test(path, G_FILE_TEST_IS_REGULAR))
        g_clear_pointer(&path, g_free);
    g_free(beside);
    g_free(views);
    return path;
}

static void drop_faulty(void)
{
    mark_good();
    for (guint i = files->len; i-- > 0;) {
        GError *error = NULL;
        if (check_good(files->pdata[i], &error))
            continue;
        add_fault(error);
        g_ptr_array_remove_index(files, i);
    }
}

static void load(void)
{
    static gsize is_loaded;
    if (!g_once_init_enter(&is_loaded))
        return;
    files = g_ptr_array_new_with_free_func((GDestroyNotify)free_file);
    faults = g_ptr_array_new();
    g_ptr_array_add(faults, NULL);
    char *installed = installed_directory();
    char *own = g_build_filename(g_get_user_config_dir(), "tandem", "views", NULL);
    read_directory(installed);
    read_directory(own);
    drop_faulty();
    g_free(installed);
    g_free(own);
    g_once_init_leave(&is_loaded, 1);
}

const GPtrArray *tnd_view_files_definitions(void)
{
    load();
    return files;
}

const TndViewDefinition *tnd_view_files_find(const char *name)
{
    const TndViewDefinition *found = tnd_views_find_built_in(name);
    load();
    for (guint i = 0; i < files->len && !found; i++)
        if (tnd_views_is_called(files->pdata[i], name))
            found = files->pdata[i];
    return found;
}

gboolean tnd_view_files_add(const char *path, GError **error)
{
    load();
    File *file = read_file(path, error);
    if (!file)
        return FALSE;
    put(file);
    mark_good();
    gboolean good = check_good(file, error);
    if (!good)
        g_ptr_array_remove(files, file);
    return good;
}

const char *const *tnd_view_files_faults(void)
{
    load();
    return (const char *const *)faults->pdata;
}
