#!/usr/bin/env bash
# bare.sh DIST: installs the package of a release in a bare Debian, makes a run there, and says how long both took. It
# needs root, debootstrap, and a mirror of Debian (MIRROR). SUITE is the release of Debian.
set -euo pipefail
dist=$(realpath "$1")
package=$(echo "$dist"/clopt_*_"$(dpkg --print-architecture)".deb)
[ -e "$package" ] || { echo "bare.sh: no package in $dist; run: make release" >&2; exit 1; }

root=$(mktemp -d)
trap 'umount "$root/proc" "$root/sys" 2>/dev/null || true; rm -rf --one-file-system "$root" "$root.log"' EXIT
debootstrap --variant=minbase "${SUITE:-bookworm}" "$root" "${MIRROR:-http://deb.debian.org/debian}" >"$root.log" ||
    { cat "$root.log"; exit 1; }
mount -t proc proc "$root/proc"
mount -t sysfs sys "$root/sys" # PoCL reads the processors there
cp "$package" "$root/clopt.deb"

began=$(date +%s)
inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive "$@"; }
inside apt-get update -q
inside apt-get install -qy ./clopt.deb
installed=$(date +%s)
inside clopt version
inside clopt run cec2013/f1 -n 10000 --seed 1 --time 10s -o /run1
! inside sh -c 'command -v cc gcc go || ls /usr/include/CL' 2>/dev/null # nothing else brought it
echo "-- installed in $((installed - began)) s, ran in $(($(date +%s) - installed)) s"
