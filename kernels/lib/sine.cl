// sine.cl: sin(sqrt(v)) of a bounded argument, without branches, so that compilers can turn it into vector code.
// The sine of a library has a branch for large arguments, across which no other evaluation can go on.
//
//   sine_root(v)  sin(sqrt(v)), 0 <= v <= 4096 (an angle of at most 64)
//
// For texts of problems only: rsqrt may differ between kinds of devices, and the result then in its last bit.
//
// The root is r + e, where r is rsqrt times v, with a step of Newton in float64, and e corrects it by the rest
// v - r². The angle minus the nearest multiple q of π is in [-π/2, π/2], where the polynomial is minimax (error
// 4.6e-9 in float32, 2e-19 in float64). TestSine bounds the absolute error for every v: 1.3e-7 and 4e-16.
// With a rounded root alone it would be 1e-6 and 2e-15.

#if REAL_BITS == 64
#define SINE_ROUND 6755399441055744.0  // 3·2^51: v + this has the integer nearest to v in its low bits
#define SINE_PI 3.141592653589793116   // π = SINE_PI + SINE_PI_LOW; SINE_PI q has no rounding for q <= 21
#define SINE_PI_LOW 1.2246467991473532e-16

// x, with its sign changed where the low bit of t is 1
static real sine_sign(real x, real t) { return as_double(as_ulong(x) ^ (as_ulong(t) << 63)); }

// sin(x) for |x| slightly above π/2 at most; the two halves of the polynomial are evaluated in parallel
static real sine_poly(real x)
{
    const real s = x * x, s2 = s * s;
    const real a = fma(8.333333333333113e-3, s, -0.16666666666666666),
               b = fma(2.755731920777081e-06, s, -1.9841269841185862e-4);
    const real c = fma(1.6058927767381437e-10, s, -2.5052106605222626e-08),
               e = fma(2.7184780701862058e-15, s, -7.642711165746823e-13);
    const real low = fma(b, s2, a), high = fma(e, s2, c);
    return fma(fma(high, s2 * s2, low), x * s, x);
}

static void sine_roots(real v, real *r, real *e)
{
    const real y = (real)rsqrt((float)v), g = v * y, h = 0.5 * y, w = fma(-g, h, 0.5);
    const real half_y = fma(h, w, h);
    *r = fma(g, w, g);
    *e = fma(-*r, *r, v) * half_y;
}

#else
#define SINE_ROUND 12582912.0f
#define SINE_PI 3.14159274f
#define SINE_PI_LOW -8.74227766e-8f

static real sine_sign(real x, real t) { return as_float(as_uint(x) ^ (as_uint(t) << 31)); }

static real sine_poly(real x)
{
    const real s = x * x;
    const real a = fma(8.333017118275166e-3f, s, -0.16666656732559204f),
               b = fma(2.6000245725299465e-06f, s, -1.9806601630989462e-4f);
    return fma(fma(b, s * s, a), x * s, x);
}

static void sine_roots(real v, real *r, real *e)
{
    const real y = rsqrt(v);
    *r = v * y;
    *e = fma(-*r, *r, v) * (0.5f * y);
}
#endif

static real sine_root(real v)
{
    real r, e;
    // rsqrt(0) is infinite; below this bound the sine is smaller than its error.
    sine_roots(bound_below(v, R(1e-36)), &r, &e);
    const real t = fma(r, R(0.3183098861837907), SINE_ROUND), q = t - SINE_ROUND;
    const real x = fma(-q, SINE_PI_LOW, fma(-q, SINE_PI, r)) + e;
    return sine_poly(sine_sign(x, t));
}
