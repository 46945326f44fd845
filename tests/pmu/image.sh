#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# image.sh CACHE: makes the emulated machine's disk of Debian's arm64 packages, unless it is there as this file has it:
#   CACHE/tree      the packages, unpacked: the cross compiler's sysroot
#   CACHE/root.img  the same as a file system, without the kernel's modules
#   CACHE/vmlinuz, CACHE/initrd.gz
#
# Nothing of the packages runs while it is made: they are downloaded by apt with a state of its own, and unpacked.  What
# their installation would do that is needed here, is done below by hand.  Takes a minute and a half.
set -euo pipefail
cache=$1
here=$(dirname "$(readlink -f "$0")")

packages='
base-files base-passwd bash coreutils dash sed grep gzip tar util-linux mount findutils diffutils mawk procps libc-bin
linux-image-arm64 busybox-static
libc6-dev gcc libgtk-3-dev libglib2.0-dev libcairo2-dev binutils-dev libiberty-dev zlib1g-dev fonts-dejavu-core
libopenmpi-dev openmpi-bin libomp5-14 libpapi-dev papi-tools python3-pytest
meson ninja-build pkg-config xvfb xauth xdotool
'
# In this order; none of them needs another that is not here.
modules='virtio_mmio virtio_blk crc16 crc32c_generic mbcache jbd2 ext4'

release=$(. /etc/os-release && echo "$VERSION_CODENAME")
mark="$release $(sha256sum <"$here/image.sh")"
[ "$(cat "$cache/mark" 2>/dev/null)" != "$mark" ] || exit 0
rm -rf "$cache/mark" "$cache/tree" "$cache/initrd"
mkdir -p "$cache"/apt/{state/lists/partial,archives/partial,none/partial,etc/{apt.conf.d,preferences.d,trusted.gpg.d}} "$cache"/{tree,initrd}

echo "image: packages of Debian $release for arm64"
key=/usr/share/keyrings/debian-archive-keyring.gpg
mirror=${TANDEM_PMU_MIRROR:-http://deb.debian.org}
cat >"$cache/apt/etc/sources.list" <<LIST
deb [signed-by=$key] $mirror/debian $release main
deb [signed-by=$key] $mirror/debian-security $release-security main
LIST
: >"$cache/apt/status"
cat >"$cache/apt/apt.conf" <<CONF
APT::Architecture "arm64";
APT::Architectures { "arm64"; };
APT::Install-Recommends "false";
APT::Sandbox::User "";
Acquire::Languages "none";
Dir::State "$cache/apt/state";
Dir::State::status "$cache/apt/status";
Dir::Cache "$cache/apt";
Dir::Etc "$cache/apt/etc";
Dir::Log "$cache/apt";
CONF
export APT_CONFIG=$cache/apt/apt.conf
apt-get -qq update
# shellcheck disable=SC2086
apt-get -qq --yes --download-only install $packages
# Which those are, versions included: all that one would download who had none.
# shellcheck disable=SC2086
apt-get -qq --yes --print-uris -o Dir::Cache::archives="$cache/apt/none" install $packages |
    cut -d' ' -f2 >"$cache/apt/wanted"

# Debian's packages take it for granted that these are links.
for name in bin sbin lib; do
    mkdir -p "$cache/tree/usr/$name"
    ln -s "usr/$name" "$cache/tree/$name"
done
unpack() {
    dpkg-deb --fsys-tarfile "$1" |
        tar -x -C "$2" --keep-directory-symlink --exclude='./usr/share/doc/*' --exclude='./usr/share/man/*' \
            --exclude='./usr/share/locale/*' --exclude='./usr/share/icons/*' --exclude='./usr/lib/*/libLLVM*' \
            --exclude='./lib/modules/*/kernel/drivers/[!bv]*' --exclude='./lib/modules/*/kernel/[ns]*'
}
export -f unpack
sed "s|^|$cache/apt/archives/|" "$cache/apt/wanted" |
    xargs -P 2 -I{} bash -euo pipefail -c 'unpack "$1" "$2"' unpack {} "$cache/tree"

echo "image: kernel, disk"
mv "$cache"/tree/boot/vmlinuz-* "$cache/vmlinuz"
mkdir -p "$cache"/initrd/{bin,new,dev}
for name in $modules; do
    find "$cache/tree/usr/lib/modules" -name "$name.ko" -exec cp {} "$cache/initrd/" \;
done
rm -rf "$cache"/tree/boot/* "$cache/tree/usr/lib/modules"
cp "$cache/tree/bin/busybox" "$cache/initrd/bin/"
cat >"$cache/initrd/init" <<INIT
#!/bin/busybox sh
busybox mount -t devtmpfs none /dev
for name in $modules; do
    [ ! -e /\$name.ko ] || busybox insmod /\$name.ko
done
busybox mount -t ext4 "\$(busybox findfs LABEL=root)" /new
busybox mount -t ext4 "\$(busybox findfs LABEL=work)" /new/tandem
busybox mount --move /dev /new/dev
exec busybox switch_root /new /bin/bash /tandem/guest.sh
INIT
chmod +x "$cache/initrd/init"
(cd "$cache/initrd" && find . | cpio --quiet -o -H newc | gzip -1) >"$cache/initrd.gz"

# By hand: users, links that alternatives would make.
cat >"$cache/tree/etc/passwd" <<'USERS'
root:x:0:0:root:/root:/bin/bash
user:x:1000:1000:user:/tmp:/bin/bash
USERS
printf 'root:x:0:\nuser:x:1000:\n' >"$cache/tree/etc/group"
printf '127.0.0.1 localhost\n' >"$cache/tree/etc/hosts"
mkdir -p "$cache/tree/tandem"
for name in mpicc mpirun mpiexec; do
    ln -sf "$name.openmpi" "$cache/tree/usr/bin/$name"
done
ln -sf mawk "$cache/tree/usr/bin/awk"
rm -f "$cache/root.img"
mkfs.ext4 -q -L root -O ^has_journal -m 0 -d "$cache/tree" "$cache/root.img" "$((3 * $(du -sm "$cache/tree" | cut -f1) / 2))m" >/dev/null
rm -rf "$cache/initrd"
echo "$mark" >"$cache/mark"
