#!/usr/bin/env bash
# pocl.sh DEVICES COMMAND...: runs COMMAND with POCL's devices DEVICES
# ("pthread pthread pthread" are three) and a fresh cache of kernels.
set -euo pipefail

export POCL_DEVICES=$1
shift
cache=$(mktemp -d)
trap 'rm -rf "$cache"' EXIT
export POCL_CACHE_DIR=$cache
"$@"
