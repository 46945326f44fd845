/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of event types: order, finding, ranges, and the numbers that others rely on.
 */
#include "formats/event_types.h"

#include <glib.h>
#include <string.h>

/* What binary search needs, and what .pcf needs. */
static void test_order(void)
{
    g_assert_cmpuint(tnd_event_states_n, ==, 36);
    for (size_t i = 0; i < tnd_event_states_n; i++)
        g_assert_cmpuint(tnd_event_states[i].state, ==, i);
    for (size_t i = 0; i < tnd_event_types_n; i++) {
        const struct tnd_event_type *type = &tnd_event_types[i];
        g_assert_cmpuint(type->type, <=, type->last);
        g_assert_true(i == 0 || tnd_event_types[i - 1].last < type->type);
        g_assert_cmpuint(type->last, <=, G_MAXINT32); /* Paraver has no labels above */
        for (size_t k = 0; k < type->n_values; k++) {
            g_assert_true(k == 0 || type->values[k - 1].value < type->values[k].value);
            g_assert_true(type->values[k].state < tnd_event_states_n || type->values[k].state == TND_STATE_NONE);
            g_assert_true(tnd_event_types_value(type->type, type->values[k].value) == &type->values[k]);
        }
        g_assert_true(tnd_event_types_find(type->type) == type);
        g_assert_true(tnd_event_types_find(type->last) == type);
    }
}

static void check_call(uint32_t type, int64_t value, const char *label, uint32_t state)
{
    const struct tnd_event_value *found = tnd_event_types_value(type, value);
    g_assert_nonnull(found);
    g_assert_cmpstr(found->label, ==, label);
    g_assert_cmpuint(found->state, ==, state);
}

static void test_calls(void)
{
    check_call(50000001, 0, "Outside MPI", TND_STATE_NONE);
    check_call(TND_TYPE_MPI_P2P, 1, "MPI_Send", TND_STATE_SEND);
    check_call(TND_TYPE_MPI_P2P, 2, "MPI_Recv", TND_STATE_RECEIVE);
    check_call(TND_TYPE_MPI_P2P, 3, "MPI_Isend", TND_STATE_ISEND);
    check_call(TND_TYPE_MPI_P2P, 4, "MPI_Irecv", TND_STATE_IRECEIVE);
    check_call(TND_TYPE_MPI_P2P, 6, "MPI_Waitall", TND_STATE_WAIT);
    check_call(TND_TYPE_MPI_P2P, 41, "MPI_Sendrecv", TND_STATE_SENDRECV);
    check_call(TND_TYPE_MPI_P2P, 62, "MPI_Iprobe", TND_STATE_PROBE);
    check_call(TND_TYPE_MPI_COLLECTIVE, 8, "MPI_Barrier", TND_STATE_GROUP);
    check_call(TND_TYPE_MPI_COLLECTIVE, 10, "MPI_Allreduce", TND_STATE_GROUP);
    check_call(TND_TYPE_MPI_OTHER, 31, "MPI_Init", TND_STATE_OTHERS);
    check_call(TND_TYPE_MPI_OTHER, 39, "MPI_Test", TND_STATE_PROBE);
    check_call(TND_TYPE_MPI_ONE_SIDED, 69, "MPI_Win_start", TND_STATE_ONE_SIDED);
    check_call(TND_TYPE_MPI_ONE_SIDED, 70, "MPI_Win_complete", TND_STATE_ONE_SIDED);
    check_call(TND_TYPE_MPI_IO, 141, "MPI_File_open", TND_STATE_IO);
    g_assert_null(tnd_event_types_value(TND_TYPE_MPI_P2P, 8));
    g_assert_null(tnd_event_types_value(50000006, 0));
}

/* A value of an MPI call stands under one type only: all five share one numbering. */
static void test_mpi_values(void)
{
    GHashTable *seen = g_hash_table_new(g_direct_hash, g_direct_equal);
    for (uint32_t type = TND_TYPE_MPI_P2P; type <= TND_TYPE_MPI_IO; type++) {
        const struct tnd_event_type *found = tnd_event_types_find(type);
        for (size_t i = 1; i < found->n_values; i++) {
            const char *label = found->values[i].label;
            g_assert_true(g_str_has_prefix(label, "MPI_") || g_str_has_prefix(label, "MPIX_"));
            g_assert_cmpint(found->values[i].value, <=, G_MAXUINT16); /* fits an ENTER record */
            g_assert_cmpuint(found->values[i].state, !=, TND_STATE_NONE);
            g_assert_true(g_hash_table_add(seen, GINT_TO_POINTER((int)found->values[i].value)));
        }
    }
    g_assert_cmpuint(g_hash_table_size(seen), >=, 364);
    g_hash_table_destroy(seen);
}

static void test_label(void)
{
    char label[40] = "untouched";
    g_assert_false(tnd_event_types_label(12345, label, sizeof label));
    g_assert_cmpstr(label, ==, "untouched");
    g_assert_true(tnd_event_types_label(30000000, label, sizeof label));
    g_assert_cmpstr(label, ==, "Sampled functions");
    g_assert_true(tnd_event_types_label(30000012, label, sizeof label));
    g_assert_cmpstr(label, ==, "Sampled functions (depth 12)");
    g_assert_true(tnd_event_types_label(80000003, label, sizeof label));
    g_assert_cmpstr(label, ==, "Caller line at level 3");
    g_assert_true(tnd_event_types_label(TND_TYPE_USER_COUNTER, label, 8));
    g_assert_cmpstr(label, ==, "User co");
    g_assert_null(tnd_event_types_find(30000200));
    g_assert_null(tnd_event_types_find(0));
    g_assert_null(tnd_event_types_find(UINT32_MAX));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/event-types/order", test_order);
    g_test_add_func("/event-types/calls", test_calls);
    g_test_add_func("/event-types/mpi-values", test_mpi_values);
    g_test_add_func("/event-types/label", test_label);
    return g_test_run();
}
