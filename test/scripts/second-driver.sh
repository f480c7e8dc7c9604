#!/usr/bin/env bash
# second-driver.sh: runs bin/clopt on rusticl of Mesa, a driver of another vendor
# without float64. Sums are float pairs there, and fp64 must be refused instead of
# replaced by fp32. With SHORT set, as in `make test`, it runs one problem, and no
# self-test.
set -euo pipefail
cd "$(dirname "$0")/../.."

export RUSTICL_ENABLE=llvmpipe
dir=$(mktemp -d)
trap 'rm -rf "$dir" "$dir.binaries"' EXIT

export CLOPT_CACHE=$dir.binaries # $dir is emptied

bin/clopt devices
index=$(bin/clopt devices | awk '/llvmpipe/ && $1 ~ /^[0-9]+$/ { print $1; exit }')
[ -n "$index" ] || { echo "rusticl shows no device llvmpipe" >&2; exit 1; }

problems=(cec2013/f12)
if [ -z "${SHORT:-}" ]; then
    problems+=(cec2013/f1 cec2013/f4)
    echo "-- self-test"
    bin/clopt selftest -d "$index"
fi

echo "-- fp64 is refused with exit 3"
code=0
bin/clopt run cec2013/f1 -d "$index" --evals 1000 -q -o "$dir" || code=$?
[ $code -eq 3 ] || { echo "exit code $code, want 3" >&2; exit 1; }

best() { # best NAME DEVICES ARGUMENTS...: a run in fp32
    bin/clopt run "${@:3}" -d "$2" --precision fp32 --seed 1 -q -o "$dir" --name "$1"
}
echo "-- fp32, whole on one device and split over three"
for problem in "${problems[@]}"; do
    rm -rf "${dir:?}"/*
    best one "$index" $problem -n 3000 -s masw --set population=10 --set iterations=5 --evals 300
    best three "$index*3" $problem -n 3000 -s masw --set population=10 --set iterations=5 --evals 300
    cmp "$dir/one/best.npy" "$dir/three/best.npy"
    # The first run has stored the programs, and the second one has loaded them.
    loaded=$(grep -l "from its binary" "$dir/one/log.txt" "$dir/three/log.txt" || true)
    [ "$loaded" = "$dir/three/log.txt" ] || { echo "programs were loaded in: $loaded" >&2; exit 1; }
done

echo "-- a descent in fp32"
bin/clopt run test/testdata/chain.cl -n 100 -d "$index" --precision fp32 -s lbfgs --set descents=1 --seed 1 -q \
    -o "$dir" --name descent --target 1e-6 --require-target

echo "-- two kinds of device together, confirmed by the host"
bin/clopt run cec2013/f1 -d pocl,"$index" --precision fp32 -n 4000 -s masw --set population=10 --evals 300 \
    --seed 1 -q -o "$dir" --name both
[ -z "${CLOPT_BATTERY:-}" ] || echo "R14 $((2 + ${#problems[@]}))/$((2 + ${#problems[@]})) second-driver.sh" >>"$CLOPT_BATTERY"
