"""One generation of NGPUs-MA-SW-Chains and one Solis-Wets step for every individual, in JAX (jit, donated buffers), as a user
would write them. jax: the default threefry generator; jax_rbg: unsafe_rbg (the fast one); jax_lean: no 2P concatenation."""
import os, time
os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
os.environ.setdefault("XLA_PYTHON_CLIENT_MEM_FRACTION", ".95")
import numpy as np
import jax
jax.config.update("jax_enable_x64", True)
import jax.numpy as jnp
import common as C
from common import emit, errline, left

BUDGET = float(os.environ.get("BUDGET", "60"))
LO, HI = -100.0, 100.0


def make(dt, lean):
    d = C.load(); xo, w1 = jnp.asarray(d["xopt"]["F1"].astype(dt)), jnp.asarray(d["w1"].astype(dt))

    def f1(x):
        z = x.reshape(x.shape[0], -1, 1000) - xo
        h = jnp.where(z == 0, 0.0, jnp.log(jnp.abs(z)))
        c1 = jnp.where(z > 0, 10.0, 5.5); c2 = jnp.where(z > 0, 7.9, 3.1)
        y = jnp.sign(z) * jnp.exp(h + 0.049 * (jnp.sin(c1 * h) + jnp.sin(c2 * h)))
        return jnp.sum(w1 * y * y, axis=(1, 2))

    def step(key, pop, fit):
        P, D = pop.shape
        key, k1, k2, k3, k4 = jax.random.split(key, 5)
        cand = jax.random.randint(k1, (3, P), 0, P)
        dist = jnp.stack([jnp.sum((pop - pop[cand[k]]) ** 2, axis=1) for k in range(3)])
        q = pop[cand[jnp.argmax(dist, axis=0), jnp.arange(P)]]
        lo, hi = jnp.minimum(pop, q), jnp.maximum(pop, q)
        I = hi - lo
        c = lo - 0.5 * I + jax.random.uniform(k2, pop.shape, dtype=dt) * (2 * I)
        m = jax.random.uniform(k3, pop.shape, dtype=dt) < 1e-3
        v = jax.random.uniform(k4, pop.shape, dtype=dt, minval=-1.0, maxval=1.0)
        c = jnp.where(m, c + jnp.sign(v) * (0.1 * (HI - LO)) * jnp.exp2(-16 * jnp.abs(v)), c)
        c = jnp.clip(c, LO, HI)
        nf, idx = jax.lax.top_k(-jnp.concatenate([fit, f1(c)]), P)
        if lean:
            new = jnp.where((idx < P)[:, None], pop[jnp.minimum(idx, P - 1)], c[jnp.maximum(idx - P, 0)])
        else:
            new = jnp.concatenate([pop, c])[idx]
        return key, new, -nf

    def sw(key, x, f, bias, rho, ns, nf):
        key, k1 = jax.random.split(key, 2)
        d = jax.random.normal(k1, x.shape, dtype=dt) * rho[:, None] + bias
        y1, y2 = jnp.clip(x + d, LO, HI), jnp.clip(x - d, LO, HI)
        g1, g2 = f1(y1), f1(y2)
        a = g1 < f; b = ~a & (g2 < f); ok = a | b
        A, B = a[:, None], b[:, None]
        x = jnp.where(A, y1, jnp.where(B, y2, x))
        bias = jnp.where(A, 0.2 * bias + 0.4 * d, jnp.where(B, bias - 0.4 * d, 0.5 * bias))
        f = jnp.where(a, g1, jnp.where(b, g2, f))
        ns = jnp.where(ok, ns + 1, 0); nf = jnp.where(ok, 0, nf + 1)
        up, dn = ns > 5, nf > 3
        rho = jnp.where(up, rho * 2, jnp.where(dn, rho * 0.5, rho))
        return key, x, f, bias, rho, jnp.where(up, 0, ns), jnp.where(dn, 0, nf)
    return jax.jit(f1), jax.jit(step, donate_argnums=(1, 2)), jax.jit(sw, donate_argnums=(1, 2, 3, 4, 5, 6))


def timed(f, state, n_min=5, target=0.8):
    state = f(*state); jax.block_until_ready(state)
    t = time.perf_counter(); state = f(*state); jax.block_until_ready(state); t = time.perf_counter() - t
    n = int(max(n_min, min(60, target / max(t, 1e-4)))); v = []
    for _ in range(n):
        t = time.perf_counter(); state = f(*state); jax.block_until_ready(state); v.append((time.perf_counter() - t) * 1e3)
    return float(np.median(v)), state


def peak():
    try:
        return f"peak {jax.devices()[0].memory_stats()['peak_bytes_in_use'] / 1e9:.1f} GB (whole process so far)"
    except Exception:
        return ""


def main():
    small = bool(os.environ.get("PEERS_SMALL"))
    C.DEV = str(jax.devices()[0].device_kind)
    f64, f32 = np.float64, np.float32
    plan = [("jax", f64, 1000000, 100), ("jax_rbg", f64, 1000000, 100), ("jax_lean", f64, 1000000, 100), ("jax", f32, 1000000, 100),
            ("jax_rbg", f32, 1000000, 100), ("jax_rbg", f64, 10000000, 50), ("jax", f64, 10000000, 50), ("jax_rbg", f32, 10000000, 50),
            ("jax_rbg", f64, 100000000, 8), ("jax_rbg", f64, 100000000, 25)]
    if small: plan = [("jax", f64, 3000, 12), ("jax_lean", f64, 3000, 12), ("jax", f32, 3000, 12)]
    for lib, dt, D, P in plan:
        name = "fp64" if dt == f64 else "fp32"
        if left(BUDGET) < 5:
            emit("ga", lib, "F1", name, D, P, "skipped", None, "", "time budget"); continue
        pop = st = fit = None
        try:
            f1, step, sw = make(dt, lib == "jax_lean")
            key = jax.random.key(1, impl="unsafe_rbg") if lib in ("jax_rbg", "jax_lean") and not small else jax.random.PRNGKey(1)
            pop = jax.random.uniform(key, (P, D), dtype=dt, minval=LO, maxval=HI)
            fit = f1(pop); f0 = float(fit.min())
            t0 = time.perf_counter(); n0 = 10 if D <= 1000000 else 2
            for _ in range(n0): key, pop, fit = step(key, pop, fit)
            fb = float(fit.min())
            emit("ga", lib, "F1", name, D, P, f"best_after_{n0}", fb / f0, "rel to initial best", f"first calls took {time.perf_counter() - t0:.2f} s")
            ms, st = timed(step, (key, pop, fit)); key, pop, fit = st; st = None
            emit("ga", lib, "F1", name, D, P, "generations_per_s", 1e3 / ms, "1/s", peak(), ms=ms)
            if left(BUDGET) < 4 or lib == "jax_lean": continue
            f0 = float(fit.min())
            st = (key, pop, fit, jnp.zeros_like(pop), jnp.full((P,), 10.0, dtype=dt), jnp.zeros((P,), dtype=np.int32), jnp.zeros((P,), dtype=np.int32)); pop = fit = None
            for _ in range(10 if D <= 1000000 else 1): st = sw(*st)
            emit("ga", lib, "F1_sw", name, D, P, "best_after", float(st[2].min()) / f0, "rel to before", "")
            ms, st = timed(sw, st)
            emit("ga", lib, "F1_sw", name, D, P, "steps_per_s", 1e3 / ms, "1/s", peak(), ms=ms)
        except Exception as e:
            emit("ga", lib, "F1", name, D, P, "oom" if "RESOURCE_EXHAUSTED" in str(e) else "error", None, "", errline(e))
        finally:
            pop = st = fit = step = sw = None


if __name__ == "__main__":
    main()
