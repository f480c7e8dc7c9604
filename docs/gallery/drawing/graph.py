"""graph.py DEPTH writes a graph, Sierpinski's triangle with 3^DEPTH small triangles: pairs.npy, the pairs of vertices
that are at most 3 edges apart and those of a vertex and one of 16 pivots, with the distances in the graph,
variables.txt, the coordinates of each pair, and start.npy, a first drawing.
graph.py BEST draws the graph as drawing.svg and prints the stress of BEST and of other drawings."""
import sys
import numpy as np

NEAR, PIVOTS = 3, 16


def sierpinski(depth):
    """The positions of the vertices in the usual drawing, and the three corners of each small triangle."""
    corners = np.array([(0, 0), (1, 0), (0, 1)])
    small = np.zeros((1, 2), int)  # the lower left corners of the small triangles
    for d in range(depth):
        small = np.concatenate([small + c * 2**d for c in corners])
    triangles = small[:, None] + corners
    grid, number = np.unique(triangles.reshape(-1, 2), axis=0, return_inverse=True)
    return grid @ [[1, 0], [0.5, 0.75**0.5]], number.reshape(-1, 3)


def distances(edges, n, source):
    """The number of edges from the source to every vertex."""
    far = np.full(n, -1)
    far[source] = steps = 0
    while (far < 0).any():
        here = far == steps
        steps += 1
        for i, j in edges.T, edges.T[::-1]:
            far[j[here[i] & (far[j] < 0)]] = steps
    return far


def near(edges, n):
    """The pairs of vertices that are at most NEAR edges apart, with their distances."""
    beside = [set() for _ in range(n)]
    for i, j in edges:
        beside[i].add(j)
        beside[j].add(i)
    for i in range(n):
        seen = here = {i}
        for far in range(1, NEAR + 1):
            here = set().union(*(beside[j] for j in here)) - seen
            seen = seen | here
            yield from ((i, j, far) for j in here if i < j)


def first_drawing(far):
    """The two largest principal components of the squared distances to the pivots (Brandes and Pich 2006)."""
    square = far**2.0
    square += square.mean() - square.mean(0) - square.mean(1)[:, None]
    u, size, v = np.linalg.svd(square, full_matrices=False)
    p = square @ v[:2].T
    return p / np.linalg.norm(p, axis=1).max() * far.max() / 2


def stress(p, pair):
    i, j = pair[:, :2].astype(int).T
    return ((np.hypot(*(p[i] - p[j]).T) / pair[:, 2] - 1) ** 2).sum()


def draw(p, triangles):
    p = (100 + (p - p.min(0)) * 3800 / (p.max(0) - p.min(0)).max()).astype(int)
    a, b, c = (p[corner] for corner in triangles.T)
    path = "".join("M%d,%dl%d,%dl%d,%dz" % (*u, *v, *w) for u, v, w in zip(a, b - a, c - b))
    with open("drawing.svg", "w") as f:
        print('<svg xmlns="http://www.w3.org/2000/svg" width="400" height="%.0f" viewBox="0 0 4000 %d">'
              % (p[:, 1].max() / 10 + 10, p[:, 1].max() + 100), file=f)
        print("<style>.paper{fill:#fff}@media (prefers-color-scheme:dark){.paper{fill:#16181c}}</style>", file=f)
        print('<rect class="paper" width="100%" height="100%"/>', file=f)
        print('<path stroke="#0072b2" stroke-width="6" fill="none" d="%s"/></svg>' % path, file=f)


if sys.argv[1].isdigit():
    p, triangles = sierpinski(int(sys.argv[1]))
    edges = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [0, 2]]])
    pivots = np.random.default_rng(1).choice(len(p), PIVOTS, replace=False)
    far = np.stack([distances(edges, len(p), pivot) for pivot in pivots], axis=1)
    i, j = np.nonzero(far > NEAR)
    pair = np.concatenate([np.array(list(near(edges, len(p)))), np.stack([i, pivots[j], far[i, j]], axis=1)])
    np.save("pairs.npy", pair.astype(float))
    np.save("start.npy", first_drawing(far).ravel())
    i, j = pair[:, :2].T
    np.savetxt("variables.txt", np.stack([2 * i, 2 * i + 1, 2 * j, 2 * j + 1], axis=1), "%d")
    print(len(p), "vertices,", 2 * len(p), "variables,", len(pair), "pairs")
else:
    pair = np.load("pairs.npy")
    start, best = np.load("start.npy").reshape(-1, 2), np.load(sys.argv[1]).reshape(-1, 2)
    p, triangles = sierpinski(round(np.log(len(best)) / np.log(3)))
    usual = min(stress(p * scale, pair) for scale in np.linspace(0.8, 1.2, 41))
    print("stress %.4f, of the first drawing %.4f, of the usual one %.4f"
          % (stress(best, pair), stress(start, pair), usual))
    draw(best, triangles)
