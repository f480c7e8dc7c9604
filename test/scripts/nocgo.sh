#!/usr/bin/env bash
# nocgo.sh: tests the calls of drivers without cgo, and makes a run whose best point must have the bits of that of
# bin/clopt.
set -euo pipefail
cd "$(dirname "$0")/../.."

export CGO_ENABLED=0
go build -o bin/clopt-nocgo ./cmd/clopt
go test ${SHORT:-} -vet=off -count=1 -timeout=5m ./cl ./internal/cl/crash
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
for program in clopt clopt-nocgo; do
    bin/$program run cec2013/f1 -n 1000 --seed 1 --evals 1000 -q -o "$dir" --name $program
done
cmp "$dir"/clopt*/best.npy
