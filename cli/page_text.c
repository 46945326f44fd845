/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Appends pieces of HTML to a text, and escapes what they hold.
 */
#include "cli/page_text.h"

#include "analysis/base/quantity.h"

#include <stdarg.h>
#include <string.h>

char *tnd_page_text_escape(const char *text)
{
    char *valid = g_utf8_make_valid(text, -1);
    GString *clean = g_string_new(NULL);
    for (const char *at = valid; *at; at = g_utf8_next_char(at)) {
        gunichar character = g_utf8_get_char(at);
        g_string_append_unichar(clean, g_unichar_iscntrl(character) && character != '\t' ? 0xfffd : character);
    }
    char *escaped = g_markup_escape_text(clean->str, -1);
    g_string_free(clean, TRUE);
    g_free(valid);
    return escaped;
}

static void put_escaped(GString *html, const char *text)
{
    char *escaped = tnd_page_text_escape(text);
    g_string_append(html, escaped);
    g_free(escaped);
}

void tnd_page_text_paragraph(GString *html, char *text)
{
    g_string_append(html, "<p>");
    put_escaped(html, text);
    g_string_append(html, "</p>\n");
    g_free(text);
}

void tnd_page_text_section(GString *html, const char *title, const char *help)
{
    g_string_append(html, "<section>\n<h2>");
    put_escaped(html, title);
    g_string_append(html, "</h2>\n");
    if (help)
        tnd_page_text_paragraph(html, g_strdup(help));
}

void tnd_page_text_section_end(GString *html)
{
    g_string_append(html, "</section>\n");
}

void tnd_page_text_table(GString *html, const char *titles)
{
    char **words = g_strsplit(titles, "|", -1);
    g_string_append(html, "<div class=\"wide\"><table>\n<thead><tr>");
    for (char **word = words; *word; word++) {
        gboolean is_number = **word == '#';
        g_string_append(html, is_number ? "<th class=\"n\" scope=\"col\">" : "<th scope=\"col\">");
        put_escaped(html, *word + is_number);
        g_string_append(html, "</th>");
    }
    g_string_append(html, "</tr></thead>\n<tbody>\n");
    g_strfreev(words);
}

void tnd_page_text_table_end(GString *html, guint n_left)
{
    g_string_append(html, "</tbody></table></div>\n");
    char *more = tnd_quantity_text(n_left, "");
    if (n_left)
        tnd_page_text_paragraph(html, g_strdup_printf("... and %s more", more));
    g_free(more);
}

void tnd_page_text_row(GString *html, const char *kinds, ...)
{
    va_list cells;
    va_start(cells, kinds);
    g_string_append(html, "<tr>");
    for (const char *kind = kinds; *kind; kind++) {
        char *text = va_arg(cells, char *);
        g_string_append(html, *kind == 'n' ? "<td class=\"n\">" : "<td>");
        put_escaped(html, text);
        g_string_append(html, "</td>");
        g_free(text);
    }
    g_string_append(html, "</tr>\n");
    va_end(cells);
}

char *tnd_page_text_percent(double share)
{
    return tnd_quantity_text(100 * share, "%");
}
