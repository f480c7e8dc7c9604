// classic/planes.cl: classic functions of two variables, with one component.
// One define CLASSIC_NAME selects the function; plane() is its formula.

#if CLASSIC_BRANIN
static real plane(real x, real y)
{
    const real u = y - R(5.1) / (R(4.0) * PI * PI) * x * x + R(5.0) / PI * x - R(6.0);
    return u * u + R(10.0) * (R(1.0) - R(1.0) / (R(8.0) * PI)) * cos(x) + R(10.0);
}
#elif CLASSIC_DEKKERS_AARTS
static real plane(real x, real y)
{
    const real r = x * x + y * y, q = r * r;
    return R(1e5) * x * x + y * y - q + R(1e-5) * q * q;
}
#elif CLASSIC_EASOM
static real plane(real x, real y) { return -cos(x) * cos(y) * exp(-(sq(x - PI) + sq(y - PI))); }
#elif CLASSIC_GOLDSTEIN_PRICE
static real plane(real x, real y)
{
    const real u = x + y + R(1.0), v = R(2.0) * x - R(3.0) * y;
    const real p = R(19.0) - R(14.0) * x + R(3.0) * x * x - R(14.0) * y + R(6.0) * x * y + R(3.0) * y * y;
    const real q = R(18.0) - R(32.0) * x + R(12.0) * x * x + R(48.0) * y - R(36.0) * x * y + R(27.0) * y * y;
    return (R(1.0) + u * u * p) * (R(30.0) + v * v * q);
}
#elif CLASSIC_HIMMELBLAU
static real plane(real x, real y) { return sq(x * x + y - R(11.0)) + sq(x + y * y - R(7.0)); }
#elif CLASSIC_SIX_HUMP
static real plane(real x, real y)
{
    const real u = x * x, v = y * y;
    return (R(4.0) - R(2.1) * u + u * u / R(3.0)) * u + x * y + (R(-4.0) + R(4.0) * v) * v;
}
#endif

static void component(uint k, point x, data d, real *acc) { acc[0] += plane(at(x, 0), at(x, 1)); }

static real objective(const sum *acc, data d) { return sum_real(acc[0]); }
