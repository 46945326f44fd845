/* SPDX-License-Identifier: Apache-2.0
 *
 * What names mean that the user gives to libraries and their functions.  No demangler: the process may have none.
 *
 * Context: any; tnd_library_name_means takes 9 KiB of stack.
 */
#ifndef TND_LIBRARY_NAME_H
#define TND_LIBRARY_NAME_H

#include <stdbool.h>
#include <stddef.h>

/* The name of a C++ symbol with its classes and namespaces and without parameters, up to the first template:
 * QWidget::show, QWidget::~QWidget, QSize::operator.  False: it is no such symbol, or has no such name. */
bool tnd_library_name_plain(const char *symbol, char *name, size_t size);

/* Whether the pattern, with * and ?, means the library of that path: by its name with or without "lib" and ".so" or
 * ".a" (fftw3f, libfftw3f), by its file's name, also without the version (libfftw3f.so.3, libfftw3f.so), or, if the
 * pattern has a slash, by its path. */
bool tnd_library_name_means(const char *pattern, const char *path);

/* Whether functions of that name are never wrapped, whatever the user wants. */
bool tnd_library_name_is_left_alone(const char *symbol);

#endif
