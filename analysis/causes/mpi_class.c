/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Properties by names, which are looked up once.
 */
#include "analysis/causes/mpi_class.h"

#include "formats/event_types.h"

#include <string.h>

static const struct {
    const char *name;
    guint properties;
} calls[] = {
    {"MPI_Send", TND_MPI_SENDS},
    {"MPI_Rsend", TND_MPI_SENDS},
    {"MPI_Ssend", TND_MPI_SENDS | TND_MPI_SYNCHRONOUS},
    {"MPI_Sendrecv", TND_MPI_SENDS},
    {"MPI_Sendrecv_replace", TND_MPI_SENDS},
    {"MPI_Wait", TND_MPI_COMPLETES},
    {"MPI_Waitall", TND_MPI_COMPLETES},
    {"MPI_Waitany", TND_MPI_COMPLETES},
    {"MPI_Waitsome", TND_MPI_COMPLETES},
    {"MPI_Test", TND_MPI_POLLS},
    {"MPI_Testall", TND_MPI_POLLS},
    {"MPI_Testany", TND_MPI_POLLS},
    {"MPI_Testsome", TND_MPI_POLLS},
    {"MPI_Bcast", TND_MPI_COLLECTIVE | TND_MPI_FROM_ROOT},
    {"MPI_Scatter", TND_MPI_COLLECTIVE | TND_MPI_FROM_ROOT},
    {"MPI_Scatterv", TND_MPI_COLLECTIVE | TND_MPI_FROM_ROOT},
    {"MPI_Reduce", TND_MPI_COLLECTIVE | TND_MPI_TO_ROOT},
    {"MPI_Gather", TND_MPI_COLLECTIVE | TND_MPI_TO_ROOT},
    {"MPI_Gatherv", TND_MPI_COLLECTIVE | TND_MPI_TO_ROOT},
    {"MPI_Barrier", TND_MPI_COLLECTIVE | TND_MPI_BARRIER},
    {"MPI_Allreduce", TND_MPI_COLLECTIVE},
    {"MPI_Allgather", TND_MPI_COLLECTIVE},
    {"MPI_Allgatherv", TND_MPI_COLLECTIVE},
    {"MPI_Alltoall", TND_MPI_COLLECTIVE},
    {"MPI_Alltoallv", TND_MPI_COLLECTIVE},
    {"MPI_Alltoallw", TND_MPI_COLLECTIVE},
    {"MPI_Reduce_scatter", TND_MPI_COLLECTIVE},
    {"MPI_Reduce_scatter_block", TND_MPI_COLLECTIVE},
    {"MPI_Scan", TND_MPI_COLLECTIVE},
    {"MPI_Exscan", TND_MPI_COLLECTIVE},
    {"MPI_Init", TND_MPI_KEEPS | TND_MPI_INIT},
    {"MPI_Init_thread", TND_MPI_KEEPS | TND_MPI_INIT},
    {"MPI_Finalize", TND_MPI_KEEPS | TND_MPI_FINALIZE},
};

#define N_TYPES (TND_TYPE_MPI_IO - TND_TYPE_MPI_P2P + 1)

static guint16 properties[N_TYPES][TND_EVENT_MPI_VALUES];

static guint find(const char *name)
{
    for (guint i = 0; i < G_N_ELEMENTS(calls); i++)
        if (!strcmp(calls[i].name, name))
            return calls[i].properties;
    return 0;
}

/* MPI_Ibcast starts what MPI_Bcast does. */
static guint of_name(const char *name, guint32 type)
{
    guint found = find(name);
    if (!found && g_str_has_prefix(name, "MPI_I")) {
        char *blocking = g_strdup_printf("MPI_%c%s", g_ascii_toupper(name[strlen("MPI_I")]), name + strlen("MPI_Ib"));
        found = find(blocking);
        found = found & TND_MPI_COLLECTIVE ? found | TND_MPI_STARTS : 0;
        g_free(blocking);
    }
    if (found)
        return found;
    return type == TND_TYPE_MPI_P2P || type == TND_TYPE_MPI_COLLECTIVE ? 0 : TND_MPI_KEEPS;
}

static void look_up(void)
{
    for (guint32 type = TND_TYPE_MPI_P2P; type < TND_TYPE_MPI_P2P + N_TYPES; type++) {
        const struct tnd_event_type *known = tnd_event_types_find(type);
        for (gsize i = 0; known && i < known->n_values; i++)
            if (known->values[i].value > 0 && known->values[i].value < TND_EVENT_MPI_VALUES)
                properties[type - TND_TYPE_MPI_P2P][known->values[i].value] =
                    (guint16)of_name(known->values[i].label, type);
    }
}

guint tnd_mpi_class_of(guint32 type, gint64 value)
{
    static gsize is_made;
    if (g_once_init_enter(&is_made)) {
        look_up();
        g_once_init_leave(&is_made, 1);
    }
    if (!tnd_event_types_is_mpi(type) || value <= 0 || value >= TND_EVENT_MPI_VALUES)
        return 0;
    return properties[type - TND_TYPE_MPI_P2P][value];
}
