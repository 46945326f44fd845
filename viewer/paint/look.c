/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a look means for a view.
 */
#include "viewer/paint/look.h"

TndDrawMode tnd_look_mode(const TndLook *look, gboolean are_codes)
{
    return look->mode == TND_MODE_AVERAGE && are_codes ? TND_MODE_TIME : look->mode;
}
