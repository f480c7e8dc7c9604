"""sensors.py SENSORS writes pairs.npy, the pairs of sensors that are near each other, with their noisy distances,
variables.txt, the coordinates of each pair, bounds.csv, which fixes every tenth sensor, and start.npy, a first guess.
sensors.py BEST draws the guess and the points of BEST as sensors.png, and prints the errors."""
import struct, sys, zlib
import numpy as np

NOISE = 0.05  # of a distance, in proportion


def sensors(n):
    """Points of the square from 0 to sqrt(n), with one on every unit of area."""
    return np.random.default_rng(1).random((n, 2)) * n**0.5


def near(p, reach=2.0):
    """All pairs of points whose distance is less than reach."""
    cells = {}
    for i, cell in enumerate(map(tuple, (p // reach).astype(int))):
        cells.setdefault(cell, []).append(i)
    found = []
    for (a, b), here in cells.items():
        for other in (a, b), (a + 1, b), (a - 1, b + 1), (a, b + 1), (a + 1, b + 1):
            i, j = np.meshgrid(here, cells.get(other, []))
            found.append(np.stack([i, j], axis=-1)[(i < j) | (other != (a, b))])
    i, j = np.concatenate(found).astype(int).T
    close = np.hypot(*(p[i] - p[j]).T) < reach
    return i[close], j[close]


def guess(n, anchors, i, j, p):
    """Every sensor is put between those near it again and again; the anchors stay where they are."""
    x = np.full((n, 2), n**0.5 / 2)
    count = np.bincount(i, minlength=n) + np.bincount(j, minlength=n)
    for _ in range(200):
        x[anchors] = p[anchors]
        total = [np.bincount(i, x[j, c], n) + np.bincount(j, x[i, c], n) for c in (0, 1)]
        x = np.where(count[:, None] > 0, np.transpose(total) / np.maximum(count, 1)[:, None], x)
    x[anchors] = p[anchors]
    return x


def picture(x, p, size=400):
    """The corner of 40 x 40 units: a line from the true position of each sensor to where it is believed to be."""
    image = np.full((size, size, 3), 255, np.uint8)
    for a, b in zip(p[(p < 40).all(1)], x[(p < 40).all(1)]):
        for t in np.linspace(0, 1, 60):
            u, v = ((a + t * (b - a)) * size / 40).astype(int)
            if 0 <= u < size and 0 <= v < size:
                image[v, u] = 213, 94, 0
        u, v = (a * size / 40).astype(int)
        image[max(v - 1, 0):v + 2, max(u - 1, 0):u + 2] = 0, 114, 178
    return image


def write_png(file, image):
    """Writes an array of bytes, height x width x 3, as a PNG file."""
    rows = np.pad(image.reshape(len(image), -1), ((0, 0), (1, 0)))
    chunks = [(b"IHDR", struct.pack(">IIBBBBB", image.shape[1], image.shape[0], 8, 2, 0, 0, 0)),
              (b"IDAT", zlib.compress(rows.tobytes(), 9)), (b"IEND", b"")]
    with open(file, "wb") as f:
        f.write(b"\x89PNG\r\n\x1a\n")
        for name, data in chunks:
            f.write(struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)))


if sys.argv[1].isdigit():
    n = int(sys.argv[1])
    p = sensors(n)
    i, j = near(p)
    distance = np.hypot(*(p[i] - p[j]).T) * (1 + NOISE * np.random.default_rng(2).normal(size=len(i)))
    np.save("pairs.npy", np.stack([i, j, distance], axis=1))
    np.savetxt("variables.txt", np.stack([2 * i, 2 * i + 1, 2 * j, 2 * j + 1], axis=1), "%d")
    bounds = np.tile([0, n**0.5], (2 * n, 1))
    anchors = np.arange(0, n, 10)
    for v in 2 * anchors, 2 * anchors + 1:
        bounds[v] = p.ravel()[v, None]
    np.savetxt("bounds.csv", bounds, "%.17g", ",")
    np.save("start.npy", guess(n, anchors, i, j, p).ravel())
else:
    start, best = np.load("start.npy").reshape(-1, 2), np.load(sys.argv[1]).reshape(-1, 2)
    p = sensors(len(start))
    pair = np.load("pairs.npy")
    i, j = pair[:, :2].astype(int).T
    for name, x in ("guess", start), ("best", best), ("truth", p):
        misfit = ((np.hypot(*(x[i] - x[j]).T) - pair[:, 2]) ** 2).sum()
        error = np.hypot(*(x - p).T)
        print("%-6s misfit %.6g, error: median %.4f, above 0.5: %d sensors"
              % (name, misfit, np.median(error), (error > 0.5).sum()))
    gap = np.full((400, 20, 3), 255, np.uint8)
    write_png("sensors.png", np.hstack([picture(start, p), gap, picture(best, p)]))
