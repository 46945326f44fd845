/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values are few and small, so that everything is done by the one function that exchanges bytes.
 */
#include "analysis/merge/base/merge_team.h"

#include <gio/gio.h>
#include <string.h>

TndMergeTeam *tnd_merge_team_alone(void)
{
    static TndMergeTeam alone = {.rank = 0, .n_ranks = 1, .is_one_process = TRUE};
    return &alone;
}

void tnd_merge_team_tell(TndMergeTeam *team, GByteArray *told, GByteArray *take, gsize *begins)
{
    GByteArray **give = g_new(GByteArray *, team->n_ranks);
    for (guint rank = 0; rank < team->n_ranks; rank++)
        give[rank] = told;
    gsize *places = begins ? begins : g_new(gsize, team->n_ranks + 1);
    if (team->n_ranks > 1) {
        team->exchange(team, give, take, places);
    } else {
        g_byte_array_append(g_byte_array_set_size(take, 0), told->data, told->len);
        places[0] = 0;
        places[1] = told->len;
    }
    if (!begins)
        g_free(places);
    g_free(give);
}

void tnd_merge_team_gather(TndMergeTeam *team, gconstpointer value, gsize n_bytes, gpointer values)
{
    if (team->n_ranks == 1) {
        memcpy(values, value, n_bytes);
        return;
    }
    GByteArray *told = g_byte_array_append(g_byte_array_new(), value, (guint)n_bytes), *take = g_byte_array_new();
    tnd_merge_team_tell(team, told, take, NULL);
    memcpy(values, take->data, take->len);
    g_byte_array_unref(take);
    g_byte_array_unref(told);
}

void tnd_merge_team_sum(TndMergeTeam *team, guint64 *values, guint n)
{
    guint64 *all = g_new(guint64, (gsize)n * team->n_ranks);
    tnd_merge_team_gather(team, values, n * sizeof *values, all);
    for (guint i = 0; i < n; i++) {
        values[i] = 0;
        for (guint rank = 0; rank < team->n_ranks; rank++)
            values[i] += all[(gsize)rank * n + i];
    }
    g_free(all);
}

void tnd_merge_team_share(TndMergeTeam *team, gpointer value, gsize n_bytes)
{
    if (team->n_ranks == 1)
        return;
    guint8 *values = g_malloc(n_bytes * team->n_ranks);
    tnd_merge_team_gather(team, value, n_bytes, values);
    memcpy(value, values, n_bytes);
    g_free(values);
}

gboolean tnd_merge_team_agree(TndMergeTeam *team, GError **error)
{
    if (team->n_ranks == 1)
        return !*error;
    GByteArray *told = g_byte_array_new(), *take = g_byte_array_new();
    gint32 code = *error && (*error)->domain == G_IO_ERROR ? (*error)->code : G_IO_ERROR_FAILED;
    if (*error) {
        g_byte_array_append(told, (const guint8 *)&code, sizeof code);
        g_byte_array_append(told, (const guint8 *)(*error)->message, (guint)strlen((*error)->message) + 1);
    }
    tnd_merge_team_tell(team, told, take, NULL);
    if (take->len) { /* ranks without an error give nothing, so that the first error is that of the first rank */
        memcpy(&code, take->data, sizeof code);
        g_clear_error(error);
        *error = g_error_new_literal(G_IO_ERROR, code, (const char *)take->data + sizeof code);
    }
    g_byte_array_unref(take);
    g_byte_array_unref(told);
    return !*error;
}

guint tnd_merge_team_assign(const TndMergeTeam *team, guint64 *loads, guint64 n_bytes)
{
    guint least = 0;
    for (guint rank = 1; rank < team->n_ranks; rank++)
        if (loads[rank] < loads[least])
            least = rank;
    loads[least] += n_bytes;
    return least;
}
