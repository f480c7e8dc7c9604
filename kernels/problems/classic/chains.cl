// classic/chains.cl: classic functions whose terms have several neighbouring
// variables. One define CLASSIC_NAME selects the function. Component k reads
// v = x_k and, but for the last, u = x_(k+1). sin² z stands for sin²(πz).
//
//   LEVY_MONTALVO  f = (π/n) a,  y = 1 + (v+1)/4,  z = 1 + (u+1)/4:
//                  c = (y-1)² (1 + 10 sin² z), at the last k (y-1)²; at k = 0 + 10 sin² y
//   ROSENBROCK     c = 100 (u - v²)² + (1 - v)², nothing at the last k
//   POWELL         component k has the variables 4k … 4k+3:
//                  c = (p + 10q)² + 5 (r - s)² + (q - 2r)⁴ + 10 (p - s)⁴
//   DIXON_PRICE    c = (k+2) (2u² - v)², nothing at the last k; at k = 0 + (v - 1)²
//   LEVY_CHAIN     c = (v-1)² (1 + 10 sin² u), at the last k sin² v; at k = 0 + sin² v
//   PICCIONI       c = (v-1)² (1 + 10 sin² u), at the last k (v-1)²; at k = 0 + 10 sin² v
//   F25F28         c = v²/2^k + v u/2^(k+2), at the last k v²/2^k

#if CLASSIC_LEVY_MONTALVO
static real shifted(real v) { return R(1.0) + R(0.25) * (v + R(1.0)); }
static void component(uint k, point x, data d, real *acc)
{
    const real v = at(x, k), w = sq(R(0.25) * (v + R(1.0)));
    const real s = k + 1 < DIM ? R(10.0) * sq(sinpi(shifted(at(x, k + 1)))) : R(0.0);
    acc[0] += w * (R(1.0) + s) + (k == 0 ? R(10.0) * sq(sinpi(shifted(v))) : R(0.0));
}
static real objective(const sum *acc, data d) { return PI / (real)DIM * sum_real(acc[0]); }

#elif CLASSIC_ROSENBROCK
static void component(uint k, point x, data d, real *acc)
{
    if (k + 1 == DIM) return;
    const real v = at(x, k);
    acc[0] += R(100.0) * sq(at(x, k + 1) - v * v) + sq(R(1.0) - v);
}

#elif CLASSIC_POWELL
static void component(uint k, point x, data d, real *acc)
{
    const real p = at(x, 4 * k), q = at(x, 4 * k + 1), r = at(x, 4 * k + 2), s = at(x, 4 * k + 3);
    acc[0] += sq(p + R(10.0) * q) + R(5.0) * sq(r - s) + sq(sq(q - R(2.0) * r)) + R(10.0) * sq(sq(p - s));
}

#elif CLASSIC_DIXON_PRICE
static void component(uint k, point x, data d, real *acc)
{
    const real v = at(x, k);
    if (k == 0) acc[0] += sq(v - R(1.0));
    if (k + 1 < DIM) acc[0] += (real)(k + 2) * sq(R(2.0) * sq(at(x, k + 1)) - v);
}

#elif CLASSIC_LEVY_CHAIN
static void component(uint k, point x, data d, real *acc)
{
    const real v = at(x, k), u = k + 1 < DIM ? at(x, k + 1) : v;
    acc[0] += sq(v - R(1.0)) * (R(1.0) + R(10.0) * sq(sinpi(u))) + (k == 0 ? sq(sinpi(v)) : R(0.0));
}

#elif CLASSIC_PICCIONI
static void component(uint k, point x, data d, real *acc)
{
    const real v = at(x, k), s = k + 1 < DIM ? R(10.0) * sq(sinpi(at(x, k + 1))) : R(0.0);
    acc[0] += sq(v - R(1.0)) * (R(1.0) + s) + (k == 0 ? R(10.0) * sq(sinpi(v)) : R(0.0));
}

#elif CLASSIC_F25F28
static void component(uint k, point x, data d, real *acc)
{
    const real v = at(x, k);
    acc[0] += ldexp(v * v, -(int)k);
    if (k + 1 < DIM) acc[0] += ldexp(v * at(x, k + 1), -(int)k - 2);
}
#endif

#if !CLASSIC_LEVY_MONTALVO
static real objective(const sum *acc, data d) { return sum_real(acc[0]); }
#endif
