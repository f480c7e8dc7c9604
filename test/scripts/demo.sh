#!/usr/bin/env bash
# demo.sh: one run on real input, in under a minute on two processor cores: the
# first CEC'2013 function at 10,000 variables. Seed and evaluations are fixed, so
# that a machine gives the same result every time.
# The input is the official CEC'2013 data where there is any ($CLOPT_DATA, or
# ../shared/data), and the generated instance elsewhere.
set -euo pipefail
cd "$(dirname "$0")/../.."

data=()
if [ -z "${CLOPT_DATA:-}" ] && [ -d ../shared/data/cec2013lsgo ]; then
    data=(--data ../shared/data)
fi
command=(bin/clopt run cec2013/f1 -n 10000 -s masw --seed 1 --evals 120000 "${data[@]}")
echo "\$ ${command[*]}"
exec "${command[@]}"
