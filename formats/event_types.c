/* SPDX-License-Identifier: Apache-2.0
 *
 * Finding in the table of event types, which the build makes of event_types.tsv.  Cost: a binary search.
 *
 * Context: any; constant data (tnd_event_types_label formats: not in a handler).
 */
#include "formats/event_types.h"

#include <stdio.h>
#include <string.h>

const struct tnd_event_type *tnd_event_types_find(uint32_t type)
{
    size_t low = 0, high = tnd_event_types_n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (tnd_event_types[middle].last < type)
            low = middle + 1;
        else
            high = middle;
    }
    return low < tnd_event_types_n && tnd_event_types[low].type <= type ? &tnd_event_types[low] : NULL;
}

const struct tnd_event_value *tnd_event_types_value(uint32_t type, int64_t value)
{
    const struct tnd_event_type *found = tnd_event_types_find(type);
    if (!found)
        return NULL;
    size_t low = 0, high = found->n_values;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (found->values[middle].value < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low < found->n_values && found->values[low].value == value ? &found->values[low] : NULL;
}

bool tnd_event_types_label(uint32_t type, char *label, size_t size)
{
    const struct tnd_event_type *found = tnd_event_types_find(type);
    if (!found)
        return false;
    const char *mark = found->last > found->type ? strchr(found->label, '#') : NULL;
    if (!mark)
        snprintf(label, size, "%s", found->label);
    else
        snprintf(label, size, "%.*s%u%s", (int)(mark - found->label), found->label, (unsigned)(type - found->type + 1),
                 mark + 1);
    return true;
}
