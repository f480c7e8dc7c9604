#!/usr/bin/env bash
# archive.sh SYSTEM: builds clopt and packs it with its licence and manual pages into
# dist/clopt-VERSION-SYSTEM.tar.gz, or .zip for Windows. CGO_CFLAGS must be set as in the Makefile.
set -euo pipefail
cd "$(dirname "$0")/../.."

system=$1
suffix=
[[ $system != windows-* ]] || suffix=.exe
version=$(sed -n 's/^const ToolVersion = "\(.*\)"$/\1/p' solvers/runs/version.go)
name=clopt-$version-$system
rm -rf "dist/$name"
mkdir -p "dist/$name"
go build -trimpath -buildvcs=auto -ldflags='-s -w' -o "dist/$name/clopt$suffix" ./cmd/clopt
"dist/$name/clopt$suffix" version
"dist/$name/clopt$suffix" man "dist/$name/man"
cp LICENSE README.md CHANGELOG.md "dist/$name"
if [ -n "$suffix" ]; then
    (cd dist && zip -qr "$name.zip" "$name")
else
    tar -czf "dist/$name.tar.gz" -C dist "$name"
fi
rm -rf "dist/$name"
