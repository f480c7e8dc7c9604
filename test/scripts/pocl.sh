#!/usr/bin/env bash
# pocl.sh DEVICES COMMAND...: runs COMMAND with the POCL devices DEVICES ("pthread
# pthread pthread" are three) and the kernel cache in POCL_CACHE_DIR, or an empty one
# if that is not set.
set -euo pipefail

export POCL_DEVICES=$1
shift
if [ -z "${POCL_CACHE_DIR:-}" ]; then
    POCL_CACHE_DIR=$(mktemp -d)
    trap 'rm -rf "$POCL_CACHE_DIR"' EXIT
fi
export POCL_CACHE_DIR
"$@"
