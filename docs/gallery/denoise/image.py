"""image.py SIZE writes noisy.npy, a picture of SIZE x SIZE cells with noise.
image.py BEST draws the noisy picture and the points of BEST side by side, as denoise.png,
and prints the errors, the value, and a lower bound of all values."""
import struct, sys, zlib
import numpy as np


def scene(size):
    """A sun above hills and a house: 0 is black, 1 is white."""
    y, x = np.mgrid[0:size, 0:size] / size
    s = 0.75 - 0.3 * y
    s[(x - 0.75) ** 2 + (y - 0.22) ** 2 < 0.012] = 0.98
    s[y > 0.6 + 0.08 * np.sin(7 * x)] = 0.42
    s[y > 0.75 + 0.05 * np.sin(11 * x + 2)] = 0.25
    s[(abs(x - 0.35) < 0.15) & (abs(y - 0.66) < 0.14)] = 0.85
    s[(y < 0.52) & (y > 0.32 + 1.1 * abs(x - 0.35))] = 0.1
    s[(abs(x - 0.27) < 0.04) & (abs(y - 0.62) < 0.04)] = 0.3
    s[(abs(x - 0.42) < 0.04) & (y > 0.62) & (y < 0.8)] = 0.5
    return s


def write_png(file, s):
    """Writes an array of values from 0 to 1 as a grey PNG file."""
    rows = np.pad((255 * s.clip(0, 1)).astype(np.uint8), ((0, 0), (1, 0)))
    chunks = [(b"IHDR", struct.pack(">IIBBBBB", s.shape[1], s.shape[0], 8, 0, 0, 0, 0)),
              (b"IDAT", zlib.compress(rows.tobytes(), 9)), (b"IEND", b"")]
    with open(file, "wb") as f:
        f.write(b"\x89PNG\r\n\x1a\n")
        for name, data in chunks:
            f.write(struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)))


def value_and_bound(x, noisy, weight=0.15, smooth=0.01):
    """The value of denoise.cl, and that of the dual problem at u = a / h and v = b / h: for differences a and b the
    term h is the largest value of u a + v b + smooth sqrt(1 - u^2 - v^2), and what remains is a square."""
    a, b = np.diff(x, axis=1, append=x[:, -1:]), np.diff(x, axis=0, append=x[-1:])
    h = np.sqrt(a * a + b * b + smooth * smooth)
    u, v = weight * a / h, weight * b / h
    pull = np.diff(-u, axis=1, prepend=0) + np.diff(-v, axis=0, prepend=0)
    value = (0.5 * (x - noisy) ** 2 + weight * h).sum()
    return value, (weight * smooth**2 / h + pull * noisy - 0.5 * pull**2).sum()


if sys.argv[1].isdigit():
    size = int(sys.argv[1])
    clean = scene(size)
    np.save("noisy.npy", clean + np.random.default_rng(1).normal(0, 0.1, clean.shape))
else:
    noisy = np.load("noisy.npy")
    best = np.load(sys.argv[1]).reshape(noisy.shape)
    clean = scene(len(noisy))
    errors = tuple(((v - clean) ** 2).mean() ** 0.5 for v in (noisy, best))
    print("root mean square error: noisy %.4f, best %.4f" % errors)
    print("value %.6f, no value is below %.6f" % value_and_bound(best, noisy))
    step = max(1, len(noisy) // 256)
    write_png("denoise.png", np.hstack([noisy[::step, ::step], best[::step, ::step]]))
