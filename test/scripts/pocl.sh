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
# PoCL compiles in threads of the driver, whose heaps glibc enlarges by a page at a time, with a system call for each.
# One heap that grows in large steps, has huge pages and is not given back needs a fifth of the page faults. Other C
# libraries ignore these variables.
export MALLOC_ARENA_MAX=1 MALLOC_TOP_PAD_=67108864 MALLOC_TRIM_THRESHOLD_=4294967296 MALLOC_MMAP_THRESHOLD_=67108864
export GLIBC_TUNABLES=${GLIBC_TUNABLES:-glibc.malloc.hugetlb=1}
"$@"
