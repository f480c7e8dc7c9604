"""atoms.py ATOMS writes pairs.csv, the pairs of atoms, and variables.txt, their six coordinates in the point.
atoms.py BEST draws the atoms as cluster.svg and prints the energy."""
import itertools, sys
import numpy as np


def energy(p):
    i, j = np.triu_indices(len(p), 1)
    v = ((p[i] - p[j]) ** 2).sum(1) ** -3.0
    return (4 * v * (v - 1)).sum()


def draw(p):
    """Balls from the back to the front, the brighter the nearer, seen along the longest axis."""
    p = (p - p.mean(0)) @ np.linalg.svd(p - p.mean(0))[2].T
    p = p[np.argsort(p[:, 0])]
    size = abs(p[:, 1:]).max() + 0.7
    with open("cluster.svg", "w") as f:
        print('<svg xmlns="http://www.w3.org/2000/svg" width="300" height="300" viewBox="%.1f %.1f %.1f %.1f">'
              % (-size, -size, 2 * size, 2 * size), file=f)
        print("<style>.paper{fill:#fff}@media (prefers-color-scheme:dark){.paper{fill:#16181c}}</style>", file=f)
        print('<rect class="paper" x="%.1f" y="%.1f" width="100%%" height="100%%"/>' % (-size, -size), file=f)
        print('<radialGradient id="light" cx="0.35" cy="0.3"><stop offset="0" stop-color="#fff" stop-opacity="0.8"/>'
              '<stop offset="1" stop-color="#fff" stop-opacity="0"/></radialGradient>', file=f)
        depth = (p[:, 0] - p[0, 0]) / (p[-1, 0] - p[0, 0])
        for (_, x, y), d in zip(p, depth):
            r, g, b = (int((0.35 + 0.65 * d) * c) for c in (0, 114, 178))
            print('<circle cx="%.2f" cy="%.2f" r="0.55" fill="#%02x%02x%02x"/>' % (x, y, r, g, b), file=f)
            print('<circle cx="%.2f" cy="%.2f" r="0.55" fill="url(#light)"/>' % (x, y), file=f)
        print("</svg>", file=f)


if sys.argv[1].isdigit():
    with open("pairs.csv", "w") as pairs, open("variables.txt", "w") as variables:
        for i, j in itertools.combinations(range(int(sys.argv[1])), 2):
            print(i, j, sep=",", file=pairs)
            print(*range(3 * i, 3 * i + 3), *range(3 * j, 3 * j + 3), file=variables)
else:
    best = np.load(sys.argv[1]).reshape(-1, 3)
    print("%d atoms, energy %.6f" % (len(best), energy(best)))
    draw(best)
