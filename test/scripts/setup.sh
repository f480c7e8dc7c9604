#!/usr/bin/env bash
# setup.sh build|test|full: makes this machine ready to build clopt, to test it, or to test it completely.
#
# It checks every requirement. If nothing is missing, it changes nothing and asks no
# questions. On Debian and Ubuntu it installs missing packages with apt, as root or
# with sudo if that needs no password; otherwise it prints the command to run and
# fails. On other systems it prints package names and fails.
set -euo pipefail
cd "$(dirname "$0")/../.."

what=${1:-build}
case $what in build | test | full) ;; *)
    echo "usage: setup.sh build|test|full" >&2
    exit 2
    ;;
esac

packages=() # packages to install
reasons=()  # one line for each of them

need() { # need PACKAGE REASON...: notes that PACKAGE is missing
    packages+=("$1")
    reasons+=("$(printf '%-20s %s' "$1" "${*:2}")")
}

# --- Go -------------------------------------------------------------------
# This runs inside the repository, so that a Go that downloads the toolchain of
# go.mod counts as that toolchain.
go_wanted=$(sed -n 's/^go \([0-9]*\.[0-9]*\).*/\1/p' go.mod)
if ! command -v go >/dev/null; then
    echo "setup: Go is missing; clopt needs Go $go_wanted or newer: https://go.dev/dl/" >&2
    exit 1
fi
if ! go_found=$(go env GOVERSION 2>&1) ||
    ! printf '%s\n%s\n' "$go_wanted" "${go_found#go}" | sort -C -V; then
    echo "setup: found Go \"$go_found\"; clopt needs Go $go_wanted or newer: https://go.dev/dl/" >&2
    exit 1
fi

# --- requirements of the build ----------------------------------------------
cc=${CC:-$(go env CC)}
compiles() { # compiles TEXT: succeeds if the C text TEXT compiles
    # shellcheck disable=SC2086,SC2046 # CC and the output of pkg-config may contain flags
    printf '%s\n' "$1" | $cc $(pkg-config --cflags OpenCL 2>/dev/null) -xc -fsyntax-only - 2>/dev/null
}
if ! command -v "${cc%% *}" >/dev/null; then
    need gcc "a C compiler (cgo calls OpenCL through it)"
    need libc6-dev "the headers of the C library"
    [ -e /usr/include/CL/cl.h ] || need opencl-headers "CL/cl.h, the OpenCL headers"
else
    compiles '#include <stdlib.h>' || need libc6-dev "the headers of the C library"
    compiles '#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>' || [ -e /usr/include/CL/cl.h ] || [ "$(uname -s)" = Darwin ] ||
        need opencl-headers "CL/cl.h, the OpenCL headers"
fi
if [ "$(uname -s)" != Darwin ]; then
    command -v pkg-config >/dev/null || need pkg-config "the Go build finds OpenCL with it"
    # Without pkg-config, look for the file that it would read.
    pkg-config --exists OpenCL 2>/dev/null ||
        { ! command -v pkg-config >/dev/null && compgen -G '/usr/*/*/pkgconfig/OpenCL.pc' >/dev/null; } ||
        need ocl-icd-opencl-dev "OpenCL.pc and libOpenCL.so, to link with"
    grep -q 'libOpenCL\.so' <<<"$(ldconfig -p 2>/dev/null || /sbin/ldconfig -p 2>/dev/null || true)" ||
        compgen -G '/usr/lib*/libOpenCL.so*' >/dev/null || [ -n "$(pkg-config --libs OpenCL 2>/dev/null)" ] ||
        need ocl-icd-libopencl1 "the OpenCL loader"
fi

has_candidate() { # has_candidate PACKAGE: succeeds if the lists of apt have PACKAGE
    # Not a pipe: grep -q ends early, and SIGPIPE of the writer would count as a failure.
    grep -q 'Candidate: [^(]' <<<"$(LC_ALL=C apt-cache policy "$1" 2>/dev/null || true)"
}

# --- drivers ------------------------------------------------------------------
# The loader searches the folders of all libraries that it knows. A vendor file may
# name libpocl.so.2.10.0 although ldconfig lists libpocl.so.2.
mapfile -t folders < <({ ldconfig -p 2>/dev/null || /sbin/ldconfig -p 2>/dev/null; } |
    sed -n 's|.*=> \(.*\)/[^/]*$|\1|p' | sort -u)
loads() { # loads LIBRARY: succeeds if LIBRARY is there, as a path or as a name in one of the folders
    local folder
    [ -n "$1" ] || return 1
    [[ $1 != /* ]] || { [ -e "$1" ]; return; }
    for folder in "${folders[@]}" /usr/lib; do
        [ ! -e "$folder/$1" ] || return 0
    done
    return 1
}
driver() { # driver NAME: succeeds if a vendor file of that name is registered and its library is there
    local file library
    for file in "${OCL_ICD_VENDORS:-/etc/OpenCL/vendors}"/*.icd /etc/OpenCL/vendors/*.icd; do
        [ -e "$file" ] || continue
        read -r library <"$file" || true # the line may lack its end
        if grep -qi -- "$1" <<<"$file $library" && loads "$library"; then return 0; fi
    done
    return 1
}
if [ "$(uname -s)" != Darwin ]; then
    driver pocl || need pocl-opencl-icd "POCL: the processor as an OpenCL device"
fi
if [ "$what" = full ]; then
    command -v chromium chromium-browser google-chrome >/dev/null ||
        need chromium "Chromium: the tests of the pages of clopt report"
fi
if [ "$what" != build ]; then
    command -v mpirun.openmpi >/dev/null || need openmpi-bin "Open MPI: the tests of several processes"
    command -v mpirun.mpich >/dev/null || need mpich "MPICH: the same with another MPI"
    for module in numpy scipy networkx; do
        for python in python3 /usr/bin/python3; do $python -c "import $module" 2>/dev/null && continue 2; done
        need python3-$module "$module: the tests of the Python package"
    done
    driver rusticl || need mesa-opencl-icd "Mesa's rusticl: a second driver, without float64, for the tests"
    if ! command -v oclgrind >/dev/null; then
        if has_candidate gcc && ! has_candidate oclgrind; then
            echo "setup: this release has no package oclgrind; its checks will be skipped"
        else
            need oclgrind "finds memory errors in kernels, for the tests"
        fi
    fi
fi

if [ ${#packages[@]} -eq 0 ]; then
    echo "setup: nothing is missing to ${what/full/test completely} (${go_found/go/Go })"
    exit 0
fi

echo "setup: missing to ${what/full/test completely}:"
printf '  %s\n' "${reasons[@]}"
if [ -n "${CLOPT_SETUP_AGAIN:-}" ]; then
    echo "setup: apt has installed them, but they are still missing; please find out why" >&2
    exit 1
fi

# --- other systems -----------------------------------------------------------
if ! command -v apt-get >/dev/null; then
    cat >&2 <<'EOF'
setup: this system has no apt-get; please install these with your package manager
  (the second line is for the tests only) and run make again:
  Fedora  gcc glibc-devel pkgconf-pkg-config opencl-headers ocl-icd-devel pocl
          mesa-libOpenCL oclgrind
  Arch    gcc pkgconf opencl-headers ocl-icd pocl
          opencl-mesa oclgrind (AUR)
  macOS   xcode-select --install          (OpenCL is part of the system)
          the tests need POCL and rusticl: run them on Linux
EOF
    exit 1
fi

# --- Debian and Ubuntu ---------------------------------------------------------
if [ "$(id -u)" -eq 0 ]; then
    as_root=(env DEBIAN_FRONTEND=noninteractive)
elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
    as_root=(sudo -n env DEBIAN_FRONTEND=noninteractive)
else
    {
        echo "setup: installing them needs root. Please run this and then make again:"
        echo "  sudo sh -c 'apt-get update && apt-get install -y --no-install-recommends ${packages[*]}'"
    } >&2
    exit 1
fi

all_known() { # succeeds if the lists of apt have every package
    local p
    for p in "${packages[@]}"; do has_candidate "$p" || return 1; done
}
updated=no
if ! all_known; then
    "${as_root[@]}" apt-get update
    updated=yes
fi
offered=()
for p in "${packages[@]}"; do
    if has_candidate "$p"; then
        offered+=("$p")
    elif [ "$p" != oclgrind ]; then # some releases lack oclgrind; the next round of this script says so
        echo "setup: this release has no package $p" >&2
        exit 1
    fi
done
if [ ${#offered[@]} -eq 0 ]; then exec env CLOPT_SETUP_AGAIN=1 "$0" "$what"; fi
echo "setup: installing with apt: ${offered[*]}"
install=(apt-get install -y --no-install-recommends "${offered[@]}")
if ! "${as_root[@]}" "${install[@]}"; then
    [ $updated = no ] || exit 1
    echo "setup: the package lists may be old; updating them and trying once more"
    "${as_root[@]}" apt-get update
    "${as_root[@]}" "${install[@]}"
fi
exec env CLOPT_SETUP_AGAIN=1 "$0" "$what"
