/* SPDX-License-Identifier: Apache-2.0
 *
 * Sentences made of texts and numbers.  Context: any.
 */
#include "runtime/sentence.h"

#include <stdarg.h>

void tnd_sentence(char *text, size_t size, const char *first, ...)
{
    size_t n = 0;
    va_list more;
    va_start(more, first);
    for (const char *part = first; part; part = va_arg(more, const char *))
        while (*part && n + 1 < size)
            text[n++] = *part++;
    va_end(more);
    text[n] = 0;
}

const char *tnd_sentence_number(char digits[static TND_SENTENCE_NUMBER_BYTES], uint32_t number)
{
    char *first = digits + TND_SENTENCE_NUMBER_BYTES - 1;
    *first = 0;
    do
        *--first = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    return first;
}
