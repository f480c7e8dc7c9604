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
# glibc enlarges the heaps of threads by what is asked for, with a system call each time, and PoCL compiles in threads.
# One heap, which grows in large steps, has huge pages and is not given back, has a third of the page faults or fewer.
# Other C libraries ignore these variables.
export MALLOC_ARENA_MAX=1 MALLOC_TOP_PAD_=67108864 MALLOC_TRIM_THRESHOLD_=4294967296 MALLOC_MMAP_THRESHOLD_=67108864
export GLIBC_TUNABLES=${GLIBC_TUNABLES:-glibc.malloc.hugetlb=1}
"$@"
