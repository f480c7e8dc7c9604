"""From a problem to a result."""

import os
import shutil
import tempfile
import warnings
import weakref

from .binary import binary
from .process import Error, Process, flags
from .result import Result


# Exit codes of runs that have a result all the same: its fields say what is the matter.
_WITH_RESULT = {0, 8, 11, 13, 14, 15, 129, 130, 143, 152}


class Folder:
    """A temporary folder for the files of a run, which goes when nobody needs it any more."""

    def __init__(self):
        self.path = tempfile.mkdtemp(prefix="clopt-")
        weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)

    def file(self, name):
        return os.path.join(self.path, name)


def run(words, settings, folder, progress, files, names=None, serve=None):
    """Runs the command and returns the Result.

    words say what is minimized, files is the Folder of its files, and folder the run folder, or None for one in
    files. serve, if there is one, is called with the process and returns when that has ended; it is called again after
    Ctrl-C."""
    parent, name = os.path.split(os.path.abspath(folder)) if folder else (files.file("runs"), "run")
    command = [binary(), "run", *words, *flags(settings), "--status=json", "--json", "-o", parent, "--name", name]
    process = Process(command, progress)
    serve = serve or Process.wait
    stopped = False
    while True:
        try:
            serve(process)
            break
        except KeyboardInterrupt:
            if stopped:
                process.kill()
                raise
            stopped = True
            process.interrupt()
        except BaseException:
            process.kill()
            raise
    code, answer, said = process.end()
    if code in _WITH_RESULT and "best" in answer:
        result = Result(answer, files, names)
        if code in (14, 15):
            broken = "; ".join(answer["best"].get("broken", []))
            warnings.warn(f"constraints are not fulfilled: {broken}", RuntimeWarning, stacklevel=3)
        return result
    if stopped and "best" not in answer:
        raise KeyboardInterrupt
    message = answer.get("error") or said or f"clopt has ended with the exit code {code}"
    best = Result(answer, files, names) if "best" in answer and answer.get("folder") else None
    raise Error(code, message.replace(files.path + os.sep, ""), best)
