#!/usr/bin/env bash
# times.sh [SECONDS]...: runs every form of every method with bin/clopt and --time SECONDS (2, 5 and 20), each with an
# empty kernel cache, and prints a table: seconds by the clock of the run, then in brackets seconds of the whole
# command. The run may take 1.2 times its limit; the script fails if one takes longer. Start-up, confirmation and
# storing come on top of it. Nothing else should run on the machine.
set -euo pipefail
cd "$(dirname "$0")/../.."

limits=("$@")
[ $# -gt 0 ] || limits=(2 5 20)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# seconds NAME TEXT...: the number after "NAME": in the first lines of a result.
seconds() { sed -n "s/^  \"$1\": \([0-9.e+-]*\),*$/\1/p" "$2"; }

late=0
printf '| run |'; printf ' %s s |' "${limits[@]}"; echo
printf '|---|'; printf -- '---|%.0s' "${limits[@]}"; echo
while read -r form; do
    [ -n "$form" ] || continue
    printf '| `%s` |' "$form"
    for limit in "${limits[@]}"; do
        rm -rf "${dir:?}"/*
        began=$(date +%s.%N)
        code=0
        # shellcheck disable=SC2086 # a form is several words
        POCL_CACHE_DIR=$dir/cache bin/clopt run $form --time "${limit}s" --seed 1 -q -o "$dir" --name run \
            >"$dir/out" 2>&1 || code=$?
        whole=$(date +%s.%N)
        if [ $code -ne 0 ]; then
            late=1
            printf ' exit %s |' "$code"
            cat "$dir/out" >&2
            continue
        fi
        took=$(seconds seconds "$dir/run/result.json")
        awk -v t="$took" -v l="$limit" -v w="$whole" -v b="$began" \
            'BEGIN { late = (t > 1.2*l); printf(" %.2f (%.1f)%s |", t, w-b, late ? " LATE" : ""); exit late }' || late=1
    done
    echo
done <<'FORMS'
cec2013/f12 -n 3000 -s masw
cec2013/f4 -n 1e5 -s masw --set mates=1
cec2013/f2 -n 1e6 -s masw --set portion=1e5
test/testdata/auto/regression.cl -s masw
cec2013/f2 -n 2000 -s random
cec2013/f1 -n 1e6 -s random
cec2013/f8 -n 2000 -s graybox
cec2013/f1 -n 1e6 -s graybox
cec2013/f12:mode=paper -n 7000 -s graybox --set search=mts
cec2013/f4 -n 1000 -s graybox --set search=cma
test/testdata/auto/regression.cl -s graybox
cec2013/f1 -n 1000 -s masw-seq
cec2013/f13 -s masw-seq --set on=host
classic/griewank -n 60 -s sa
test/testdata/auto/ackley.cl -n 1000 -s sa
test/testdata/auto/regression.cl -s sa
classic/rastrigin -n 1e5 -s sa --set variant=v1 --set neighbour=adaptive
classic/rosenbrock -n 60 -s sa --set variant=hybrid
classic/rosenbrock -n 60 -s sa --set variant=hybrid --set local=lbfgs
classic/F15 -s sa --set variant=v2 --set local=coordinate
classic/griewank -n 1000 -s sa --set variant=v0
test/testdata/chain.cl -n 1500 -s sa --set variant=sweeps
classic/rosenbrock -n 1e6 -s sa --set variant=sweeps
classic/levy_chain -n 100 -s cgrasp
test/testdata/auto/ackley.cl -n 1000 -s cgrasp
classic/dixon_price -n 2000 -s cgrasp --set evaluation=full
classic/levy_chain -n 100 -s cgrasp --set variant=seq
cec2013/f12:mode=paper -n 7000 -s lbfgs
test/testdata/auto/ackley.cl -n 1000 -s lbfgs
cec2013/f13 -n 3000 -s lm
test/testdata/squares.cl -n 1e5 -s lm
test/testdata/chain.cl -n 1e5 -s relay
test/testdata/auto/ackley.cl -n 1000
maxcut:torus=60x60,weights=pm1,seed=1 -s mixing
maxcut:torus=40x40,weights=pm1,seed=1 -s gomea
maxcut:torus=100x200,weights=pm1,seed=1 -s gomea --set local=sa
maxcut:torus=30x30,weights=pm1,seed=1 -s gomea --set variant=serial
maxcut:gnp=500,p=0.1,weights=1..99,seed=1 -s annealgraph
maxcut:gnp=2000,p=1,weights=-1..1,seed=1 -s annealgraph
maxcut:gnp=2000,p=1,weights=-1..1,seed=1
maxcut:gnp=500,p=0.1,weights=1..99,seed=1 -s annealgraph --set variant=serial
FORMS
exit $late
