#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Builds tandem in the emulated machine: the libraries, the command and the unit tests.  Viewer and benchmarks, which nothing
# there uses, would take as long again.
set -e
started=$SECONDS
cd /tandem/build
[ -f build.ninja ] || CC=gcc meson setup . /tandem/source -Dwerror=true -Dtests=true # no alternatives there: cc is not known
# shellcheck disable=SC2046
TERM=dumb ninja $(ninja -t targets all |
    sed -nE 's/^((runtime\/)?libtandem[a-z-]*\.so[0-9.]*|cli\/tandem|tests\/unit\/test_[a-z0-9_]+): .*LINKER.*/\1/p')
gcc -v 2>&1 | tail -1
uname -srm
echo "built there in $((SECONDS - started)) s"
