"""Max-Cut and QUBO problems in memory."""

import json

import numpy as np

from .run import Folder, run


def maxcut(graph, *, time=None, seed=None, folder=None, progress=None, **settings):
    """Looks for the largest cut of a graph, and returns a Result, whose assignment has the side of each vertex, 0 or 1.

    graph is a graph of networkx, a list of edges (a, b) or (a, b, weight) with any names of vertices, an array of such
    rows, or a symmetric matrix of weights, of numpy or scipy.sparse. An edge that is listed twice with one weight
    counts once. The other arguments are those of minimize; keep=10 keeps the ten best points."""
    names, triples, shape = _edges(graph)
    return _run("maxcut", names, triples, shape, 0, dict(settings, time=time, seed=seed), folder, progress)


def qubo(q, *, offset=0, time=None, seed=None, folder=None, progress=None, **settings):
    """Looks for the smallest value of x'Qx + offset with variables 0 and 1, and returns a Result.

    q is a square matrix of numpy or scipy.sparse, or a dict {(a, b): value} with any names of variables, in which a or
    (a, a) is a linear term and () a constant. Terms (a, b) and (b, a) are added. keep=10 keeps the ten best points, see
    Result.samples; the other arguments are those of minimize. With maximize=True it looks for the largest value."""
    if isinstance(q, dict):
        number, triples = {}, {}
        for key, value in q.items():
            if key == ():
                offset = offset + value
                continue
            a, b = (key * 2)[:2] if isinstance(key, tuple) and len(key) < 3 else (key, key)
            at = tuple(sorted(number.setdefault(v, len(number)) for v in (a, b)))
            triples[at] = triples.get(at, 0) + value
        names, shape = list(number), len(number)
        triples = _columns([(i, j, value) for (i, j), value in triples.items()])
    else:
        triples, shape = _matrix(q)
        names = range(shape)
    return _run("qubo", names, triples, shape, offset, dict(settings, time=time, seed=seed), folder, progress)


def _run(kind, names, triples, n, offset, settings, folder, progress):
    """Runs the command on a matrix that is given by its rows, columns and values."""
    if n == 0:
        raise ValueError(f"{kind}: there are no variables")
    files = Folder()
    row, col, value = triples
    # This is what scipy.sparse.save_npz writes.
    np.savez(files.file(f"{kind}.npz"), format=np.array(b"coo"), shape=np.array([n, n]), row=row, col=col, data=value)
    if offset:
        with open(files.file(f"{kind}.npz.meta.json"), "w", encoding="utf-8") as file:
            json.dump({"offset": repr(_plain(offset))}, file)
    return run([f"{kind}:{files.file(kind + '.npz')}"], settings, folder, progress, files, names=names)


def _plain(number):
    return number.item() if isinstance(number, np.generic) else number


def _columns(triples):
    """Returns rows, columns and values as arrays; whole values stay whole."""
    rows, cols, values = zip(*triples) if triples else ((), (), ())
    data = np.array([_plain(v) for v in values])
    if data.dtype.kind not in "biuf":
        if data.size and data.dtype.kind != "O":
            raise ValueError(f"weights of type {data.dtype}; give numbers")
        data = data.astype(float)
    return np.array(rows, np.int64), np.array(cols, np.int64), data


def _matrix(q):
    """Returns what is in a square matrix of numpy or scipy.sparse, and its number of rows."""
    if hasattr(q, "tocoo"):
        q = q.tocoo(copy=True)
        q.sum_duplicates()
        row, col, data = q.row, q.col, q.data
    else:
        q = np.asarray(q)
        if q.ndim != 2:
            raise ValueError(f"a matrix has two dimensions, and this has {q.ndim}")
        row, col = np.nonzero(q)
        data = q[row, col]
    if q.shape[0] != q.shape[1]:
        raise ValueError(f"the matrix has {q.shape[0]} rows and {q.shape[1]} columns; a square one is needed")
    if data.dtype.kind not in "biuf":
        raise ValueError(f"weights of type {data.dtype}; give numbers")
    return (row.astype(np.int64), col.astype(np.int64), data), q.shape[0]


def _edges(graph):
    """Returns the names of the vertices of a graph, its edges, and the number of vertices."""
    if hasattr(graph, "tocoo") or isinstance(graph, np.ndarray) and graph.ndim == 2 and graph.shape[0] == graph.shape[1]:
        (row, col, data), n = _matrix(graph)
        if hasattr(graph, "tocoo"):
            lower, upper = row > col, row < col
            back = dict(zip(zip(col[lower].tolist(), row[lower].tolist()), data[lower].tolist()))
            same = back == dict(zip(zip(row[upper].tolist(), col[upper].tolist()), data[upper].tolist()))
            one_side = not lower.any() or not upper.any()
        else:
            same, one_side = (graph == graph.T).all(), not np.tril(graph, -1).any() or not np.triu(graph, 1).any()
        if not same and not one_side:
            raise ValueError("the matrix of a graph is symmetric, and this one is not; of three edges give a list")
        keep = row <= col if same else slice(None)
        return range(n), (row[keep], col[keep], data[keep]), n
    if hasattr(graph, "edges") and hasattr(graph, "nodes"):
        if graph.is_directed():
            raise ValueError("the graph has directions; give graph.to_undirected()")
        number = {v: i for i, v in enumerate(graph.nodes)}
        edges = graph.edges(data="weight", default=1)
        add = graph.is_multigraph()
    else:
        number, add = {}, False
        edges = graph.tolist() if isinstance(graph, np.ndarray) else graph
    weights = {}
    for edge in edges:
        a, b, w = edge if len(edge) == 3 else (*edge, 1)
        i, j = number.setdefault(a, len(number)), number.setdefault(b, len(number))
        at = (i, j) if i < j else (j, i)
        if i == j:
            raise ValueError(f"an edge from {a!r} to itself is in no cut; leave it out")
        if at in weights and not add and weights[at] != w:
            raise ValueError(f"the edge ({a!r}, {b!r}) has the weights {weights[at]} and {w}; give it once")
        weights[at] = weights.get(at, 0) + w if add else w
    return list(number), _columns([(i, j, w) for (i, j), w in weights.items()]), len(number)
