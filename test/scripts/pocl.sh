#!/usr/bin/env bash
# pocl.sh DEVICES COMMAND...: runs COMMAND with POCL's devices DEVICES
# ("pthread pthread pthread" are three) and a fresh cache of kernels, or that which
# POCL_CACHE_DIR names.
set -euo pipefail

export POCL_DEVICES=$1
shift
if [ -z "${POCL_CACHE_DIR:-}" ]; then
    POCL_CACHE_DIR=$(mktemp -d)
    trap 'rm -rf "$POCL_CACHE_DIR"' EXIT
fi
export POCL_CACHE_DIR
"$@"
