/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Appends pieces of HTML to a text, and escapes what they hold.
 */
#include "cli/page_text.h"

#include "analysis/base/quantity.h"
#include "cli/cli.h"
#include "formats/output_file.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

static const char style[] =
    ":root{color-scheme:light dark;--paper:#fff;--ink:#1b1d21;--faint:#5d636d;--rule:#d5d8dd;--useful:#2a6fb0;"
    "--mpi:#c4572f;--openmp:#b3882a;--other:#b9bec7;--cell:42,111,176;"
    "--good:#1b7f3b;--fair:#9a6a00;--poor:#b3261e}\n"
    "@media (prefers-color-scheme:dark){:root{--paper:#16181c;--ink:#e6e8eb;--faint:#a2a8b2;--rule:#3a3e46;"
    "--useful:#5b9bd8;--mpi:#e0794f;--openmp:#d3ab4e;--other:#5a606b;--cell:91,155,216;"
    "--good:#5cc97e;--fair:#e0b040;--poor:#ff8a80}}\n"
    "body{background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,sans-serif;margin:0 auto;max-width:1200px;"
    "padding:1em}\n"
    "h1{font-size:1.5em;overflow-wrap:anywhere}h2{font-size:1.2em;margin-top:2em;border-bottom:1px solid var(--rule)}\n"
    "p{max-width:75ch;overflow-wrap:anywhere}.wide{overflow-x:auto}table{border-collapse:collapse}\n"
    "th,td{padding:.2em .7em;text-align:left;vertical-align:top;border-bottom:1px solid var(--rule)}\n"
    "th{color:var(--faint);font-weight:600}td:last-child{overflow-wrap:anywhere;min-width:9em}\n"
    ".n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}\n"
    "img{width:100%;height:auto;min-width:760px}.wide svg{display:block}svg "
    "text{fill:currentColor}.light{background:#fff;"
    "color:#000}\n"
    ".good{color:var(--good)}.fair{color:var(--fair)}.poor{color:var(--poor)}\n"
    ".key{display:inline-block;width:.8em;height:.8em;margin:0 .4em 0 1em}\n"
    "ul.tree,ul.tree ul{list-style:none;padding-left:1.1em;margin:0}ul.tree{padding:0;min-width:max-content}\n"
    "ul.tree b{font-weight:400;color:var(--faint);font-variant-numeric:tabular-nums}\n"
    "@media (max-width:600px){body{font-size:14px;padding:.6em}th,td{padding:.2em .4em}}\n"
    "@media print{body{max-width:none;font-size:10px}section{break-inside:auto}h2{break-after:avoid}"
    ".wide{overflow:visible}img{min-width:0}tr{break-inside:avoid}}\n";

char *tnd_page_text_escape(const char *text)
{
    char *shown = tnd_quantity_shown(text), *valid = g_utf8_make_valid(shown, -1);
    GString *clean = g_string_new(NULL);
    for (const char *at = valid; *at; at = g_utf8_next_char(at)) {
        gunichar character = g_utf8_get_char(at);
        g_string_append_unichar(clean, g_unichar_iscntrl(character) && character != '\t' ? 0xfffd : character);
    }
    char *escaped = g_markup_escape_text(clean->str, -1);
    g_string_free(clean, TRUE);
    g_free(valid);
    g_free(shown);
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

void tnd_page_text_begin(GString *html, const char *heading, const char *what)
{
    char *escaped = tnd_page_text_escape(heading);
    g_string_append_printf(html,
                           "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                           "<link rel=\"icon\" href=\"data:,\">\n"
                           "<title>%s: %s</title>\n<style>\n%s</style>\n</head>\n<body>\n<h1>%s</h1>\n",
                           escaped, what, style, escaped);
    g_free(escaped);
}

gboolean tnd_page_text_write(GString *html, const char *path)
{
    g_string_append(html, "<footer><p>Written by tandem " TND_VERSION ".</p></footer>\n</body>\n</html>\n");
    gboolean is_written = tnd_output_file_write(path, html->str, html->len);
    if (!is_written)
        tnd_cli_complain(path, "%s", tnd_output_file_reason(errno));
    g_string_free(html, TRUE);
    return is_written;
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
        if (*kind == 'h')
            g_string_append(html, text);
        else
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
