#!/usr/bin/env bash
# oclgrind.sh: makes small runs of bin/clopt in Oclgrind, a simulated device that
# checks every memory access. It fails if Oclgrind reports anything or if a run
# fails. Runs have one device, since two threads cannot use Oclgrind at the same
# time. With SHORT set, as in `make test`, it makes one run for each kind of kernel.
set -euo pipefail
cd "$(dirname "$0")/../.."

candidate() { grep -q 'Candidate: [^(]' <<<"$(LC_ALL=C apt-cache policy "$1" 2>/dev/null || true)"; }
if ! command -v oclgrind >/dev/null; then
    if candidate gcc && ! candidate oclgrind; then
        echo "! LEFT OUT: this release has no package oclgrind, so kernels were not checked for memory errors"
        exit 0
    fi
    echo "oclgrind is missing: make setup-test" >&2
    exit 1
fi

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

races=--data-races
watched() { # watched ARGUMENTS...: runs bin/clopt ARGUMENTS; succeeds if it does and nothing is reported
    local code=0 own
    own=$(mktemp -d "$dir/XXXXXX")
    oclgrind $races --max-errors 5 --log "$own/log" bin/clopt "$@" >"$own/out" 2>&1 || code=$?
    [ $code -eq 0 ] || { echo "FAILED with exit code $code: clopt $*"; cat "$own/out"; }
    [ ! -s "$own/log" ] || { echo "REPORTED: clopt $*"; cat "$own/log"; } # empty unless something was reported
    [ $code -eq 0 ] && [ ! -s "$own/log" ]
}

# run ARGUMENTS...: watches clopt run in the background, with as many runs at a time
# as there are cores. It prints the output of a run when the run has ended. The first
# evaluation of an objective may take long, since the cores have other work.
cores=$(nproc)
run() {
    while [ "$(jobs -rp | wc -l)" -ge "$cores" ]; do wait -n || true; done
    {
        local said
        if said=$(watched run "$@" --seed 1 --trial-time 5m -q -o "$(mktemp -d "$dir/XXXXXX")"); then
            echo "clean: clopt run $*"
        else
            printf '%s\n' "$said" | tee -a "$dir/faults"
        fi
    } &
}

# more ARGUMENTS...: the same, and nothing with SHORT.
more() { [ -n "${SHORT:-}" ] || run "$@"; }

# Check the check: a kernel that reads memory that is not allocated must be reported.
cat >"$dir/outside.cl" <<'EOF'
//@ name outside
//@ bounds -1 1
//@ reads whole
static void component(uint k, point x, data d, real *acc) { acc[0] += at(x, k + 100000000u); }
EOF
if watched run "$dir/outside.cl" -n 10 -s masw --set population=4 --evals 8 --no-selftest -q \
    -o "$dir/runs" >"$dir/seen" ||
    ! { grep -q 'Invalid read' "$dir/seen" || grep -q 'exit code 2' "$dir/seen"; }; then
    echo "a read outside the point was not noticed:" >&2
    cat "$dir/seen" >&2
    exit 1
fi

cat >"$dir/chain.cl" <<'EOF'
//@ name chain
//@ bounds -2 2
//@ components n-1
//@ reads k..k+1
static void component(uint k, point x, data d, real *acc)
{
    real a = at(x, k), b = at(x, k + 1);
    acc[0] += R(100.0) * sq(b - a * a) + sq(R(1.0) - a);
}
EOF
sed 's/reads k..k+1/reads whole/' "$dir/chain.cl" >"$dir/whole.cl"
cat >"$dir/wide.cl" <<'EOF'
//@ name wide
//@ bounds -2 2
//@ squares 3
//@ components n/34
//@ reads 34*k..34*k+33
static void residuals(uint k, point x, data d, real *r)
{
    for (uint i = 0; i < 3; i++) r[i] = -1;
    for (uint v = 0; v < 34; v++) r[v % 3] += sin((real)(v + 1) * at(x, 34 * k + v));
}
EOF

for f in 1 2 3 5 6 7 8 9 10 11 14 15; do
    more "cec2013/f$f" -s random --set batch=2 --evals 4
done
for f in 4 12 13; do
    run "cec2013/f$f" -s random --set batch=2 --evals 4
done
printf 'p qubo 0 5 2 3\n0 0 5\n4 4 -1\n0 1 -4\n1 2 2\n2 4 3\n' >"$dir/bits.qubo"
run maxcut:gnp=200,p=0.5 -s random --set batch=2 --evals 4
for p in maxcut:torus=9x9,weights=-3..4 maxcut:gnp=5,p=0 "qubo:$dir/bits.qubo"; do
    more "$p" -s random --set batch=2 --evals 4
done
# Sets of one group may share a word. Each reads and flips other bits of it with
# atomic operations, which is not a fault, so that races are not reported here.
races=
run maxcut:torus=6x6 -s gomea --set base=4 --set local=ls --evals 1500
more maxcut:gnp=40,p=0.5 -s gomea --set base=4 --evals 500
more "qubo:$dir/bits.qubo" -s gomea --set base=4 --evals 100
more maxcut:torus=6x6 -s gomea --set local=sa --set population=5 --set sweeps=2 --evals 3000
run maxcut:torus=7x6 -s annealgraph --set chains=3 --set sweeps=5 --evals 900
run maxcut:gnp=60,p=0.08,weights=1000..9000 -s annealgraph --set chains=3 --set sweeps=5 --evals 900
races=--data-races
more maxcut:complete=90,weights=pm1,seed=1 -s annealgraph --set chains=3 --set sweeps=4 --evals 900
# Budgets for a generation of children, for which partitions have to agree in most vertices.
awk 'BEGIN { print 24, 276; for (u = 1; u < 24; u++) for (v = u + 1; v <= 24; v++)
    print u, v, ((u + v) % 2 == (u * v % 7 < 2) ? -1 : 1) }' >"$dir/signs.txt"
run qubo:palubeckis=24,density=100,seed=1 -s mixing --set sweeps=10 --evals 260000
more "maxcut:$dir/signs.txt" -s mixing --set sweeps=1 --evals 240000
# A budget of the runs that SHORT makes suffices to launch every kernel of the method, in every form that more would.
masw=(-s masw --set population=5 --set iterations=2 --evals 60)
more cec2013/f1 -n 3000 "${masw[@]}"
more cec2013/f4 -n 2000 "${masw[@]}"
run cec2013/f12:mode=paper -n 1100 "${masw[@]}" --evals 20
more cec2013/f12:mode=paper -n 7000 "${masw[@]}" --set portions=3 --evals 20
more cec2013/f3 -n 1000 --precision fp32 "${masw[@]}"
more "$dir/chain.cl" -n 1500 "${masw[@]}"
run "$dir/chain.cl" -n 15 "${masw[@]}" # the device decides
more cec2013/f2 -n 1000 --runs 2 "${masw[@]}"
run "$dir/whole.cl" -n 43 "${masw[@]}" --evals 20 # points are written first
more cec2013/f4 -n 1000 -s graybox --evals 24
run cec2013/f1 -n 1000 -s graybox --set search=mts --evals 6
run "$dir/chain.cl" -n 1100 -s graybox --evals 32 # three forms of graybox_run, and the trial of an objective
more "$dir/chain.cl" -n 300 -s lbfgs --evals 100
more "$dir/whole.cl" -n 40 -s relay --evals 700
run test/testdata/auto/valleys.cl -n 40 -s lm --evals 50
run "$dir/wide.cl" -n 68 -s lm --evals 220 # components of many variables, which work-groups solve
more cec2013/f13 -s lm --evals 60
more cec2013/f1 -n 1000 -s masw-seq --set population=5 --set iterations=6 --evals 40
sa=(-s sa --set T0=1 --set Tmin=0.3 --set rho=0.7)
more classic/F14 "${sa[@]}" --set chains=300 --set N=3
more griewank -n 40 "${sa[@]}" --set chains=200 --set N=130 --set neighbour=adaptive --set elitist=true
more classic/F16 --precision fp32 "${sa[@]}" --set variant=v1 --set chains=130 --set N=5 --set shared=true \
    --set starts=grid
run "$dir/chain.cl" -n 50 --no-selftest "${sa[@]}" --set chains=9 --set N=5 --set exchange=2 --set hastings=true
run "$dir/chain.cl" -n 1500 --no-selftest "${sa[@]}" --set variant=sweeps --set N=2
more classic/ackley -n 1100 "${sa[@]}" --set variant=sweeps --set N=2 --precision fp32
more classic/rastrigin -n 1100 "${sa[@]}" --set variant=sweeps --set N=2 --set neighbour=uniform
cgrasp=(-s cgrasp --set starts=3 --set items=32)
more classic/F14 "${cgrasp[@]}" --set hs=1 --evals 4000
more griewank -n 70 "${cgrasp[@]}" --set nodes=4 --set points=12 --set batch=5 --evals 9000
more classic/F16 --precision fp32 "${cgrasp[@]}" --set evaluation=full --set anchor=lower --evals 3000
run "$dir/chain.cl" -n 60 --no-selftest "${cgrasp[@]}" --set nodes=4 --set fix=all --set points=5 --evals 3000
wait
[ ! -s "$dir/faults" ] || { echo "memory errors, see above" >&2; exit 1; }
[ -z "${SHORT:-}" ] || exit 0
watched selftest
echo "clean: clopt selftest"
go test -c -o "$dir/graybox.test" ./solvers/graybox
oclgrind --data-races --max-errors 5 --log "$dir/log" "$dir/graybox.test" -test.run "TestEllipses|TestOpenGroups"
[ ! -s "$dir/log" ] || { cat "$dir/log"; exit 1; }
echo "clean: searches of graybox with groups of many work-items, which follow their twins"
