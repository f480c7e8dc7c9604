"""Functions of real variables."""

import os
import re
import shutil

import numpy as np

from . import function
from .run import Folder, run

_DIRECTIVE = r"^([ \t]*//@[ \t]*data[ \t]+{}[ \t]+)\S+"


def minimize(what, n=None, *, data=None, bounds=None, x0=None, time=None, seed=None, vectorized=False, folder=None,
             progress=None, **settings):
    """Minimizes a function, and returns a Result.

    what      the text of an objective in OpenCL C, the path of one, a problem such as 'cec2013/f1', or a Python
              function of a point of shape (n,); with vectorized=True, of points of shape (m, n), with m values
    n         number of variables; a text may say it itself
    data      arrays by the names that the text has for them (d.NAME), of one or two dimensions
    bounds    (low, high), each a number or an array of n; or an array of shape (n, 2); infinite bounds become 1e20
    x0        a point to start from, or some: shape (n,) or (k, n)
    time      seconds; evals=… and target=… are other ends
    seed      an integer; a run of the same seed has the same result
    folder    the run folder that is made; without it, a temporary one
    progress  True or False: show the progress; by default in a terminal or a notebook

    Any other argument is a flag of clopt run: solver='lbfgs', stall=5, set={'population': 32}, maximize=True.
    Ctrl-C ends the run, and the Result has the best point so far. Errors are Error, with the words of the command; an
    exception of a Python function ends the run and is raised."""
    files = Folder()
    settings = {"dim": n, "time": time, "seed": seed, **settings}
    if x0 is not None:
        np.save(files.file("x0.npy"), np.asarray(x0, float))
        settings["x0"] = files.file("x0.npy")
    if bounds is not None:
        settings["bounds"] = _bounds(bounds, files)
    if callable(what):
        if data is not None:
            raise TypeError("data is for texts; a Python function has its own")
        if n is None or bounds is None:
            raise TypeError("a Python function needs n and bounds")
        with function.Server(what, vectorized) as server:
            settings.update(command=server.command(files), exchange="npy")
            return run([], settings, folder, progress, files, serve=server.serve)
    if vectorized:
        raise TypeError("vectorized is for Python functions")
    return run([_objective(what, data or {}, files)], settings, folder, progress, files)


def _bounds(bounds, files):
    if isinstance(bounds, (str, os.PathLike)):
        return os.fspath(bounds)
    if len(bounds) == 2 and np.ndim(bounds[0]) == np.ndim(bounds[1]) == 0:
        low, high = (float(np.clip(b, -1e20, 1e20)) for b in bounds)
        return f"{low!r},{high!r}"
    if isinstance(bounds, tuple) and len(bounds) == 2:
        bounds = np.column_stack(np.broadcast_arrays(*(np.asarray(b, float) for b in bounds)))
    table = np.asarray(bounds, float)
    if table.ndim != 2 or table.shape[1] != 2:
        raise ValueError(f"bounds of the shape {table.shape}; give (low, high), or an array of shape (n, 2)")
    np.save(files.file("bounds.npy"), np.clip(table, -1e20, 1e20))
    return files.file("bounds.npy")


def _objective(what, data, files):
    """Returns the problem for the command: what it is, or the file of a text with directives for the data."""
    text, name = what, "objective.cl"
    if not (isinstance(what, str) and ("\n" in what or "{" in what)):
        path = os.fspath(what)
        if not data:
            return path
        with open(path, encoding="utf-8") as file:
            text = file.read()
        name = os.path.basename(path)
        _neighbours(text, os.path.dirname(os.path.abspath(path)), files)
    for key, array in data.items():
        if not re.fullmatch(r"[A-Za-z_]\w*", key):
            raise ValueError(f"data {key!r} is no name of OpenCL C")
        array = np.asarray(array)
        if array.ndim not in (1, 2):
            raise ValueError(f"data {key} has {array.ndim} dimensions; a table has one or two")
        if array.dtype.kind not in "biuf":
            raise ValueError(f"data {key} is of type {array.dtype}; give numbers")
        if array.dtype.kind == "f" and array.dtype.itemsize not in (4, 8):
            array = array.astype(float)
        np.save(files.file(f"{key}.npy"), array)
        text, found = re.subn(_DIRECTIVE.format(key), rf"\g<1>{key}.npy", text, flags=re.MULTILINE)
        if not found:  # at the end, so that the lines in messages are those of the text
            text = text.rstrip("\n") + f"\n//@ data {key} {key}.npy\n"
    with open(files.file(name), "w", encoding="utf-8") as file:
        file.write(text)
    return files.file(name)


def _neighbours(text, folder, files):
    """Copies the files that a text names, and those that they include."""
    named = r'^[ \t]*(?://@[ \t]*(?:data[ \t]+\w+|bounds|reads[ \t]+lists)[ \t]+(\S+)|#[ \t]*include[ \t]+"([^"]+)")'
    for a, b in re.findall(named, text, flags=re.MULTILINE):
        name = a or b
        here, there = os.path.join(folder, name), files.file(name)
        if os.path.isfile(here) and not os.path.isabs(name) and not os.path.exists(there):
            os.makedirs(os.path.dirname(there), exist_ok=True)
            shutil.copyfile(here, there)
            if b:
                with open(here, encoding="utf-8") as file:
                    _neighbours(file.read(), folder, files)
