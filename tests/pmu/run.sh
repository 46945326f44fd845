#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# `./dev pmu [COMMAND...]`: an emulated arm64 machine, whose processor counts cycles and instructions as no virtual
# machine of ours does: tandem is compiled for it, and check.py (or the command) runs there.  Ends with the status.
#
# The machine's disk is made of Debian's packages once (image.sh), and kept in $TANDEM_PMU_CACHE (~/.cache/tandem-pmu).
# Nothing that the machine writes is kept.  tandem is compiled outside, by the cross compiler against that disk: inside
# it would take far longer.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
cache=${TANDEM_PMU_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/tandem-pmu}
limit=${TANDEM_PMU_SECONDS:-900}
mkdir -p "$cache"
cache=$(readlink -f "$cache")
exec 9>"$cache/lock"
flock 9
tests/pmu/image.sh "$cache"

cat >"$cache/pkg-config" <<END
#!/bin/sh
tree=$cache/tree
export PKG_CONFIG_SYSROOT_DIR=\$tree PKG_CONFIG_LIBDIR=\$tree/usr/lib/aarch64-linux-gnu/pkgconfig:\$tree/usr/share/pkgconfig
exec pkg-config "\$@"
END
chmod +x "$cache/pkg-config"
cat >"$cache/cross" <<END
[binaries]
c = ['aarch64-linux-gnu-gcc', '--sysroot=$cache/tree']
ar = 'aarch64-linux-gnu-ar'
strip = 'aarch64-linux-gnu-strip'
pkgconfig = '$cache/pkg-config'
pkg-config = '$cache/pkg-config'
[properties]
needs_exe_wrapper = true
[host_machine]
system = 'linux'
cpu_family = 'aarch64'
cpu = 'aarch64'
endian = 'little'
END
if [ ! build-arm64/build.ninja -nt "$cache/mark" ]; then
    rm -rf build-arm64
    meson setup build-arm64 --cross-file "$cache/cross" -Dwerror=true >/dev/null
fi
ninja -C build-arm64 --quiet >build-arm64/dev-build.log 2>&1 || { cat build-arm64/dev-build.log; exit 1; }

# What was built, and this clone, as the machine's second disk.
work=$(mktemp -d "$cache/work.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/disk/{build,source}
cp tests/pmu/guest.sh "$work/disk/"
if [ $# -gt 0 ]; then printf '%s\n' "$*"; else echo 'exec python3 /tandem/source/tests/pmu/check.py'; fi >"$work/disk/command"
tar -c -C build-arm64 --exclude='*.p' --exclude='*.a' --exclude=meson-* --exclude='./tests/bench' . |
    tar -x -C "$work/disk/build"
git ls-files -z --cached --others --exclude-standard | tar -c --null --exclude='tests/fuzz' --ignore-failed-read -T - |
    tar -x -C "$work/disk/source"
mkfs.ext4 -q -L work -O ^has_journal -m 0 -d "$work/disk" "$work/disk.img" "$((64 + 3 * $(du -sm "$work/disk" | cut -f1) / 2))m" >/dev/null

# One processor and a fixed shift: with two, or as QEMU would choose, counts of instructions are wrong or missing.
exec 9>&-
timeout --foreground --kill-after=5 "$limit" qemu-system-aarch64 -M virt -cpu cortex-a57 -m 1G -smp 1 -icount shift=0 \
    -kernel "$cache/vmlinuz" -initrd "$cache/initrd.gz" -append 'console=ttyAMA0 rdinit=/init panic=-1 quiet norandmaps nokaslr' \
    -drive "file=$cache/root.img,format=raw,if=none,id=root" -device virtio-blk-device,drive=root \
    -drive "file=$work/disk.img,format=raw,if=none,id=work" -device virtio-blk-device,drive=work \
    -nic none -display none -monitor none -serial stdio -no-reboot -snapshot </dev/null |
    sed -u 's|\r$||' | tee "$work/console"
status=$(sed -n 's/^status of the machine: //p' "$work/console")
[ -n "$status" ] || { echo "the machine did not come to its end within $limit s" >&2; exit 1; }
exit "$status"
