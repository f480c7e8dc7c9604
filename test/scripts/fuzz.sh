#!/usr/bin/env bash
# fuzz.sh TIME: runs every fuzz target of every package for TIME.
set -euo pipefail
cd "$(dirname "$0")/../.."

time=${1:-3s}
targets=0
packages=$(go list ./...)
for package in $packages; do
    # The last line of -list is "ok PACKAGE". -list fails if the tests do not build.
    list=$(go test -list '^Fuzz' "$package")
    for name in $(grep '^Fuzz' <<<"$list" || true); do
        echo "-- $package $name"
        go test -run='^$' -fuzz="^$name\$" -fuzztime="$time" "$package"
        targets=$((targets + 1))
    done
done
if [ $targets -eq 0 ]; then
    echo "fuzz: found no fuzz target" >&2
    exit 1
fi
echo "fuzz: $targets targets"
