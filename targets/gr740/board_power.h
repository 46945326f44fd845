/* SPDX-License-Identifier: Apache-2.0
 *
 * The power model of a program's, as whole numbers.
 *
 * Context: at start, in a thread that may use floating point.
 */
#ifndef TND_BOARD_POWER_H
#define TND_BOARD_POWER_H

#include <stdint.h>

/* NULL, or what is wrong, as a sentence.  Power is *idle_uw while no processor runs, and *running_uw more for each.
 * name: the model's. */
const char *tnd_board_power_read(const char *text, uint32_t *idle_uw, uint32_t *running_uw, char name[static 32]);

#endif
