/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pieces of the pages that `tandem report --output` and `tandem compare --output` write, as HTML: every text that comes
 * from a trace is escaped here.
 */
#ifndef TND_PAGE_TEXT_H
#define TND_PAGE_TEXT_H

#include <glib.h>

/* Text for HTML and SVG.  Bytes that are no UTF-8, and control characters, become marks of replacement.  Free with
 * g_free. */
char *tnd_page_text_escape(const char *text);

/* The head of a page.  what: what the page is, for its title. */
void tnd_page_text_begin(GString *html, const char *heading, const char *what);

/* Ends the page, writes the file, or leaves what is there as it was, and frees the text.  FALSE: complained. */
gboolean tnd_page_text_write(GString *html, const char *path);

/* A paragraph.  Takes text, and frees it. */
void tnd_page_text_paragraph(GString *html, char *text);

/* A section with its heading, and a sentence on what is in it (may be NULL).  Ended by tnd_page_text_section_end. */
void tnd_page_text_section(GString *html, const char *title, const char *help);
void tnd_page_text_section_end(GString *html);

/* A table.  titles: of the columns, separated by |; a number's begins with #.  Ended by tnd_page_text_table_end, which
 * also says how many rows of all are not shown. */
void tnd_page_text_table(GString *html, const char *titles);
void tnd_page_text_table_end(GString *html, guint n_left);

/* A row: for each character of kinds a char *, which is freed.  n: a number, t: a text, h: HTML. */
void tnd_page_text_row(GString *html, const char *kinds, ...);

/* 0.123 as "12.3 %".  Free with g_free. */
char *tnd_page_text_percent(double share);

#endif
