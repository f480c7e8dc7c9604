"""Where the command is."""

import os
import shutil
import sys
import sysconfig

from .process import Error


def binary():
    """Returns the path of the command: CLOPT_BINARY, or the one that was installed with this package, or the one on
    the PATH. Without any it raises Error with the code 2."""
    named = os.environ.get("CLOPT_BINARY")
    if named:
        found = shutil.which(named)
        if found is None:
            raise Error(2, f"CLOPT_BINARY names {named}, which is no program; name the file of the command clopt")
        return os.path.abspath(found)
    name = "clopt.exe" if os.name == "nt" else "clopt"
    for folder in _folders():
        path = os.path.join(folder, name)
        if os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    found = shutil.which("clopt")
    if found is None:
        raise Error(2, "the command clopt is not found: install the wheel of this system, put the command on the "
                       "PATH, or name it by the variable CLOPT_BINARY")
    return found


def _folders():
    """Where installers put the programs of a wheel: for all users, for one user, or beside the package (--target)."""
    yield sysconfig.get_path("scripts")
    yield sysconfig.get_path("scripts", "nt_user" if os.name == "nt" else "posix_user")
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    yield os.path.join(here, "bin")
    # PREFIX/lib/pythonX.Y/site-packages, as with --prefix; on Debian PREFIX is /usr/local.
    yield os.path.normpath(os.path.join(here, "..", "..", "..", "Scripts" if os.name == "nt" else "bin"))
    yield os.path.dirname(sys.executable or "")
