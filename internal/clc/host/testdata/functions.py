#!/usr/bin/env python3
"""Writes functions.csv: values of the functions of OpenCL C that the host has, made with mpmath.

    python3 functions.py > functions.csv

A line is NAME,ARGUMENTS…,VALUE with numbers of float64 in hexadecimal. Values are computed with 60 digits and rounded
once. Integer functions are in the test itself.
"""
import random

from mpmath import mp, mpf
import mpmath as m

mp.dps = 60
random.seed(1)


def values(low, high, count=6):
    return [random.uniform(low, high) for _ in range(count)]


def logarithmic(low, high, count=6):
    return [10 ** random.uniform(low, high) for _ in range(count)]


def both(v):
    return [w for x in v for w in (x, -x)]


anything = [0.0, 1.0, 0.5, 2.0, 3.0] + values(0, 4, 4) + logarithmic(-12, 2, 4)
signed = both(anything)
angles = signed + both([3.141592653589793, 1.5707963267948966, 6.283185307179586] + values(10, 1000, 3) + [1e6, 12345678.9])
unit = both([0.0, 0.5, 1.0] + values(0, 1, 5) + logarithmic(-9, -1, 4) + [1 - 2**-40, 1 - 2**-53])
positive = [1.0, 0.5, 2.0, 10.0, 1000.0, 1e-300, 1e300, 1 + 2**-52, 1 - 2**-53, 1.0000001, 0.9999999] + values(0.5, 2, 8) \
    + logarithmic(-100, 100, 8)
halves = both([0.5, 1.5, 2.5, 0.49999999999999994, 4503599627370495.5, 0.3, 7.7])


def sign(x):
    return mpf(0) if x == 0 else m.sign(x)


def rint(x):
    f = m.floor(x)
    r = x - f
    return f + (1 if r > 0.5 or r == 0.5 and int(f) % 2 else 0)


def away(x):
    return m.sign(x) * m.floor(abs(x) + mpf(1) / 2)


def trunc(x):
    return m.sign(x) * m.floor(abs(x))


pi = m.pi
one = {
    "acos": (m.acos, unit), "acosh": (m.acosh, [1.0, 1 + 2**-40, 1.5, 2.0] + values(1, 30) + [1e10, 1e200]),
    "acospi": (lambda x: m.acos(x) / pi, unit), "asin": (m.asin, unit), "asinh": (m.asinh, signed + both([1e10, 1e200])),
    "asinpi": (lambda x: m.asin(x) / pi, unit), "atan": (m.atan, signed + both([1e10])),
    "atanh": (m.atanh, [u for u in unit if abs(u) < 1]), "atanpi": (lambda x: m.atan(x) / pi, signed),
    "cbrt": (lambda x: m.sign(x) * m.cbrt(abs(x)), signed + both([8.0, 27.0, 1e300])),
    "ceil": (m.ceil, signed + halves), "cos": (m.cos, angles), "cosh": (m.cosh, signed + both([20.0, 700.0, 710.0])),
    "cospi": (m.cospi, angles + [0.25, 2.5, 1e-9]), "degrees": (lambda x: x * 180 / pi, signed),
    "erf": (m.erf, signed + both(values(0, 6))), "erfc": (m.erfc, signed + both(values(0, 6)) + [10.0, 26.0]),
    "exp": (m.exp, signed + both([20.0, 100.0, 700.0, 709.7]) + [-740.0]),
    "exp10": (lambda x: mpf(10) ** x, signed + both([20.0, 22.0, 100.0, 300.5, 307.9])),
    "exp2": (lambda x: mpf(2) ** x, signed + both([20.0, 100.5, 1000.3])), "expm1": (m.expm1, signed + [100.0, -40.0]),
    "fabs": (abs, signed), "floor": (m.floor, signed + halves),
    "lgamma": (lambda x: m.log(abs(m.gamma(x))), [0.1, 0.5, 1.5, 2.5, 3.0, 10.0, 171.5, 1e3, 1e10, 1e-10, 1.0000001,
               1.9999999, 2.0001] + values(0, 30, 12) + [-0.5, -1.5, -2.3, -10.7, -2.4570247382208, -2.747682646727413,
               -3.1435808883499798] + [-v for v in values(0, 20, 12)]),
    "log": (m.log, positive), "log10": (m.log10, positive + [100.0, 1e22]), "log1p": (m.log1p, [x for x in signed if x > -1]),
    "log2": (lambda x: m.log(x) / m.log(2), positive + [8.0, 1024.0]),
    "logb": (lambda x: m.floor(m.log(abs(x)) / m.log(2)), [1.0, 1.5, 2.0, 3.0, 0.3, 1e-10, -7.0, 1e300]),
    "radians": (lambda x: x * pi / 180, signed + [180.0]), "rint": (rint, signed + halves), "round": (away, signed + halves),
    "rsqrt": (lambda x: 1 / m.sqrt(x), positive), "sign": (sign, signed), "sin": (m.sin, angles),
    "sinh": (m.sinh, signed + both([20.0, 700.0, 710.0])), "sinpi": (m.sinpi, angles + [0.25, 2.5, 1e-9]),
    "sqrt": (m.sqrt, positive), "root": (m.sqrt, positive), "tan": (m.tan, angles), "tanh": (m.tanh, signed + [20.0]),
    "tanpi": (lambda x: m.sinpi(x) / m.cospi(x), [x for x in angles if x % 1 != 0.5] + [0.25]),
    "tgamma": (m.gamma, [0.5, 1.5, 2.0, 3.0, 5.0, 20.0, 50.5, 100.25, 150.7, 171.0, 1e-5, 171.6] + values(0, 30, 12) +
               [-0.5, -1.5, -2.3, -10.7, -30.3, -100.9] + [-v for v in values(0, 20, 12)]),
    "trunc": (trunc, signed + halves), "fract": (lambda x: x - m.floor(x), [x for x in signed if x >= 0 or x < -1e-3]),
    "modf": (lambda x: x - trunc(x), signed), "sq": (lambda x: x * x, signed),
    "cos_2pi": (lambda x: m.cospi(2 * x), angles), "sin_2pi": (lambda x: m.sinpi(2 * x), angles),
}
pairs = [(a, b) for a, b in zip(both(values(0, 5, 8)), values(-5, 5, 16))] + [(1.5, 1.5), (-1.5, 1.5), (0.0, 2.0), (2.0, 0.0)]
powers = [(x, y) for x, y in zip(logarithmic(-3, 3, 20), values(-30, 30, 20))] + [
    (1.000001, 1e6), (1.0000001, 1e9), (0.999999, 1e7), (10.0, 308.0), (10.0, -300.5), (2.0, 1000.7), (3.0, 4.0), (2.0, 0.5),
    (2.0, -0.5), (7.0, 1.0), (7.0, 2.0), (0.0, 2.0), (5.0, 0.0), (1e-300, 1.02), (1.5, -1700.0), (1 - 2**-53, 2.0**58)]
negative = [(-x, float(n)) for x, n in zip(logarithmic(-2, 2, 8), [1, 2, 3, -1, -2, 5, 17, 20])]


def fmod(x, y):
    return m.sign(x) * (abs(x) - abs(y) * m.floor(abs(x) / abs(y)))


def remainder(x, y):
    return x - y * rint(x / y)


two = {
    "atan2": (lambda y, x: m.atan2(y, x), pairs), "atan2pi": (lambda y, x: m.atan2(y, x) / pi, pairs),
    "copysign": (lambda x, y: abs(x) * (-1 if y < 0 else 1), pairs), "fdim": (lambda x, y: max(x - y, mpf(0)), pairs),
    "fmax": (max, pairs), "fmin": (min, pairs), "max": (max, pairs), "min": (min, pairs),
    "maxmag": (lambda x, y: x if abs(x) > abs(y) else y if abs(y) > abs(x) else max(x, y), pairs),
    "minmag": (lambda x, y: x if abs(x) < abs(y) else y if abs(y) < abs(x) else min(x, y), pairs),
    "fmod": (fmod, [p for p in pairs if p[1]] + [(1e6, 0.3), (-1e5, 0.7)]),
    "remainder": (remainder, [p for p in pairs if p[1]] + [(1e6, 0.3), (-1e5, 0.7), (5.0, 2.0)]),
    "hypot": (lambda x, y: m.sqrt(x * x + y * y), pairs + [(1e200, 1e200), (3e-200, 4e-200)]),
    "pow": (lambda x, y: m.power(x, y), powers + negative), "powr": (lambda x, y: m.power(x, y), powers[:-4]),
    "step": (lambda e, x: mpf(0) if x < e else mpf(1), pairs),
    "bound_above": (lambda v, b: min(v, b), pairs), "bound_below": (lambda v, b: max(v, b), pairs),
    "pown": (lambda x, n: m.power(x, n), negative + [(1.000001, 1000000.0), (0.7, -300.0)]),
    "rootn": (lambda x, n: m.sign(x) * m.exp(m.log(abs(x)) / n),
              [(x, float(n)) for x, n in zip(logarithmic(-20, 20, 12), [2, 3, 4, 5, 7, 10, -1, -2, -3, 100, 1, 11])] +
              [(-8.0, 3.0), (-0.1, 5.0)]),
    "ldexp": (lambda x, n: m.ldexp(x, int(n)), [(1.5, 3.0), (0.7, -10.0), (-3.3, 100.0)]),
}
triples = list(zip(values(-5, 5, 10), values(-5, 5, 10), values(-5, 5, 10)))
three = {
    "clamp": (lambda x, a, b: min(max(x, a), b), [(x, min(a, b), max(a, b)) for x, a, b in triples]),
    "fma": (lambda x, y, z: x * y + z, triples + [(1 + 2**-30, 1 - 2**-30, -1.0)]), "mad": (lambda x, y, z: x * y + z, triples),
    "mix": (lambda x, y, a: x + (y - x) * a, triples),
    "smoothstep": (lambda a, b, x: (lambda t: t * t * (3 - 2 * t))(min(max((x - a) / (b - a), mpf(0)), mpf(1))),
                   [(min(a, b), max(a, b), x) for x, a, b in triples]),
}

for name, (f, points) in list(one.items()) + list(two.items()) + list(three.items()):
    for p in points:
        args = p if isinstance(p, tuple) else (p,)
        v = f(*[mpf(a) for a in args])
        print(",".join([name] + [float(a).hex() for a in args] + [float(m.re(v)).hex()]))
