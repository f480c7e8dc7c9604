#!/usr/bin/env bash
# numbers.sh [REGEX]: computes again the numbers of README and docs that two processor cores can compute in minutes, and
# prints a table. A row is a page, a number as the page prints it, the field of the result, the factor by which it may
# differ (a driver with other rounding ends elsewhere), and the arguments of clopt. With a field "text", the command
# prints the number. The script fails if a number is off or if its page does not have it. It needs bin/clopt, and the
# official data in CLOPT_DATA. REGEX selects rows.
set -euo pipefail
cd "$(dirname "$0")/../.."
export CLOPT_DATA=${CLOPT_DATA:?must name the folder of the official data; see docs/install.md}

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

off=0
# shellcheck disable=SC2162 # a backslash joins two lines
while IFS='|' read page text field factor args; do
    [[ -n $args && "$page $args" =~ ${1:-} ]] || continue
    page=${page// /} text=$(sed 's/^ *//; s/ *$//' <<<"$text")
    args=${args//\$CLOPT_DATA/$CLOPT_DATA} verdict=ok
    # shellcheck disable=SC2086 # arguments are several words
    if [ "${field// /}" = text ]; then
        got=$text
        { bin/clopt $args 2>&1 || true; } | grep -F -- "$text" >"$dir/out" || got=missing verdict=OFF
    else
        bin/clopt $args -q -o "$dir" --json >"$dir/out" 2>&1 || verdict="exit $?"
        got=$(grep -o "\"${field// /}\":[-+.e0-9]*" "$dir/out" | head -1 | cut -d: -f2)
        awk -v got="$got" -v want="$text" -v factor="$factor" \
            'BEGIN { r = got/want; exit !(r <= factor+0 && r*factor >= 1) }' || verdict=OFF
    fi
    grep -qF -- "$text" "$page" || verdict="NOT ON THE PAGE"
    [ "$verdict" = ok ] || off=1
    args=$(tr -s ' ' <<<"$args")
    printf '%-28s %-10s %-22s %-8s %s\n' "$page" "$text" "$got" "$verdict" "$args"
done <<'ROWS'
README.md                   | 190       | evaluations | 1.1 | run cec2013/f7 --seed 1
CHANGELOG.md                | 10.99826  | f    | 1.000001 | run test/testdata/auto/ackley.cl -n 500 --bounds -6,0.7 --seed 1
docs/anneal.md              | 356       | f    | 1.01 | run rastrigin -n 20000 -s sa --seed 1 --set N=2
docs/results/cano2016.md    | 1.84e5    | f    | 1.1  | run cec2013/f1 -s masw --evals 1e6 --seed 1
docs/results/cano2016.md    | 9.67e3    | f    | 1.1  | run cec2013/f2 -s masw --evals 1e6 --seed 1
docs/results/cano2016.md    | 21.52     | f    | 1.1  | run cec2013/f3 -s masw --evals 1e6 --seed 1
docs/results/cano2016.md    | 3.10e10   | f    | 1.1  | run cec2013/f4 -s masw --evals 1e6 --seed 1
docs/results/cano2016.md    | 2.05e6    | f    | 1.1  | run cec2013/f5 -s masw --evals 1e6 --seed 1
docs/results/cano2016.md    | 1.038e6   | f    | 1.1  | run cec2013/f6 -s masw --evals 1e6 --seed 1
docs/results/cano2016.md    | 7.62e8    | f    | 1.1  | run cec2013/f7 -s masw --evals 1e6 --seed 1
docs/results/cano2016.md    | 3.96e14   | f    | 1.1  | run cec2013/f8 -s masw --evals 1e6 --seed 1
docs/results/cano2016.md    | 2.21e8    | f    | 1.1  | run cec2013/f9 -s masw --evals 1e6 --seed 1
docs/results/cano2016.md    | 9.19e7    | f    | 1.1  | run cec2013/f10 -s masw --evals 1e6 --seed 1
docs/results/cano2016.md    | 8.33e10   | f    | 1.1  | run cec2013/f11 -s masw --evals 1e6 --seed 1
docs/results/cano2016.md    | 6.70e9    | f    | 1.1  | run cec2013/f12 -s masw --evals 1e6 --seed 1
docs/results/cano2016.md    | 2.09e10   | f    | 1.1  | run cec2013/f13 -s masw --evals 1e6 --seed 1
docs/results/cano2016.md    | 2.81e11   | f    | 1.1  | run cec2013/f14 -s masw --evals 1e6 --seed 1
docs/results/cano2016.md    | 3.64e7    | f    | 1.1  | run cec2013/f15 -s masw --evals 1e6 --seed 1
docs/results/cano2016.md    | 2.85e11   | f    | 1.01 | run cec2013/f1 -s random --evals 1e6 --seed 1
docs/results/cano2016.md    | 7.13e12   | f    | 1.01 | run cec2013/f12 -s random --evals 1e6 --seed 1
docs/results/cano2016.md    | 6.24e16   | f    | 1.01 | run cec2013/f15 -s random --evals 1e6 --seed 1
docs/results/mating.md      | 5.07e8    | f    | 1.1  | run cec2013/f11 -s masw --set alpha=0.4 --evals 2e6 --seed 1
docs/results/cano2016.md    | 1.18e3    | f    | 1.3  | run cec2013/f2 -s masw-seq --evals 3e6 --seed 1
docs/results/cano2016.md    | 4.15      | f    | 1.1  | run cec2013/f6:transform=none -s masw --evals 1e6 --seed 1
docs/results/cano2016.md    | 120.2 GiB | text | 1    | run cec2013/f1 -n 1e9 -s masw --precision fp32 --dry-run
docs/results/mating.md      | 2.80e8    | f    | 1.1  | run cec2013/f12 -s masw --set mates=3 --evals 2e6 --seed 1
docs/results/mating.md      | 3.06e3    | f    | 1.1  | run cec2013/f12 -s masw --set mates=1 --evals 2e6 --seed 1
docs/results/mating.md      | 2.65e3    | f    | 1.1  | run cec2013/f12 -s masw --set alpha=0.4 --evals 2e6 --seed 1
docs/results/mating.md      | 3.76e8    | f    | 1.1  | run cec2013/f7 -s masw --set mates=3 --evals 2e6 --seed 1
docs/results/mating.md      | 7.70e7    | f    | 1.1  | run cec2013/f7 -s masw --set mates=1 --evals 2e6 --seed 1
docs/results/mating.md      | 3.85e7    | f    | 1.1  | run cec2013/f7 -s masw --set alpha=0.4 --evals 2e6 --seed 1
docs/results/ferreiro2012.md | 7e-19     | f    | 10   | run classic/F15 -s sa --seed 1 \
    --set variant=hybrid --set local=lbfgs --set hops=100 --set T0=1 --set Tmin=1e-3 \
    --set chains=1024 --set N=20 --set rho=0.95
docs/results/ferreiro2012.md | 2.8e6     | evaluations | 1.2  | run classic/F15 -s sa --seed 1 \
    --set variant=hybrid --set local=lbfgs --set hops=100 --set T0=1 --set Tmin=1e-3 \
    --set chains=1024 --set N=20 --set rho=0.95
docs/results/ferreiro2012.md | 1.0e-23   | f    | 100  | run classic/F13_b -s sa --seed 1 \
    --set variant=hybrid --set chains=1024 --set N=5 --set rho=0.99728 --set T0=1 --set Tmin=1e-5
docs/lbfgs.md               | 9.6e-9    | f    | 10   | run cec2013/f12 -s lbfgs --target 1e-8 --seed 1
docs/relay.md               | 769       | evaluations | 1.2 | run test/testdata/auto/broyden.cl -s relay --seed 1 \
    --target 1e-14 --evals 60000
docs/relay.md               | -5840     | f    | 1.01 | run test/testdata/knapsack.cl -n 5000 --seed 1 --evals 15000
docs/results/largescale.md  | 9.2e-22   | f    | 10   | run cec2013/f1 --seed 1 --evals 3e6
docs/results/largescale.md  | 7.4e-26   | f    | 10   | run cec2013/f2 --seed 1 --evals 3e6
docs/results/largescale.md  | 4.2e-14   | f    | 10   | run cec2013/f3 --seed 1 --evals 3e5
docs/lm.md                  | 210       | evaluations | 1.2 | run cec2013/f11 -s lm --seed 1
docs/lm.md                  | 246       | evaluations | 1.2 | run cec2013/f13 -s lm --seed 1
docs/results/bouter2022.md  | 1152      | f    | 1    | run maxcut:$CLOPT_DATA/maxcut/torus/pm1_40x40_s1.txt -s mixing \
    --seed 1 --target 1152 --time 9s
docs/results/bouter2022.md  | 1535      | f    | 1    | run maxcut:$CLOPT_DATA/maxcut/tile/tile_40x40_s1.txt -s mixing \
    --seed 1 --target known --time 9s
docs/results/bouter2022.md  | 9416      | f    | 1    | run maxcut:$CLOPT_DATA/maxcut/setB/n0001600i00.txt -s gomea \
    --seed 1 --target known --time 9s
docs/results/bouter2022.md  | 564       | text | 1    | check $CLOPT_DATA/maxcut/gset/G11.txt
ROWS
exit $off
