/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of C++ functions for patterns.  No demangler: the process may have none.
 *
 * Context: any.
 */
#ifndef TND_LIBRARY_NAME_H
#define TND_LIBRARY_NAME_H

#include <stdbool.h>
#include <stddef.h>

/* The name of a C++ symbol with its classes and namespaces and without parameters, up to the first template:
 * QWidget::show, QWidget::~QWidget, QSize::operator.  False: it is no such symbol, or has no such name. */
bool tnd_library_name_plain(const char *symbol, char *name, size_t size);

#endif
