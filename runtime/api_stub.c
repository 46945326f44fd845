/* SPDX-License-Identifier: Apache-2.0
 *
 * libtandem-api, which programs link: the functions of tandem.h, which do nothing here.  Under tandem the functions of
 * the same names in the preloaded library come first.  docs/decisions/0002-api-stub.md says why.
 *
 * Context: any.
 */
#include "runtime/tandem.h"

#define PUBLIC __attribute__((visibility("default")))

PUBLIC unsigned tandem_version(void)
{
    return 0;
}

PUBLIC int tandem_recording(void)
{
    return 0;
}

PUBLIC void tandem_off(void) {}

PUBLIC void tandem_on(void) {}

PUBLIC void tandem_event(uint32_t type, int64_t value) {}

PUBLIC void tandem_event_label(uint32_t type, const char *label) {}

PUBLIC void tandem_value_label(uint32_t type, int64_t value, const char *label) {}

PUBLIC tandem_region tandem_region_register(const char *name)
{
    return 0;
}

PUBLIC void tandem_region_begin(tandem_region region) {}

PUBLIC void tandem_region_end(tandem_region region) {}

PUBLIC tandem_counter tandem_counter_register(const char *name)
{
    return 0;
}

PUBLIC void tandem_counter_set(tandem_counter counter, int64_t value) {}
