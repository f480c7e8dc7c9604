#!/usr/bin/env bash
# release.sh [DIR]: makes all files of a release in DIR (dist), on one Linux machine, without a C compiler:
#
#   clopt-VERSION-SYSTEM.tar.gz   program, licence and manual pages for each system; .zip for Windows
#   clopt-VERSION-SYSTEM.cdx.json what the program is made of (CycloneDX)
#   clopt_VERSION_ARCH.deb, clopt-VERSION-1.ARCH.rpm
#   clopt.rb                      a Homebrew formula
#   SHA256SUMS
#
# The same commit and the same Go make the same bytes. All it takes from the network are Go modules, which the module
# cache may have. SYSTEMS and TOOLS in the environment name fewer systems, and no tools: TOOLS=no leaves packages and
# lists of parts out.
set -euo pipefail
cd "$(dirname "$0")/../.."

dist=$(realpath -m "${1:-dist}")
systems=${SYSTEMS:-linux-amd64 linux-arm64 darwin-amd64 darwin-arm64 windows-amd64 windows-arm64}
VERSION=$(sed -n 's/^const ToolVersion = "\(.*\)"$/\1/p' solvers/runs/identity.go)
[ -n "$VERSION" ] || { echo "release.sh: no version in solvers/runs/identity.go" >&2; exit 1; }
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export VERSION SOURCE_DATE_EPOCH CGO_ENABLED=0 TZ=UTC LC_ALL=C
export GOFLAGS=-trimpath
umask 022
program() { env -u GOOS -u GOARCH go tool -modfile=test/scripts/tools.mod -n "$1"; } # the path of a pinned tool

rm -rf "$dist"
mkdir -p "$dist"
config=$PWD/test/scripts/nfpm.yaml
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT

# What all systems have, made by the program for this one.
build() { # build FILE: compiles the command for GOOS and GOARCH
    go build -buildvcs=true -ldflags='-s -w -buildid=' -o "$1" ./cmd/clopt
}
build "$stage/clopt"
"$stage/clopt" man "$stage/man"
for shell in bash zsh fish; do "$stage/clopt" completion $shell >"$stage/clopt.$shell"; done

for system in $systems; do
    echo "-- $system"
    export GOOS=${system%-*} GOARCH=${system#*-}
    name=clopt-$VERSION-$system
    mkdir "$stage/$name"
    program=$stage/$name/clopt
    [ "$GOOS" != windows ] || program+=.exe
    build "$program"
    cp -r "$stage/man" LICENSE README.md CHANGELOG.md "$stage/$name"
    find "$stage/$name" -exec touch -d "@$SOURCE_DATE_EPOCH" {} +
    if [ "$GOOS" = windows ]; then
        (cd "$stage" && find "$name" -type f | sort | zip -qX "$dist/$name.zip" -@)
    else
        tar -C "$stage" --sort=name --owner=0 --group=0 --numeric-owner --mode=u+w,go-w -cf - "$name" |
            gzip -n9 >"$dist/$name.tar.gz"
    fi
    [ "${TOOLS:-}" != no ] || continue
    "$(program cyclonedx-gomod)" bin -json -noserial -notimestamp -version "v$VERSION" \
        -output "$dist/$name.cdx.json" "$program"
    [ "$GOOS" = linux ] || continue
    gzip -n9r "$stage/$name/man"
    rm -rf "$stage/package"
    mv "$stage/$name" "$stage/package" # where nfpm.yaml looks
    find "$stage/package" "$stage"/clopt.* -exec touch -d "@$SOURCE_DATE_EPOCH" {} +
    nfpm=$(program nfpm)
    for format in deb rpm; do
        (cd "$stage" && ARCH=$GOARCH "$nfpm" package -f "$config" -p $format -t "$dist")
    done
done

# The formula has the sums of the archives that it fetches.
sum() { sha256sum "$dist/clopt-$VERSION-$1.tar.gz" 2>/dev/null | cut -d' ' -f1; }
sed -e "s/@VERSION@/$VERSION/" -e "s/@DARWIN_ARM64@/$(sum darwin-arm64)/" -e "s/@DARWIN_AMD64@/$(sum darwin-amd64)/" \
    -e "s/@LINUX_ARM64@/$(sum linux-arm64)/" -e "s/@LINUX_AMD64@/$(sum linux-amd64)/" \
    test/scripts/formula.rb >"$dist/clopt.rb"
(cd "$dist" && sha256sum clopt* >SHA256SUMS && ls -l)
