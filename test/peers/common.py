"""Shared by the Python peers: data, numpy reference, JSON lines, budget."""
import json, os, sys, time
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
FNS = ["F1", "F2", "F3", "F4", "F12"]
LO = {"F1": -100., "F2": -5., "F3": -32., "F4": -100., "F12": -100.}
S7 = [50, 25, 25, 100, 50, 25, 25]
T0 = time.time()


def load():
    a = np.fromfile(os.path.join(os.environ.get("PEERS_DIR", HERE), "cec.bin"))
    o = 0
    def take(n):
        nonlocal o
        o += n
        return a[o - n:o].copy()
    xopt = {f: take(1000) for f in FNS}
    perm = take(1000).astype(np.int64)
    s, w = take(7), take(7)
    R = {25: take(625).reshape(25, 25), 50: take(2500).reshape(50, 50), 100: take(10000).reshape(100, 100)}
    val = {}
    for f in FNS:
        q = take(8 * 1001).reshape(8, 1001)
        val[f] = (q[:, :1000].copy(), q[:, 1000].copy())
    assert o == a.size
    i = np.arange(1000) / 999.0
    ell = lambda n: 10.0 ** (6 * np.arange(n) / (n - 1.0))
    w4 = np.concatenate([w[k] * ell(S7[k]) for k in range(7)] + [ell(700)])
    return dict(xopt=xopt, perm=perm, w=w, R=R, val=val, frac=i, lam=10.0 ** (0.5 * i), w1=10.0 ** (6 * i), w4=w4)


def np_osz(z):
    az = np.abs(z)
    h = np.where(az > 0, np.log(np.where(az > 0, az, 1)), 0)
    c1 = np.where(z > 0, 10, 5.5)
    c2 = np.where(z > 0, 7.9, 3.1)
    return np.sign(z) * np.exp(h + 0.049 * (np.sin(c1 * h) + np.sin(c2 * h)))


def np_asy(z, frac):
    p = np.where(z > 0, z, 1)
    return np.where(z > 0, p ** (1 + 0.2 * frac * np.sqrt(p)), z)


def np_eval(d, f, x):
    """x (P, D) with D a multiple of 1000: the replicated function (sum over the boxes;
    F3: the two Ackley means run over the whole vector, as in the paper's tables from 1e6 variables on)."""
    P = x.shape[0]
    z = x.reshape(P, -1, 1000) - d["xopt"][f]
    if f == "F1":
        return (d["w1"] * np_osz(z) ** 2).sum((1, 2))
    if f in ("F2", "F3"):
        y = np_asy(np_osz(z), d["frac"]) * d["lam"]
        if f == "F2":
            return (y * y - 10 * np.cos(2 * np.pi * y) + 10).sum((1, 2))
        return (-20 * np.exp(-0.2 * np.sqrt((y * y).mean((1, 2)))) - np.exp(np.cos(2 * np.pi * y).mean((1, 2))) + 20 + np.e)
    if f == "F12":
        a, b = z[..., :-1], z[..., 1:]
        return (100 * (a * a - b) ** 2 + (a - 1) ** 2).sum((1, 2))
    z = z[..., d["perm"]]
    ys, c = [], 0
    for k in S7:
        ys.append(z[..., c:c + k] @ d["R"][k].T)
        c += k
    ys.append(z[..., c:])
    return (d["w4"] * np_osz(np.concatenate(ys, -1)) ** 2).sum((1, 2))


DEV = ""
_seen = open(os.environ["PEERS_JSONL"], "a") if os.environ.get("PEERS_JSONL") else None


def emit(bench, lib, fn, dtype, D, P, metric, value, unit, note="", **kw):
    r = dict(bench=bench, lib=lib, fn=fn, dtype=dtype, D=int(D), P=int(P), metric=metric,
             value=None if value is None or not np.isfinite(value) else float(f"{value:.6g}"), unit=unit, note=note, dev=DEV, **kw)
    s = json.dumps(r)
    print(s, flush=True)
    if _seen:
        _seen.write(s + "\n"); _seen.flush()


def left(budget):
    return budget - (time.time() - T0)


def errline(e):
    return (type(e).__name__ + ": " + str(e).replace("\n", " "))[:220]


if __name__ == "__main__":  # self test against the official C++ values
    d = load()
    for f in FNS:
        x, v = d["val"][f]
        r = np_eval(d, f, x)
        x3 = np.concatenate([x, x[::-1], x], 1)
        r3 = np_eval(d, f, x3)
        print(f, "max rel err vs official C++", np.max(np.abs(r - v) / np.abs(v)), "3 boxes:", r3[0] / (2 * v[0] + v[7]))
