#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# packaging/build-deb.sh [DIRECTORY]: builds Debian packages of what is committed, and checks them with lintian.  They are
# left in the directory (packages).  What a build needs is in debian/control: `apt-get build-dep ./` in the source, or
# ./dev setup.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
mkdir -p "${1:-packages}"
out=$(readlink -f "${1:-packages}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
version=$(sed -n "s/^  version: '\(.*\)',$/\1/p" "$here/../meson.build")
source=$work/tandem-$version
mkdir "$source"
git -C "$here/.." archive HEAD | tar -x -C "$source"
mv "$source/packaging/debian" "$source/debian"
(cd "$source" && dpkg-buildpackage -us -uc -b "-j$(nproc)")
mv "$work"/*.deb "$work"/*.changes "$work"/*.buildinfo "$out"
lintian --fail-on error,warning "$out"/*.changes
