#!/usr/bin/env python3
"""data.py DIR FILE: writes the data of F1, F2, F3, F4 and F12 for the programs in this folder.

DIR is the folder of the official CEC'2013 files. FILE gets float64: the shifts of the five functions; the permutation
(from 0), sizes, weights and rotation matrices of F4; and for each function eight points, each followed by the value
that the official C++ code gives (reference.json). Without reference.json it fails.
"""
import json
import os
import struct
import sys

FUNCTIONS = (1, 2, 3, 4, 12)


def numbers(folder, name):
    with open(os.path.join(folder, name)) as f:
        return [float(v) for v in f.read().replace(",", " ").split()]


def levels(seed, n):
    """n integers below 2^20 of the generator SplitMix64, as reference.json describes it."""
    mask, state, out = (1 << 64) - 1, seed, []
    for _ in range(n):
        state = (state + 0x9E3779B97F4A7C15) & mask
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        out.append((z ^ (z >> 31)) >> 44)
    return out


def main(folder, path):
    with open(os.path.join(folder, "reference.json")) as f:
        functions = json.load(f)["functions"]
    data = []
    for k in FUNCTIONS:
        data += numbers(folder, f"F{k}-xopt.txt")
    data += [v - 1 for v in numbers(folder, "F4-p.txt")]
    for name in ("s", "w", "R25", "R50", "R100"):
        data += numbers(folder, f"F4-{name}.txt")
    for k in FUNCTIONS:
        f = functions[str(k)]
        points = [p for p in f["points"] if p["kind"] == "gen"][:8]
        assert len(points) == 8, f"F{k} has {len(points)} random points in reference.json; want 8"
        for p in points:
            data += [f["lb"] + (f["ub"] - f["lb"]) * v / 2**20 for v in levels(p["seed"], f["dim"])] + [p["f"]]
    with open(path, "wb") as f:
        f.write(struct.pack(f"<{len(data)}d", *data))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
