/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A plug-in that makes events.
 */
#include "runtime/tandem.h"

void run(void);

void run(void)
{
    for (int i = 0; i < 100; i++)
        tandem_event(1000, i);
}
