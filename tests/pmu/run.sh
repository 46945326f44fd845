#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# `./dev pmu [--build-there] [COMMAND...]`: an emulated arm64 machine, whose processor counts cycles and instructions as no
# virtual machine of ours does: tandem is compiled for it, and check.py (or the command) runs there.  Ends with the status.
#
# The machine's disk is made of Debian's packages once (image.sh), and kept in $TANDEM_PMU_CACHE (~/.cache/tandem-pmu).
# Nothing that the machine writes is kept.  tandem is compiled outside, by the cross compiler against that disk; with
# --build-there by the machine itself, in a boot of its own, which takes far longer.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
cache=${TANDEM_PMU_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/tandem-pmu}
build_there=
if [ "${1:-}" = --build-there ]; then
    build_there=yes
    shift
fi
limit=${TANDEM_PMU_SECONDS:-$([ "$build_there" ] && echo 14400 || echo 900)} # for a boot
mkdir -p "$cache"
cache=$(readlink -f "$cache")
exec 9>"$cache/lock"
flock 9
tests/pmu/image.sh "$cache"

# Outside, into build-arm64/.
compile() {
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
        meson setup build-arm64 --cross-file "$cache/cross" -Dwerror=true -Dtests=true >/dev/null
    fi
    ninja -C build-arm64 --quiet >build-arm64/dev-build.log 2>&1 || { cat build-arm64/dev-build.log; exit 1; }
}

# The second disk: this clone, what was or will be built, and what the machine is to do when it is booted for it.
work=$(mktemp -d "$cache/work.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/disk/{build,source}
cp tests/pmu/guest.sh tests/pmu/build_there.sh "$work/disk/"
if [ $# -gt 0 ]; then printf '%s\n' "$*"; else echo 'exec python3 /tandem/source/tests/pmu/check.py'; fi >"$work/disk/command.sh"
free=64
if [ "$build_there" ]; then
    free=1500
else
    compile
    tar -c -C build-arm64 --exclude='*.p' --exclude='*.a' --exclude=meson-* --exclude='./tests/bench' . |
        tar -x -C "$work/disk/build"
fi
git ls-files -z --cached --others --exclude-standard | tar -c --null --exclude='tests/fuzz/corpus' --ignore-failed-read -T - |
    tar -x -C "$work/disk/source"
mkfs.ext4 -q -L work -O ^has_journal -m 0 -d "$work/disk" "$work/disk.img" "$((free + 3 * $(du -sm "$work/disk" | cut -f1) / 2))m" >/dev/null
exec 9>&-

# boot SCRIPT OPTIONS...: the machine, with these options of QEMU's; ends with the status of the script.
boot() {
    local script=$1 status
    shift
    timeout --foreground --kill-after=5 "$limit" qemu-system-aarch64 -M virt -cpu cortex-a57 "$@" \
        -kernel "$cache/vmlinuz" -initrd "$cache/initrd.gz" \
        -append "console=ttyAMA0 rdinit=/init panic=-1 quiet norandmaps nokaslr script=$script" \
        -drive "file=$cache/root.img,format=raw,if=none,id=root,snapshot=on" -device virtio-blk-device,drive=root \
        -drive "file=$work/disk.img,format=raw,if=none,id=work" -device virtio-blk-device,drive=work \
        -nic none -display none -monitor none -serial stdio -no-reboot </dev/null |
        sed -u 's|\r$||' | tee "$work/console" || true
    status=$(sed -n 's/^status of the machine: //p' "$work/console")
    [ -n "$status" ] || { echo "the machine did not come to its end within $limit s" >&2; return 1; }
    return "$status"
}

[ -z "$build_there" ] || boot build_there.sh -m 2G -smp 2
# One processor and a fixed shift: with two, or as QEMU would choose, counts of instructions are wrong or missing.
boot command.sh -m 1G -smp 1 -icount shift=0
