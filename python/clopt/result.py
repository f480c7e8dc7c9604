"""What a run has found."""

import json
import os
import subprocess

import numpy as np

from .binary import binary
from .process import Error


class Result:
    """The result of a run.

    x           the best point, float64 of shape (n,); of graphs and QUBOs 0 and 1, int8
    f           its value, in the direction of the problem: a cut is positive
    confirmed   whether another evaluation has given the same value
    assignment  of graphs and QUBOs: x by the names of the variables; else None
    stopped     why the run has ended: 'time', 'evals', 'target', 'optimal', 'cancelled', …
    notes       what to know about the problem and the value, in words
    folder      the run folder; a temporary one goes with the Result
    json        all that result.json says
    """

    def __init__(self, answer, files, names):
        best = answer["best"]
        self._files = files  # keeps the temporary folder
        self.json = answer
        self.folder = answer["folder"]
        self.f = best["f"] if best["f"] is not None else float("nan")
        self.confirmed = bool(best.get("confirmed"))
        self.stopped = answer["stop"]["reason"]
        self.notes = answer.get("notes", []) + best.get("notes", [])
        self.seed = answer["seed"]
        self.evaluations = answer["evaluations"]
        self.seconds = answer["seconds"]
        self.x = np.load(os.path.join(self.folder, best["x_file"])) if best.get("x_file") else None
        self.assignment = None
        if names is not None and self.x is not None:
            self.x = self.x.astype(np.int8)
            self.assignment = dict(zip(names, self.x.tolist()))

    def __repr__(self):
        return (f"<clopt.Result f={self.f!r} confirmed={self.confirmed} n={self.json['dim']} "
                f"method={self.json['algorithm']['name']} stopped={self.stopped} seed={self.seed}>")

    def trace(self):
        """Returns the course of the run as a dict of arrays: t, evals, f and best. pandas.DataFrame takes it."""
        keys = "t", "evals", "f", "best"
        rows = []
        with open(os.path.join(self.folder, "trace.jsonl"), encoding="utf-8") as lines:
            for line in lines:
                event = json.loads(line)
                if event["type"] == "sample":
                    rows.append([np.nan if event[key] is None else event[key] for key in keys])
        table = np.array(rows, float).reshape(-1, len(keys))
        return {key: table[:, j] for j, key in enumerate(keys)}

    def samples(self):
        """Returns the points that keep asks for, the best first: a list of (point, value)."""
        name = self.json["best"].get("samples_file")
        if name is None:
            return []
        with open(os.path.join(self.folder, name), encoding="utf-8") as file:
            stored = json.load(file)
        points = np.array(stored["sample_data"]["data"], np.int8)
        return list(zip(points, stored["vectors"]["energy"]["data"]))

    def report(self, file=None):
        """Writes a page in HTML about the run, by default report.html in the run folder, and returns its path."""
        file = os.path.abspath(file or os.path.join(self.folder, "report.html"))
        done = subprocess.run([binary(), "report", self.folder, "-o", file], stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, encoding="utf-8", errors="replace")
        if done.returncode:
            raise Error(done.returncode, done.stderr.strip())
        return file
