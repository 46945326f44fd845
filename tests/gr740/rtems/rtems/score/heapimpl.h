/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * In place of a header of RTEMS: rtems_model.h.
 */
#include "tests/gr740/rtems/rtems_model.h"
