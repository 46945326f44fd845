/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Types of arguments and results, from debug information (DWARF), as far as the calling convention of x86-64 needs them
 * (System V ABI, 3.2.3).  What it has a place of its own for (long double, vectors, complex numbers, 128 bits) is
 * TND_C_OTHER.
 */
#ifndef TND_DWARF_TYPE_H
#define TND_DWARF_TYPE_H

#include "cli/prototype.h"

#include <elfutils/libdw.h>

typedef enum { TND_DWARF_OTHER, TND_DWARF_C, TND_DWARF_CXX, TND_DWARF_FORTRAN } TndDwarfLanguage;

/* The language of a unit of compilation.  Arguments of functions in others are passed in ways of their own. */
TndDwarfLanguage tnd_dwarf_type_language(Dwarf_Die *unit);

/* The type that a parameter, a variable or a function has; TND_C_VOID: none. */
TndCType tnd_dwarf_type_of(Dwarf_Die *die);

/* The type of a parameter of Fortran, which stands for a pointer, unless it is passed by value. */
TndCType tnd_dwarf_type_of_fortran(Dwarf_Die *parameter);

#endif
