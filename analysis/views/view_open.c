/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Opens views by name: from definitions, with the event types that the trace has or that the user chose, and from the
 * windows of a configuration.
 */
#include "analysis/views/views.h"

#include "analysis/base/likeness.h"
#include "analysis/views/view_files.h"
#include "analysis/views/view_readings.h"
#include "analysis/views/view_sensors.h"
#include "analysis/views/window_limits.h"

#include <gio/gio.h>
#include <string.h>

const TndViewRule *const *tnd_view_rules(void)
{
    static const TndViewRule **rules;
    static guint n_files = G_MAXUINT;
    const GPtrArray *files = tnd_view_files_definitions();
    if (files->len != n_files)
        rules = g_renew(const TndViewRule *, rules, tnd_views_n + files->len + 1);
    n_files = files->len;
    guint n = 0;
    for (guint i = 0; i < tnd_views_n; i++)
        rules[n++] = &tnd_views_table[i].rule;
    for (guint i = 0; i < files->len; i++)
        rules[n++] = &((const TndViewDefinition *)files->pdata[i])->rule;
    rules[n] = NULL;
    return rules;
}

static gboolean is_about_states(const TndViewDefinition *definition)
{
    return !definition->formula && !definition->last_type && !definition->choose_types;
}

static gboolean has_state(const TndTrace *trace, guint32 state)
{
    gboolean any = FALSE;
    for (guint row = 0; row < tnd_trace_n_threads(trace) && !any; row++) {
        TndWalk walk = tnd_walk_states(trace, row, state ? tnd_blocks_bit(state) : G_MAXUINT64);
        for (const TndState *at; !any && (at = tnd_walk_next_state(&walk));)
            any = !state || at->state == state;
        tnd_walk_end(&walk);
    }
    return any;
}

/* Whether the trace has any event of the types that a name chooses (choice), or else of the definition's. */
static gboolean has_types(const TndTrace *trace, const TndViewDefinition *definition, const char *choice)
{
    GArray *types =
        choice ? tnd_view_types_chosen(trace, definition, choice, NULL) : tnd_view_types_present(trace, definition);
    gboolean any = FALSE;
    for (guint i = 0; types && i < types->len; i++)
        any |= tnd_trace_n_events_of(trace, g_array_index(types, guint32, i)) > 0;
    if (types)
        g_array_unref(types);
    return any;
}

static gboolean has_named(const TndTrace *trace, const char *name)
{
    const TndViewDefinition *definition = tnd_view_files_find(name);
    const char *colon = strchr(name, ':');
    if (!definition)
        return FALSE;
    if (is_about_states(definition))
        return has_state(trace, (guint32)definition->given);
    if (!definition->formula)
        return has_types(trace, definition, colon ? colon + 1 : NULL);
    gboolean has_all = TRUE;
    for (const char *const *named = tnd_view_formula_names(definition->formula); has_all && *named; named++)
        has_all = has_named(trace, *named);
    return has_all;
}

gboolean tnd_view_available(const TndTrace *trace, const TndViewRule *rule)
{
    return has_named(trace, rule->name);
}

static void set_unknown(GError **error, const char *name)
{
    GPtrArray *names = g_ptr_array_new();
    for (const TndViewRule *const *rule = tnd_view_rules(); *rule; rule++)
        g_ptr_array_add(names, (gpointer)(*rule)->name);
    g_ptr_array_add(names, NULL);
    const char *nearest = tnd_likeness_nearest(name, (const char *const *)names->pdata);
    char *all = nearest ? NULL : g_strjoinv(", ", (char **)names->pdata);
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                nearest ? "no view is called \"%s\"; did you mean %s?" : "no view is called \"%s\"; there are: %s",
                name, nearest ? nearest : all);
    g_free(all);
    g_ptr_array_unref(names);
}

/* The title of a view of chosen types is the label of the first one. */
static void set_title(TndView *view, const char *choice)
{
    const TndViewPlan *plan = &view->plan;
    if (!plan->definition->takes_types || plan->types.n_types == 0)
        return;
    view->rule.legend_type = plan->types.types[0].type;
    if (!choice)
        return;
    const char *label = tnd_view_types_label(plan->trace, plan->types.types[0].type);
    const char *unit =
        label && plan->definition->divisor != 0 ? strstr(label, " [") : NULL; /* the view has a unit of its own */
    view->title =
        label ? g_strndup(label, unit ? (gsize)(unit - label) : strlen(label)) : g_strdup_printf("Events %s", choice);
    view->name = g_strconcat(view->rule.name, ":", choice, NULL);
    view->rule.title = view->title;
    view->rule.name = view->name;
}

static void add_words(GPtrArray *words, const char *text)
{
    char **more = text ? g_strsplit(text, ", ", -1) : NULL;
    for (guint i = 0; more && more[i]; i++)
        if (g_ptr_array_find_with_equal_func(words, more[i], g_str_equal, NULL))
            g_free(more[i]);
        else
            g_ptr_array_add(words, more[i]);
    g_free(more);
}

/* Sets the origin: that of the view's types, or of the views in its formula.  Words for values that no machine measured
 * come last. */
static void set_origin(TndView *view)
{
    static const char fixture[] = "fixture";
    const TndViewPlan *plan = &view->plan;
    GPtrArray *words = g_ptr_array_new_with_free_func(g_free);
    guint at;
    for (guint i = 0; i < plan->types.n_types; i++) {
        char *origin = tnd_view_types_origin(plan->trace, plan->types.types[i].type);
        add_words(words, origin);
        g_free(origin);
    }
    for (guint i = 0; plan->named && plan->named[i]; i++)
        add_words(words, plan->named[i]->rule.origin);
    if (g_ptr_array_find_with_equal_func(words, fixture, g_str_equal, &at)) {
        g_ptr_array_remove_index(words, at);
        g_ptr_array_add(words, g_strdup(fixture));
    }
    if (words->len) {
        g_ptr_array_add(words, NULL);
        view->rule.origin = view->origin = g_strjoinv(", ", (char **)words->pdata);
    }
    g_ptr_array_unref(words);
}

static gboolean open_types(TndViewPlan *plan, const char *choice, GError **error)
{
    GArray *types = choice ? tnd_view_types_chosen(plan->trace, plan->definition, choice, error)
                           : tnd_view_types_present(plan->trace, plan->definition);
    if (!types)
        return FALSE;
    plan->types = tnd_view_types_of(plan->trace, types, plan->definition->divisor);
    g_array_unref(types);
    return TRUE;
}

/* Opens the views in a formula.  Their rows have to be threads, or what threads belong to. */
static gboolean open_named(TndViewPlan *plan, GError **error)
{
    const char *const *names = tnd_view_formula_names(plan->definition->formula);
    guint n = g_strv_length((char **)names);
    plan->named = g_new0(TndView *, n + 1);
    for (guint i = 0; i < n; i++) {
        plan->named[i] = tnd_view_new(plan->trace, names[i], error);
        if (plan->named[i] && !tnd_levels_is_above(tnd_view_level(plan->named[i]), TND_LEVEL_THREAD))
            g_set_error(error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                        "%s is of CPUs or nodes, which a formula cannot use", names[i]);
        else if (plan->named[i])
            continue;
        g_prefix_error(error, "%s: ", plan->definition->rule.name);
        return FALSE;
    }
    return TRUE;
}

/* The window that a definition describes. */
static TndCfgWindow window_of(const TndViewDefinition *definition)
{
    TndCfgWindow window = {.name = (char *)definition->rule.name,
                           .factors = {1, 1},
                           .level = TND_LEVEL_THREAD,
                           .logical = TRUE,
                           .within_nodes = TRUE,
                           .between_nodes = TRUE};
    TndCall *call = &window.calls[TND_LEVEL_THREAD];
    call->name = (char *)definition->function;
    call->parameters[0] = (TndNumbers){(double *)&definition->given, 1};
    call->n_parameters = definition->given != 0;
    if (definition->group)
        window.calls[TND_PLACE_TOP_1].name = (char *)TND_SEMANTIC_JOIN_LASTING;
    return window;
}

/* Allocates the rows, which are made on first use. */
static void start_rows(TndView *view)
{
    const TndViewPlan *plan = &view->plan;
    TndLevel level = tnd_view_level(view);
    view->n_rows = tnd_levels_n_rows(plan->trace, level);
    view->memory = tnd_large_memory_new(tnd_trace_path(plan->trace));
    view->rows = g_new0(TndRowBursts *, view->n_rows + 1);
    for (TndGridsKind kind = 0; kind < TND_GRIDS_N_KINDS; kind++) {
        view->grids[kind] = g_new0(TndRowGrids *, view->n_rows + 1);
        view->code_grids[kind] = g_new0(TndRowGrids *, view->n_rows + 1);
    }
    view->lines = g_new0(TndRowLine *, view->n_rows + 1);
    if (level == TND_LEVEL_THREAD)
        return;
    view->row_names = g_new0(char *, view->n_rows + 1);
    for (guint row = 0; row < view->n_rows; row++)
        view->row_names[row] = tnd_levels_row_name(plan->trace, level, row);
}

static TndView *new_view(const TndTrace *trace)
{
    TndView *view = g_new0(TndView, 1);
    view->n_owners = 1;
    view->plan.trace = trace;
    return view;
}

/* Opens a new view by its definition.  NULL and error: it failed, and the view is freed. */
static TndView *open_definition(TndView *view, const TndViewDefinition *definition, const char *choice, GError **error)
{
    TndViewPlan *plan = &view->plan;
    plan->definition = definition;
    plan->window = window_of(definition);
    view->rule = definition->rule;
    gboolean is_good = definition->formula ? open_named(plan, error)
                                           : open_types(plan, choice, error) && tnd_view_plan_find(plan, error);
    start_rows(view);
    if (!is_good) {
        tnd_view_free(view);
        return NULL;
    }
    set_title(view, choice);
    set_origin(view);
    if (definition->is_by_cpu && !choice)
        plan->sensors = tnd_view_sensors_new(plan);
    if (!plan->sensors)
        plan->first_rows = tnd_view_readings_first_rows(plan->trace, definition->scope);
    return view;
}

/* The formula that a name is; NULL and error: it is an unknown name, or has characters of formulas but is none. */
static TndViewFormula *formula_of(const char *name, GError **error)
{
    GError *fault = NULL;
    TndViewFormula *formula = tnd_view_formula_parse(name, &fault);
    if (formula && strcmp(tnd_view_formula_names(formula)[0], name) != 0)
        return formula;
    if (fault && (strpbrk(name, "()*+") || strstr(name, " / "))) /* a path has slashes, too */
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                    "no view is called \"%s\", and as a formula it is wrong at %s", name, fault->message);
    else
        set_unknown(error, name);
    g_clear_error(&fault);
    tnd_view_formula_free(formula);
    return NULL;
}

static TndView *open_formula(const TndTrace *trace, const char *name, GError **error)
{
    TndViewFormula *formula = formula_of(name, error);
    if (!formula)
        return NULL;
    TndViewDefinition *own = g_new0(TndViewDefinition, 1);
    const char *kept = g_strdup(name);
    own->rule = (TndViewRule){
        .name = kept, .title = kept, .unit = "", .help = kept, .palette = TND_PALETTE_GRADIENT, .draw = TND_DRAW_LINE};
    own->formula = formula;
    TndView *view = new_view(trace);
    view->own_definition = own;
    return open_definition(view, own, NULL, error);
}

/* Windows of a configuration. */

/* Sets the name, the title and how the window is drawn. */
static void describe_window(TndView *view, guint number)
{
    const TndViewPlan *plan = &view->plan;
    const TndCfgWindow *window = &plan->window;
    const TndNumbers *types = &window->filters[TND_FILTER_TYPE].values;
    gboolean is_of_events = plan->keeps_labels && plan->thread->kind == TND_SEMANTIC_EVENTS;
    gboolean is_of_time = plan->keeps_labels && plan->thread->kind == TND_SEMANTIC_TIMES;
    gboolean is_code = window->is_code && !is_of_time; /* a colour for each length would say nothing */
    view->name = g_strdup_printf("%s:%u", view->cfg->path, number);
    view->rule =
        (TndViewRule){.name = view->name,
                      .title = *window->name ? window->name : view->name,
                      .unit = is_of_time ? tnd_view_unit_name(view) : "",
                      .help = view->cfg->description ? view->cfg->description : "",
                      .palette = is_code ? TND_PALETTE_CODE : TND_PALETTE_GRADIENT,
                      .draw = window->is_line      ? TND_DRAW_LINE
                              : window->are_points ? TND_DRAW_POINTS
                                                   : TND_DRAW_COLOUR,
                      .are_states = is_code && plan->keeps_labels && plan->thread->kind == TND_SEMANTIC_STATES};
    if (is_of_events && types->n && types->values[0] > 0 && types->values[0] <= G_MAXUINT32)
        view->rule.legend_type = (guint32)types->values[0];
}

/* Replaces the window's numbers of events by those of the trace, where the trace has their labels. */
static gboolean find_events(TndViewPlan *plan, GError **error)
{
    for (TndFilterKind kind = TND_FILTER_TYPE; kind <= TND_FILTER_VALUE; kind++) {
        TndNumbers found = {0};
        if (!tnd_window_limits_events(plan->trace, &plan->window, kind, &found, error))
            return FALSE;
        plan->event_numbers[kind - TND_FILTER_TYPE] = found.values;
        plan->window.filters[kind].values = found;
    }
    plan->types = tnd_view_types_of_filters(plan->trace, &plan->window);
    return TRUE;
}

/* Opens window `number`, from 1 on.  before: the windows before it, which are open. */
static TndView *open_window(const TndTrace *trace, TndCfg *cfg, guint number, TndView *const *before, GError **error)
{
    TndView *view = new_view(trace);
    TndViewPlan *plan = &view->plan;
    view->cfg = tnd_cfg_share(cfg);
    plan->window = *tnd_cfg_window(cfg, number - 1);
    for (guint i = 0; i < 2 && plan->window.is_derived; i++)
        plan->operands[i] = tnd_view_share(before[plan->window.parents[i]]);
    if (!find_events(plan, error) || !tnd_view_plan_find_level(plan, error) || !tnd_view_plan_find(plan, error)) {
        g_prefix_error(error, "%s: ", cfg->path);
        tnd_view_free(view);
        return NULL;
    }
    describe_window(view, number);
    start_rows(view);
    return view;
}

TndView **tnd_view_new_of_cfg(const TndTrace *trace, TndCfg *cfg, GError **error)
{
    TndView **views = g_new0(TndView *, cfg->windows->len + 1);
    for (guint i = 0; i < cfg->windows->len; i++) {
        views[i] = open_window(trace, cfg, i + 1, views, error);
        if (!views[i]) {
            tnd_view_free_all(views);
            return NULL;
        }
    }
    return views;
}

void tnd_view_free_all(TndView **views)
{
    for (guint i = 0; views && views[i]; i++)
        tnd_view_free(views[i]);
    g_free(views);
}

gboolean tnd_view_names_window(const char *name, char **path, gint64 *number)
{
    const char *end = g_strrstr(name, ".cfg");
    end = end ? end + strlen(".cfg") : NULL;
    if (!end || !(*end == '\0' || (*end == ':' && end[1] && !end[1 + strspn(end + 1, G_CSET_DIGITS)])))
        return FALSE;
    *path = g_strndup(name, (gsize)(end - name));
    *number = *end ? g_ascii_strtoll(end + 1, NULL, 10) : TND_VIEW_LAST_WINDOW;
    return TRUE;
}

static TndView *open_numbered_window(const TndTrace *trace, const char *path, gint64 number, GError **error)
{
    TndCfg *cfg = tnd_cfg_read(path, error);
    TndView *view = NULL, **views = NULL;
    if (cfg && number == TND_VIEW_LAST_WINDOW)
        number = cfg->windows->len;
    if (cfg && (number < 1 || number > cfg->windows->len))
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                    "%s: there is no window %" G_GINT64_FORMAT "; it has 1 to %u", path, number, cfg->windows->len);
    else if (cfg)
        views = tnd_view_new_of_cfg(trace, cfg, error);
    if (views)
        view = tnd_view_share(views[number - 1]);
    tnd_view_free_all(views);
    tnd_cfg_free(cfg);
    return view;
}

TndView *tnd_view_new(const TndTrace *trace, const char *name, GError **error)
{
    char *path;
    gint64 number;
    if (tnd_view_names_window(name, &path, &number)) {
        TndView *view = open_numbered_window(trace, path, number, error);
        g_free(path);
        return view;
    }
    const TndViewDefinition *definition = tnd_view_files_find(name);
    const char *colon = strchr(name, ':');
    if (definition)
        return open_definition(new_view(trace), definition, colon ? colon + 1 : NULL, error);
    return open_formula(trace, name, error);
}

TndView *tnd_view_share(TndView *view)
{
    g_atomic_int_inc(&view->n_owners);
    return view;
}

void tnd_view_free(TndView *view)
{
    if (!view || !g_atomic_int_dec_and_test(&view->n_owners))
        return;
    tnd_view_plan_clear(&view->plan);
    g_free(view->rows);
    for (TndGridsKind kind = 0; kind < TND_GRIDS_N_KINDS; kind++) {
        g_free(view->grids[kind]);
        g_free(view->code_grids[kind]);
    }
    g_free(view->lines);
    g_strfreev(view->row_names);
    tnd_large_memory_free(view->memory);
    tnd_cfg_free(view->cfg);
    g_free(view->name);
    g_free(view->title);
    g_free(view->origin);
    if (view->own_definition) {
        tnd_view_formula_free(view->own_definition->formula);
        g_free((char *)view->own_definition->rule.name);
        g_free(view->own_definition);
    }
    g_free(view);
}
