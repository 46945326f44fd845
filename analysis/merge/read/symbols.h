/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names, files and lines of code addresses, by libbfd: executables, PIE, shared libraries; of a stripped one what its
 * dynamic symbols give.
 */
#ifndef TND_SYMBOLS_H
#define TND_SYMBOLS_H

#include <glib.h>

typedef struct TndSymbols TndSymbols;

/* A function that the compiler put into another one's code.  Lines are right; of some functions libbfd (2.40) does not
 * know the name, and gives that of the one around. */
typedef struct TndSymbolInlined {
    const char *function; /* demangled */
    const struct TndSymbolInlined *into;
    const char *into_file; /* with the line: where it is in the function around */
    guint into_line;
} TndSymbolInlined;

typedef struct {
    /* The demangled name; of code without a symbol the place where it begins, "gzip+0x4a30"; NULL: it is not known. */
    const char *function;
    const char *file;                /* base name or path, as the debug information has it; NULL: it is not known */
    guint line;                      /* 0: it is not known */
    const char *module;              /* base name of the file that the code is in */
    const TndSymbolInlined *inlined; /* whose file and line these are, innermost first; NULL: those of `function` */
} TndSymbol;

TndSymbols *tnd_symbols_new(void);
void tnd_symbols_free(TndSymbols *symbols);

/* offset: address as in the file (address at run time minus load bias).  The answer lives as long as `symbols`; asked
 * again it costs a hash look-up. */
const TndSymbol *tnd_symbols_find(TndSymbols *symbols, const char *path, guint64 offset);

/* The name in C++ of a mangled symbol, with its parameters; NULL: it is none.  Free with g_free. */
char *tnd_symbols_demangle(const char *symbol);

#endif
