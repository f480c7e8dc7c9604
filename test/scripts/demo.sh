#!/usr/bin/env bash
# demo.sh: optimizes the first CEC'2013 function with 10,000 variables, in some
# seconds on two processor cores. Seed and evaluations are fixed, so that a machine
# gives the same result every time.
# It uses the official CEC'2013 data if they are there ($CLOPT_DATA or
# ../shared/data), and else a generated instance.
set -euo pipefail
cd "$(dirname "$0")/../.."

data=()
if [ -z "${CLOPT_DATA:-}" ] && [ -d ../shared/data/cec2013lsgo ]; then
    data=(--data ../shared/data)
fi
command=(bin/clopt run cec2013/f1 -n 10000 --seed 1 --evals 2000 "${data[@]}")
echo "\$ ${command[*]}"
exec "${command[@]}"
