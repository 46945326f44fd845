/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sentences for the user, in the order in which they are told.
 */
#include "analysis/merge/base/merge_note.h"

#define MAX_NOTES 100

void tnd_merge_note(TndMerge *merge, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *note = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    GPtrArray *notes = merge->result->notes;
    if (notes->len >= MAX_NOTES || g_ptr_array_find_with_equal_func(notes, note, g_str_equal, NULL))
        g_free(note);
    else
        g_ptr_array_add(notes, note);
}
