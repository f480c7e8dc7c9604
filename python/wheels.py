"""wheels.py FOLDER [SYSTEM…]: makes a wheel for each system, such as linux-amd64, in FOLDER.

A wheel holds the package and the command, which Go compiles without cgo. Nothing is loaded from a network, and equal
sources make equal bytes. It needs Go and Python alone."""

import base64
import hashlib
import os
import re
import subprocess
import sys
import tempfile
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))

# The tags of systems. On Linux the command names functions of the C library without versions, so the oldest tag that
# installers know fits; Go 1.26 needs macOS 12.
TAGS = {
    "linux-amd64": ["manylinux_2_17_x86_64", "manylinux2014_x86_64"],
    "linux-arm64": ["manylinux_2_17_aarch64", "manylinux2014_aarch64"],
    "darwin-amd64": ["macosx_12_0_x86_64"],
    "darwin-arm64": ["macosx_12_0_arm64"],
    "windows-amd64": ["win_amd64"],
    "windows-arm64": ["win_arm64"],
}

METADATA = """Metadata-Version: 2.1
Name: clopt
Version: {version}
Summary: Minimizes functions of thousands of variables, and graphs, on OpenCL devices
Home-page: https://github.com/clopt/clopt
License: BSD-3-Clause
Requires-Python: >=3.8
Requires-Dist: numpy
"""


def version():
    with open(os.path.join(HERE, "clopt", "__init__.py"), encoding="utf-8") as file:
        return re.search(r'^__version__ = "(.+)"$', file.read(), re.MULTILINE).group(1)


def wheel(folder, system, program):
    """Writes the wheel of a system with a program, and returns its path."""
    number, tags = version(), TAGS[system]
    info = f"clopt-{number}.dist-info"
    files = []  # name, content, mode
    for name in sorted(os.listdir(os.path.join(HERE, "clopt"))):
        if name.endswith(".py"):
            files.append((f"clopt/{name}", read(os.path.join(HERE, "clopt", name)), 0o644))
    scripts = "clopt.exe" if system.startswith("windows") else "clopt"
    files.append((f"clopt-{number}.data/scripts/{scripts}", read(program), 0o755))
    files.append((f"{info}/LICENSE", read(os.path.join(HERE, "..", "LICENSE")), 0o644))
    files.append((f"{info}/METADATA", METADATA.format(version=number).encode(), 0o644))
    lines = ["Wheel-Version: 1.0", "Generator: clopt", "Root-Is-Purelib: false"]
    lines += [f"Tag: py3-none-{tag}" for tag in tags]
    files.append((f"{info}/WHEEL", ("\n".join(lines) + "\n").encode(), 0o644))
    record = "".join(f"{name},sha256={digest(content)},{len(content)}\n" for name, content, _ in files)
    files.append((f"{info}/RECORD", f"{record}{info}/RECORD,,\n".encode(), 0o644))
    path = os.path.join(folder, f"clopt-{number}-py3-none-{'.'.join(tags)}.whl")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content, mode in files:
            entry = zipfile.ZipInfo(name)  # of 1980, whenever it is made
            entry.create_system, entry.compress_type = 3, zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100000 | mode) << 16
            archive.writestr(entry, content)
    return path


def read(path):
    with open(path, "rb") as file:
        return file.read()


def digest(content):
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def compile_command(system, path):
    goos, goarch = system.split("-")
    command = [os.environ.get("GO", "go"), "build", "-trimpath", "-ldflags=-s -w", "-o", path, "./cmd/clopt"]
    subprocess.run(command, check=True, cwd=os.path.dirname(HERE),
                   env={**os.environ, "CGO_ENABLED": "0", "GOOS": goos, "GOARCH": goarch})


def main():
    folder, systems = sys.argv[1], sys.argv[2:] or list(TAGS)
    os.makedirs(folder, exist_ok=True)
    for system in systems:
        with tempfile.TemporaryDirectory() as temporary:
            program = os.path.join(temporary, "clopt")
            compile_command(system, program)
            print(wheel(folder, system, program), flush=True)


if __name__ == "__main__":
    main()
