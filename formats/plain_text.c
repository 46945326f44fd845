/* SPDX-License-Identifier: Apache-2.0
 *
 * Characters of C1, U+0080 to U+009F, are C2 and a byte below A0 in UTF-8.
 *
 * Context: any.
 */
#include "formats/plain_text.h"

#include <string.h>

void tnd_plain_text_make(char *text, const char *kept)
{
    for (unsigned char *at = (unsigned char *)text; *at; at++) {
        if (*at == 0xc2 && at[1] >= 0x80 && at[1] < 0xa0)
            at[0] = at[1] = '?';
        else if ((*at < ' ' || *at == 0x7f) && !strchr(kept, *at))
            *at = strchr("\t\n\r", *at) ? ' ' : '?';
    }
}
