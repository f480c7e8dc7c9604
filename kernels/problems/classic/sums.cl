// classic/sums.cl: classic functions whose terms have one variable each. One
// define CLASSIC_NAME selects the function; c is component k, v its variable:
//
//   SCHWEFEL        f = a/n,  c = -v sin(sqrt|v|)
//   ACKLEY          f = -20 expm1(-0.2 sqrt(a/n)) - e expm1(-2 b/n),  c = v², sin² πv
//   COSINE_MIXTURE  f = a,  c = v² - 0.1 cos 5πv
//   EXPONENTIAL     f = -exp(-a/2),  c = v²
//   GRIEWANK        f = 1 + a/4000 - P,  c = v²,  P = Π cos(v/sqrt(k+1))
//   MICHALEWICZ     f = a,  c = -sin v sin²⁰((k+1) v²/π)
//   RASTRIGIN       f = a,  c = v² + 20 sin² πv
//   SALOMON         f = 2 sin² π sqrt(a) + sqrt(a)/10,  c = v²
//   SPHERE          f = a,  c = v²
//   LEVY_W          f = a,  w = 1 + (v-1)/4,  see component
//   SHUBERT         f = Π S(v),  S(v) = Σ j cos((j+1) v + j),  j = 1 … 5
//
// A product has three accumulators: the sum of log|factor|, the count of
// negative factors, and the count of factors that are zero. Formulas that
// cancel near the minimum are rewritten. An accumulator that is updated by
// differences can fall below 0 by rounding.

#if CLASSIC_GRIEWANK || CLASSIC_SHUBERT
#if REAL_BITS == 64
#define TINY 1e-300
#else
#define TINY 1e-37f
#endif

static void factor_add(real v, real logarithm, real *acc)
{
    const bool zero = fabs(v) < TINY;
    acc[0] += zero ? R(0.0) : logarithm;
    acc[1] += !zero && v < R(0.0) ? R(1.0) : R(0.0);
    acc[2] += zero ? R(1.0) : R(0.0);
}

// The sign of the product whose logarithm is acc[0]; 0 if a factor is zero.
static real factor_sign(const sum *acc)
{
    const real h = R(0.5) * sum_real(acc[1]);
    if (sum_real(acc[2]) > R(0.5)) return R(0.0);
    return fabs(h - rint(h)) > R(0.25) ? R(-1.0) : R(1.0);
}
#endif

#if CLASSIC_SCHWEFEL
static void component(uint k, point x, data d, real *acc)
{
    const real v = at(x, k);
    acc[0] -= v * sine_root(fabs(v));
}
static real objective(const sum *acc, data d) { return sum_real(acc[0]) / (real)DIM; }

#elif CLASSIC_ACKLEY
static void component(uint k, point x, data d, real *acc)
{
    const real v = at(x, k);
    acc[0] += v * v;
    acc[1] += sq(sinpi(v));
}
static real objective(const sum *acc, data d)
{
    const real a = fmax(sum_real(acc[0]), R(0.0)) / (real)DIM, b = sum_real(acc[1]) / (real)DIM;
    return R(-20.0) * expm1(R(-0.2) * sqrt(a)) - R(2.718281828459045) * expm1(R(-2.0) * b);
}

#elif CLASSIC_COSINE_MIXTURE
static void component(uint k, point x, data d, real *acc)
{
    const real v = at(x, k);
    acc[0] += v * v - R(0.1) * cospi(R(5.0) * v);
}
static real objective(const sum *acc, data d) { return sum_real(acc[0]); }

#elif CLASSIC_EXPONENTIAL
static void component(uint k, point x, data d, real *acc) { acc[0] += sq(at(x, k)); }
static real objective(const sum *acc, data d) { return -exp(R(-0.5) * sum_real(acc[0])); }

#elif CLASSIC_GRIEWANK
static void component(uint k, point x, data d, real *acc)
{
    const real v = at(x, k);
    // v/sqrt(k+1) = u + e: in float32, e has the digits of the angle that rounding u lost
    const real r = sqrt((real)(k + 1)), u = v / r;
#if REAL_BITS == 64
    const real c = cos(u), s = sin(u);
#else
    // r + l is the root with twice the digits; e follows from v - u (r + l)
    const real l = fma(-r, r, (real)(k + 1)) / (R(2.0) * r), e = (fma(-u, r, v) - u * l) / r;
    const real c0 = cos(u), s0 = sin(u), c = fma(-e, s0, c0), s = fma(e, c0, s0);
#endif
    acc[0] += v * v;
    factor_add(c, fabs(c) < R(0.5) ? log(fabs(c)) : R(0.5) * log1p(-s * s), acc + 1);
}
static real objective(const sum *acc, data d)
{
    const real a = sum_real(acc[0]) / R(4000.0), sign = factor_sign(acc + 1), l = sum_real(acc[1]);
    return sign > R(0.0) ? a - expm1(l) : a + (R(1.0) - sign * exp(l));
}

#elif CLASSIC_MICHALEWICZ
static void component(uint k, point x, data d, real *acc)
{
    const real v = at(x, k), m = (real)(k + 1);
#if REAL_BITS == 64
    const real s = sin(m * v * v / PI);
#else
    // m (v/π)² with twice the digits, minus its nearest integer
    const real t = v * 0.318309873f, tl = fma(v, 0.318309873f, -t) + v * 1.28412766e-8f;
    const real y = t * t, yl = fma(t, t, -y) + 2.0f * t * tl, z = m * y;
    const real s = sinpi((z - rint(z)) + (fma(m, y, -z) + m * yl));
#endif
    const real s2 = s * s, s4 = s2 * s2;
    acc[0] -= sin(v) * s4 * s4 * s4 * s4 * s4;
}
static real objective(const sum *acc, data d) { return sum_real(acc[0]); }

#elif CLASSIC_RASTRIGIN
static void component(uint k, point x, data d, real *acc)
{
    const real v = at(x, k);
    acc[0] += v * v + R(20.0) * sq(sinpi(v));
}
static real objective(const sum *acc, data d) { return sum_real(acc[0]); }

#elif CLASSIC_SALOMON
static void component(uint k, point x, data d, real *acc) { acc[0] += sq(at(x, k)); }
static real objective(const sum *acc, data d)
{
    const real r = sqrt(fmax(sum_real(acc[0]), R(0.0)));
    return R(2.0) * sq(sinpi(r)) + R(0.1) * r;
}

#elif CLASSIC_SPHERE
static void component(uint k, point x, data d, real *acc) { acc[0] += sq(at(x, k)); }
static real objective(const sum *acc, data d) { return sum_real(acc[0]); }

#elif CLASSIC_LEVY_W
static void component(uint k, point x, data d, real *acc)
{
    const real u = R(0.25) * (at(x, k) - R(1.0)), w = R(1.0) + u; // w - 1 and w
    const real s = k + 1 < DIM ? R(10.0) * sq(sin(PI * w + R(1.0))) : sq(sinpi(R(2.0) * w));
    acc[0] += sq(u) * (R(1.0) + s) + (k == 0 ? sq(sinpi(w)) : R(0.0));
}
static real objective(const sum *acc, data d) { return sum_real(acc[0]); }

#elif CLASSIC_SHUBERT
static void component(uint k, point x, data d, real *acc)
{
    const real v = at(x, k);
    real s = R(0.0);
    for (int j = 1; j <= 5; j++) s += (real)j * cos((real)(j + 1) * v + (real)j);
    factor_add(s, log(fabs(s)), acc);
}
static real objective(const sum *acc, data d) { return factor_sign(acc) * exp(sum_real(acc[0])); }
#endif
