#!/usr/bin/env bash
# fetch-cec2013.sh DIR [ARCHIVE]: fetches the official data of the CEC'2013 functions into DIR/cec2013lsgo, so that
# "clopt --data DIR" and CLOPT_DATA=DIR find them.
#
# The data were published with the benchmark by X. Li, K. Tang, M. N. Omidvar, Z. Yang and K. Qin (2013). They come from
# the package of D. Molina, under the GNU General Public License, so they are not part of this repository. ARCHIVE is
# that package as a .tar.gz file that was fetched before. The contents are compared with a known SHA-256.
set -euo pipefail

commit=12ad8573947156458902e5dcde3a73cb10f4f14a
url=https://github.com/dmolina/cec2013lsgo/archive/$commit.tar.gz
# of the output of "sha256sum F*.txt"
known=7171566f0f065d45005d512fdb625aae4b1532fa22e057e42bba48ebf09521cf

if [ $# -lt 1 ] || [ $# -gt 2 ]; then
    echo "usage: fetch-cec2013.sh DIR [ARCHIVE]" >&2
    exit 2
fi
target=$1/cec2013lsgo
if [ -e "$target" ]; then
    echo "fetch-cec2013.sh: $target exists; remove it, or name another folder" >&2
    exit 2
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
archive=${2:-$work/package.tar.gz}
if [ $# -eq 1 ]; then
    curl --fail --silent --show-error --location --output "$archive" "$url"
fi
tar -xzf "$archive" -C "$work"
mapfile -t files < <(find "$work" -path "*/cdatafiles/F*.txt")
if [ "${#files[@]}" -eq 0 ]; then
    echo "fetch-cec2013.sh: ${2:-$url} has no folder cdatafiles" >&2
    exit 1
fi
folder=$(dirname "${files[0]}")
found=$(cd "$folder" && LC_ALL=C sha256sum F*.txt | sha256sum | cut -d' ' -f1)
if [ "$found" != "$known" ]; then
    echo "fetch-cec2013.sh: the files have SHA-256 $found instead of $known; they are not stored" >&2
    exit 1
fi
mkdir -p "$target"
cp "$folder"/F*.txt "$target"
echo "${#files[@]} files in $target; use --data $1 or CLOPT_DATA=$1"
